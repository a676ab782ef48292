// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioPrimitives

/// Encodes generated samples to M4A in memory and decodes them; needs no other library.
@main enum M4AInMemory {
    static func main() throws {
        let tone: [Float] = (0..<48_000).map { ($0 / 50).isMultiple(of: 2) ? 0.25 : -0.25 }
        let bytes = try encoded(PCMBuffer(channels: [tone], sampleRate: 48_000))
        var reader = try AudioFileFormat.m4a.makeReader(of: MemorySource(bytes))
        guard let configuration = reader.configuration.audioSpecificConfig else { fatalError("no AAC") }
        let decoder = try AACDecoder(configuration)
        var frameCount = 0
        while let unit = try reader.nextUnit() { frameCount += try decoder.decode(unit.accessUnit).frameCount }
        print("\(bytes.count) bytes, \(frameCount) sample frames")
    }

    /// Returns the bytes of an M4A file.
    private static func encoded(_ audio: PCMBuffer) throws -> [UInt8] {
        let encoder = try AACEncoder(AACEncoderConfiguration(sampleRate: audio.sampleRate, channelCount: audio.channelCount))
        var writer = try AudioFileFormat.m4a.makeWriter(to: MemorySink(), encoder.audioSpecificConfig)
        for unit in try encoder.encode(audio) { try writer.append(unit) }
        let tail = encoder.finish()
        for unit in tail.accessUnits { try writer.append(unit) }
        try writer.finish(tail.gapless)
        return writer.sink.bytes
    }
}
