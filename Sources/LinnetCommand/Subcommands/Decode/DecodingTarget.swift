// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioConversion
import AudioFiles
import AudioMetadata
import AudioPrimitives
import PCMFiles

/// The PCM file for decoded audio; it is begun with the first buffer, or at the end, when sample rate and channels are known.
final class DecodingTarget {
    private let output: OutputFile
    private let file: PCMFileFormat
    private let sampleFormat: SampleFormat?
    private let tags: AudioTags
    private var writer: PCMFileWriter?

    /// The size of a write, in bytes.
    private static let pendingByteLimit = 65_536

    /// Makes a target; nothing is written yet.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - file: Its format.
    ///   - sampleFormat: The format of a sample; nil for 16 bits, or 24 if a lossless stream has more than 16.
    ///   - tags: The tags, which the format can hold.
    init(output: OutputFile, file: PCMFileFormat, sampleFormat: SampleFormat?, tags: AudioTags) {
        self.tags = tags
        self.output = output
        self.file = file
        self.sampleFormat = sampleFormat
    }

    /// The format of the file; nil before the first buffer.
    var format: PCMOutputFormat? { writer?.format }

    /// Writes a buffer, which has the format of the first one.
    func append(_ buffer: PCMBuffer, from decoder: FileDecoder) throws {
        try (writer ?? begin(buffer, decoder)).append(buffer)
    }

    /// Completes the file and gives it its name.
    ///
    /// - Parameter buffer: A buffer in the format of the audio, for a file of no sample frames.
    func finish(_ buffer: PCMBuffer, from decoder: FileDecoder) throws {
        try (writer ?? begin(buffer, decoder)).finish()
        try output.commit()
    }

    /// Opens the writer in the format of a buffer.
    private func begin(_ buffer: PCMBuffer, _ decoder: FileDecoder) throws -> PCMFileWriter {
        var format = PCMOutputFormat(
            file, sampleFormat: sampleFormat ?? Self.defaultFormat(decoder.decoder?.codecConfiguration), sampleRate: buffer.sampleRate,
            channelCount: buffer.channelCount,
            channelLayout: decoder.decoder?.channelLayout)
        format.tags = tags
        let begun = try PCMFileWriter(output.file, path: output.path, format: format, pendingByteLimit: Self.pendingByteLimit)
        writer = begun
        return begun
    }

    /// Returns the sample format for a stream of which none was asked for.
    private static func defaultFormat(_ configuration: CodecConfiguration?) -> SampleFormat {
        if case .alac(let config)? = configuration, config.bitDepth > 16 { .int24 } else { .int16 }
    }
}
