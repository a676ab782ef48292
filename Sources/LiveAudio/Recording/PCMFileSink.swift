// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioFiles
public import AudioPrimitives
public import PCMFiles

/// Writes the samples of a recording to a PCM file, as they go into the encoder.
public final class PCMFileSink: RecorderSink, @unchecked Sendable {
    private let path: String
    private let file: PCMFileFormat
    private let sampleFormat: SampleFormat
    private let overwrites: Bool
    // Used on the sink's thread only.
    private var output: DirectOutput?
    private var writer: PCMFileWriter?

    /// Makes a sink for the file `path`; `-` is standard output.
    public init(path: String, file: PCMFileFormat = .wav, sampleFormat: SampleFormat = .int16, overwrites: Bool = false) {
        self.path = path
        self.file = file
        self.sampleFormat = sampleFormat
        self.overwrites = overwrites
    }

    /// The file's name.
    public var name: String { path == "-" ? "standard output" : path }

    /// Samples.
    public var takesAccessUnits: Bool { false }

    /// Makes the file; throws ``OutputError`` or ``PCMFileError``.
    public func begin(_ format: RecordingFormat) throws {
        let output = try DirectOutput(path: path, overwrites: overwrites)
        self.output = output
        let description = PCMOutputFormat(
            file, sampleFormat: sampleFormat, sampleRate: format.sampleRate, channelCount: format.channelCount)
        writer = try PCMFileWriter(descriptor: output.descriptor, name: output.path, format: description)
    }

    /// Writes samples; throws ``OutputError`` or ``PCMFileError``.
    public func append(_ item: RecordedItem) throws {
        guard case .samples(let buffer) = item else { return }
        try naming { try writer?.append(buffer) }
    }

    /// Completes the header and closes the file.
    public func finish(_ gaplessInfo: GaplessInfo?) throws {
        try naming { try writer?.finish() }
        try output?.close()
    }

    /// Gives failed writes the names that all outputs share, as that of a full disk.
    private func naming(_ body: () throws -> Void) throws {
        do { try body() } catch PCMFileError.cannotWrite(let path, let code) { throw OutputError(writing: path, code: code) }
    }
}
