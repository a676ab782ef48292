// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport

extension TemporaryFolder {
    /// Writes samples as a PCM file and returns its path.
    @discardableResult
    func writePCM(_ bytes: [UInt8], to name: String, _ format: PCMOutputFormat) throws -> String {
        let writer = try PCMFileWriter(path: path(name), format: format, overwrites: true)
        try writer.append(bytes: bytes)
        try writer.finish()
        return path(name)
    }

    /// Writes a chord as 16-bit WAV and returns its path.
    @discardableResult
    func writeChord(_ name: String = "in.wav", sampleRate: Int = 44_100, channelCount: Int = 2, frameCount: Int) throws -> String {
        let chord = ChordFile(sampleRate: sampleRate, channelCount: channelCount, frameCount: frameCount)
        return try writePCM(
            chord.bytes, to: name, PCMOutputFormat(.wav, encoding: .int16, sampleRate: sampleRate, channelCount: channelCount))
    }

    @discardableResult
    func convert(
        _ input: String, _ output: String, _ change: (inout FileConverterConfiguration) -> Void = { _ in }
    ) throws -> ConversionSummary {
        var configuration = FileConverterConfiguration()
        configuration.overwrites = true
        change(&configuration)
        return try FileConverter(input: path(input), output: path(output), configuration: configuration).run()
    }

    /// Reads all samples of a PCM file in its lossless encoding.
    func readPCM(_ name: String, raw: AudioFormat? = nil) throws -> (encoding: SampleEncoding, bytes: [UInt8]) {
        let reader = try PCMFileReader(path: path(name), raw: raw)
        var bytes: [UInt8] = []
        var part: [UInt8] = []
        repeat {
            try reader.read(10_000, into: &part)
            bytes += part
        } while !part.isEmpty
        return (reader.encoding, bytes)
    }
}
