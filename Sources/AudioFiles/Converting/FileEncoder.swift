// SPDX-License-Identifier: Apache-2.0

public import PCMFiles

/// Encodes a file or pipe to a file or pipe of AAC or Opus, in bounded memory.
///
/// ```swift
/// try await FileEncoder(input: "song.wav", output: "song.m4a").run()
/// ```
///
/// It is a ``FileConverter`` whose output is always coded: AAC in CAF, and ADTS for pipes and if there is no extension. Speakers that the codec
/// does not support are an error.
public struct FileEncoder: Sendable {
    /// The converter that does the work.
    package var converter: FileConverter

    /// Creates an encoder; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - input: The input's path; `-` is standard input.
    ///   - output: The output's path; `-` is standard output. Its extension chooses the container.
    ///   - configuration: The settings of the output.
    public init(input: String, output: String, configuration: FileConverterConfiguration = FileConverterConfiguration()) {
        converter = FileConverter(input: input, output: output, configuration: configuration)
        converter.configuration.verb = .encode
    }

    /// Encodes the file.
    ///
    /// - Parameters:
    ///   - progress: Called on another thread after every read or segment with what has been done; nil for none.
    ///   - log: Called with a line about each step of the encoder: formats, bit rate, every read and write. One thread works while it is set.
    /// - Returns: The properties of the input and of the output, and notes about differences from the request.
    /// - Throws: ``/PCMFiles/AudioFileError``; ``/PCMFiles/AudioFileError/Code/cancelled`` if the task was cancelled, and then nothing is left of the output.
    @discardableResult
    public func run(
        progress: (@Sendable (ConversionProgress) -> Void)? = nil, log: (@Sendable (String) -> Void)? = nil
    ) async throws(AudioFileError) -> ConversionSummary {
        var converter = converter
        converter.log = log ?? converter.log
        return try await converter.run(progress: progress)
    }

    /// Encodes the file on this thread and others, see ``FileConverter/run(_:check:)``.
    @discardableResult
    package func run(
        _ progress: (ConversionProgress) -> Bool = { _ in true }, check: FileConverter.Check? = nil
    ) throws(AudioFileError) -> ConversionSummary {
        try converter.run(progress, check: check)
    }
}
