// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import USACCodec

extension FuzzTarget {
    /// Decodes xHE-AAC access units twice: the output must be identical, finite, and of the documented length.
    ///
    /// Byte 0 is the length of the AudioSpecificConfig, which follows. Access units come next, each preceded by a two-byte length. A length
    /// of 0 means a lost access unit.
    static let usac = FuzzTarget("usac") { bytes in
        guard bytes.count > 1, bytes.count > 1 + Int(bytes[0]) else { return }
        guard let configuration = try? AudioSpecificConfig(parsing: Array(bytes[1..<1 + Int(bytes[0])])) else { return }
        guard let decoder = try? USACDecoder(configuration), let again = try? USACDecoder(configuration) else { return }
        precondition(samples(bytes, decoder) == samples(bytes, again))
    }
}

/// Returns all samples as bit patterns, for exact comparison.
private func samples(_ bytes: [UInt8], _ decoder: USACDecoder) -> [UInt32] {
    var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
    var samples: [UInt32] = []
    var offset = 1 + Int(bytes[0])
    for _ in 0..<16 where offset + 2 <= bytes.count {
        let length = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
        let end = min(bytes.count, offset + 2 + length)
        let accessUnit = Array(bytes[offset + 2..<end])
        _ = accessUnit.isEmpty ? decoder.conceal(into: &buffer) : decoder.decode(accessUnit.span, into: &buffer)
        offset = end
        precondition(buffer.frameCount == decoder.framesPerPacket && buffer.channelCount == decoder.channelCount)
        for channel in 0..<buffer.channelCount {
            for sample in buffer.channels[channel] {
                precondition(sample.isFinite)
                samples.append(sample.bitPattern)
            }
        }
    }
    return samples
}
