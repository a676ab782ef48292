// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AACCodec
import AudioPrimitives
import Linnet
import PCMFiles

/// The PCM file that decoded sound goes to; it begins with the first buffer, which tells rate and channels.
final class DecodingTarget {
    private let output: OutputFile
    private let file: PCMFileFormat
    private let sampleFormat: SampleFormat
    private var writer: PCMFileWriter?

    /// Bytes that are written at once.
    private static let waitingByteLimit = 65_536

    /// What the stream changed to, if it did: a file can have one rate and one number of channels only.
    private(set) var formatChange: String?

    init(output: OutputFile, file: PCMFileFormat, sampleFormat: SampleFormat) {
        self.output = output
        self.file = file
        self.sampleFormat = sampleFormat
    }

    /// Writes a buffer; false if it does not fit to those before.
    func append(_ buffer: PCMBuffer, from decoder: FileDecoder) throws -> Bool {
        let writer = try self.writer ?? begin(buffer, decoder)
        guard writer.format.sampleRate == buffer.sampleRate, writer.format.channelCount == buffer.channelCount else {
            formatChange = "\(buffer.sampleRate) Hz and \(buffer.channelCount) channels"
            return false
        }
        try writer.append(buffer)
        return true
    }

    /// Completes the file and gives it its name.
    func finish() throws {
        try writer?.finish()
        try output.commit()
    }

    private func begin(_ buffer: PCMBuffer, _ decoder: FileDecoder) throws -> PCMFileWriter {
        let format = PCMOutputFormat(
            file, sampleFormat: sampleFormat, sampleRate: buffer.sampleRate, channelCount: buffer.channelCount,
            channelLayout: decoder.decoder?.channelLayout)
        let begun = try PCMFileWriter(
            descriptor: output.descriptor, name: output.path, format: format, waitingByteLimit: Self.waitingByteLimit)
        writer = begun
        return begun
    }
}
