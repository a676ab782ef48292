// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import AudioPrimitives
package import PCMFiles
internal import SystemFiles

/// Writes the samples of a recording to a PCM file, as they are encoded.
package final class PCMFileSink: PCMSink, DiscardableSink, @unchecked Sendable {
    private let path: String
    private let file: AudioFileFormat
    private let sampleFormat: SampleFormat
    private let tags: AudioTags
    private let overwrites: Bool
    // Used on the sink's thread only.
    private var output: OutputFile?
    private var writer: PCMFileWriter?

    /// Creates a sink; the file is created at the start of the recording.
    ///
    /// - Parameters:
    ///   - path: The path of the file; `-` for standard output.
    ///   - file: The format of the file.
    ///   - sampleFormat: The sample format.
    ///   - tags: Title, artist and so on, as far as the format can store them.
    ///   - overwrites: Whether to replace an existing file.
    package init(
        path: String, file: AudioFileFormat = .wav, sampleFormat: SampleFormat = .int16, tags: AudioTags = AudioTags(),
        overwrites: Bool = false
    ) {
        self.tags = tags
        self.path = path
        self.file = file
        self.sampleFormat = sampleFormat
        self.overwrites = overwrites
    }

    /// The path of the file.
    package var name: String { PathName.outputName(path) }

    /// Creates the file.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError``.
    package func begin(_ format: RecordingFormat) throws(AudioFileError) {
        let output = try OutputFile(path: path, overwrites: overwrites, visibility: .immediately)
        self.output = output
        var description = PCMOutputFormat(
            file, sampleFormat: sampleFormat, sampleRate: format.sampleRate, channelCount: format.channelCount)
        description.tags = tags
        do throws(AudioFileError) {
            writer = try PCMFileWriter(to: output, format: description)
        } catch {
            discard()
            throw error
        }
    }

    /// Writes samples.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError``.
    package func append(_ buffer: PCMBuffer) throws(AudioFileError) {
        try writer?.append(buffer)
    }

    /// Completes the header and closes the file.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError``.
    package func finish() throws(AudioFileError) {
        try writer?.finish()
        try output?.commit()
    }

    /// Removes the file.
    package func discard() {
        writer = nil
        output?.discard()
    }
}
