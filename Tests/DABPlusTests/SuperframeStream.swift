// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import DABPlus
import MPEG4Audio
import TestSupport

/// A stream of superframes with random access units.
struct SuperframeStream {
    /// All formats of audio.
    static let formats = [false, true].flatMap { isFullRate in
        [
            DABAudioFormat(isFullRate: isFullRate, hasSBR: false, isStereo: false),
            DABAudioFormat(isFullRate: isFullRate, hasSBR: false, isStereo: true),
            DABAudioFormat(isFullRate: isFullRate, hasSBR: true, isStereo: false),
            DABAudioFormat(isFullRate: isFullRate, hasSBR: true, isStereo: true),
            DABAudioFormat(isFullRate: isFullRate, hasSBR: true, isStereo: false, hasParametricStereo: true),
        ]
    }

    let bytes: [UInt8]
    /// The access unit payloads.
    ///
    /// The last one of each superframe is padded.
    let payloads: [[UInt8]]
    let superframeByteCount: Int

    /// Writes access units of random sizes that fill their superframes.
    init(_ format: DABAudioFormat, bitRate: Int, superframeCount: Int, seed: UInt64, labels: [TimedLabel] = [], padByteCount: Int = 0)
        throws
    {
        var random = SeededRandom(seed: seed)
        let subchannel = DABSubchannel(bitRate: bitRate, padByteCount: padByteCount)
        let total = subchannel.rateGroup.unitsByteCount(format.accessUnitCount)
        var accessUnits: [[UInt8]] = []
        for _ in 0..<superframeCount {
            var left = total
            for accessUnit in 0..<format.accessUnitCount {
                let rest = format.accessUnitCount - accessUnit - 1
                let count =
                    rest == 0 ? left : Int.random(in: 1...max(1, min(left - rest, 2 * total / format.accessUnitCount)), using: &random)
                // The access unit must not start with a data stream element.
                accessUnits.append([0x21] + (1..<max(1, count)).map { _ in UInt8.random(in: 0...255, using: &random) })
                left -= count
            }
        }
        var writer = try DABWriter(
            to: MemorySink(), format.audioSpecificConfig, options: DABWriterOptions(subchannel: subchannel, labels: labels))
        for payload in accessUnits {
            let time = MediaTime(value: 0, timescale: 48_000)
            try writer.append(AccessUnit(payload: payload, presentationTime: time, duration: 960))
        }
        try writer.finish()
        bytes = writer.sink.bytes
        payloads = accessUnits
        superframeByteCount = 3 * bitRate / 200
    }
}
