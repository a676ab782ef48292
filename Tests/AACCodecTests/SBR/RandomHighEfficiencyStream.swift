// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import TransformCoding

/// Access units with random core lines and random SBR and parametric stereo payloads.
struct RandomHighEfficiencyStream {
    let channelCount: Int
    let coreIndex: Int
    private(set) var accessUnits: [[UInt8]] = []

    /// The payload features.
    struct Options {
        var frameCount = 24
        /// The number of frames between header changes; 0 for none.
        var headerPeriod = 0
        /// The parametric stereo modes in sequence; empty without parametric stereo.
        var stereoModes: [Int] = []
        var hasPhases = false
        var isChecked = false
    }

    init(seed: UInt64, channelCount: Int, coreRate: Int, options: Options) {
        self.channelCount = channelCount
        coreIndex = SamplingFrequencyIndex(nearestTo: coreRate).rawValue
        let bands = ScaleFactorBands(samplingFrequencyIndex: coreIndex, frameLength: 1024)
        var replication = RandomSBR(seed: seed, channelCount: channelCount, rate: 2 * coreRate)
        var stereo = RandomStereo(seed: seed + 1)
        var random = SeededRandom(seed: seed + 2)
        for frame in 0..<options.frameCount {
            var writer = BitWriter()
            Self.writeCore(channelCount, bands, &random, to: &writer)
            let isNew = options.headerPeriod > 0 && frame > 0 && frame % options.headerPeriod == 0
            if isNew { replication.changeHeader() }
            let payload = replication.payload()
            var bits: BitWriter?
            if !options.stereoModes.isEmpty {
                let mode = options.stereoModes[frame / 4 % options.stereoModes.count]
                bits = stereo.data(mode: mode, hasHeader: frame % 4 == 0, hasPhases: options.hasPhases).bits
            }
            replication.writeFill(
                payload, hasHeader: frame == 0 || isNew || frame % 7 == 0, isChecked: options.isChecked, stereo: bits, to: &writer)
            writer.write(UInt32(SyntacticElementID.end.rawValue), count: 3)
            accessUnits.append(writer.bytes)
        }
    }

    init(accessUnits: [[UInt8]], channelCount: Int, coreIndex: Int) {
        self.accessUnits = accessUnits
        self.channelCount = channelCount
        self.coreIndex = coreIndex
    }

    /// Writes an element with long windows and lines at all frequencies.
    private static func writeCore(
        _ channelCount: Int, _ bands: ScaleFactorBands, _ random: inout SeededRandom, to writer: inout BitWriter
    ) {
        var pair = ChannelPairElement(frameLength: bands.frameLength)
        pair.first = stream(bands, &random)
        pair.second = stream(bands, &random)
        if channelCount == 2 {
            writer.write(UInt32(SyntacticElementID.channelPair.rawValue), count: 3)
            pair.write(to: &writer, bands: bands)
        } else {
            writer.write(UInt32(SyntacticElementID.singleChannel.rawValue), count: 3)
            writer.write(0, count: 4)
            pair.first.write(to: &writer, bands: bands, hasCommonWindow: false)
        }
    }

    private static func stream(_ bands: ScaleFactorBands, _ random: inout SeededRandom) -> IndividualChannelStream {
        var stream = IndividualChannelStream(frameLength: bands.frameLength)
        stream.info.maxSFB = bands.longCount
        stream.globalGain = 140
        for band in 0..<bands.longCount {
            stream.codebooks[band] = 5
            stream.scaleFactors[band] = Int16(Int.random(in: 135...145, using: &random))
        }
        stream.scaleFactors[0] = 140
        for line in stream.quantized.indices { stream.quantized[line] = Int16(Int.random(in: -4...4, using: &random)) }
        return stream
    }

    /// The stream as ADTS.
    var adts: [UInt8] {
        accessUnits.flatMap { accessUnit -> [UInt8] in
            let length = accessUnit.count + 7
            return [
                0xFF, 0xF1, UInt8(1 << 6 | coreIndex << 2), UInt8(channelCount << 6 | length >> 11),
                UInt8(length >> 3 & 255), UInt8(length << 5 & 255 | 0x1F), 0xFC,
            ] + accessUnit
        }
    }

    /// Returns the samples that the library decodes, planar.
    func decoded() throws -> [[Float]] {
        let decoder = try AACDecoder(
            AudioSpecificConfig(
                sampleRate: SamplingFrequencyIndex.standardRates[coreIndex],
                channelConfiguration: ChannelConfiguration(rawValue: channelCount)))
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        var channels: [[Float]] = [[], []]
        for accessUnit in accessUnits {
            let result = decoder.decode(accessUnit.span, into: &buffer)
            if let damage = result.damage { throw damage }
            for channel in 0..<2 { channels[channel] += buffer.channel(channel) }
        }
        return channels
    }
}
