// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Encodes PCM buffers to an ADTS stream in memory.
func encodeBuffers(_ buffers: [PCMBuffer]) throws -> [UInt8] {
    // snippet: encode-buffers
    let encoder = try AACEncoder(AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 128_000)))
    var writer = try AudioFileFormat.adts.makeWriter(to: MemorySink(), encoder.audioSpecificConfig)
    for buffer in buffers {
        for unit in try encoder.encode(buffer) { try writer.append(unit) }
    }
    let tail = encoder.finish()
    for unit in tail.accessUnits { try writer.append(unit) }
    try writer.finish(tail.gapless)
    let stream = writer.sink.bytes
    // end
    return stream
}
