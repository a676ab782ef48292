// SPDX-License-Identifier: Apache-2.0

public import PCMFiles

/// Encodes a file or pipe to AAC or Opus, in bounded memory.
///
/// ```swift
/// try await FileEncoder(input: "song.wav", output: "song.m4a").run()
/// ```
///
/// This is a ``FileConverter`` whose output is always encoded: AAC in CAF, and ADTS for pipes and without an extension. Channel layouts
/// that the codec does not support throw.
public struct FileEncoder: Sendable {
    package var converter: FileConverter

    /// Creates an encoder without opening files.
    ///
    /// - Parameters:
    ///   - input: The input's path, or `-` for standard input.
    ///   - output: The output's path, or `-` for standard output. Its extension chooses the container.
    ///   - configuration: The settings.
    public init(input: String, output: String, configuration: FileConverterConfiguration = FileConverterConfiguration()) {
        converter = FileConverter(input: input, output: output, configuration: configuration)
        converter.configuration.verb = .encode
    }

    /// Encodes the file.
    ///
    /// - Parameters:
    ///   - progress: Called on another thread after every read or segment.
    ///   - log: Called with a line about each encoder step: formats, bit rate, every read and write. Encoding is single-threaded while it
    ///     is set.
    /// - Returns: The properties of input and output, and notes on differences from the request.
    /// - Throws: ``/PCMFiles/AudioFileError``, with ``/PCMFiles/AudioFileError/Code/cancelled`` if the task was cancelled. Then no output
    ///   remains.
    @discardableResult
    public func run(
        progress: (@Sendable (ConversionProgress) -> Void)? = nil, log: (@Sendable (String) -> Void)? = nil
    ) async throws(AudioFileError) -> ConversionSummary {
        var converter = converter
        converter.log = log ?? converter.log
        return try await converter.run(progress: progress)
    }

    /// Encodes the file on this thread and others; see ``FileConverter/run(_:check:)``.
    @discardableResult
    package func run(
        _ progress: (ConversionProgress) -> Bool = { _ in true }, check: FileConverter.Check? = nil
    ) throws(AudioFileError) -> ConversionSummary {
        try converter.run(progress, check: check)
    }
}
