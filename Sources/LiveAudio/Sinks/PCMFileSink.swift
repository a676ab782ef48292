// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import AudioPrimitives
package import PCMFiles
internal import SystemFiles

/// Writes the samples of a recording to a PCM file.
package final class PCMFileSink: PCMSink, RepeatableFileSink, @unchecked Sendable {
    let path: String
    let isPattern: Bool
    private let file: AudioFileFormat
    private let sampleFormat: SampleFormat
    private let tags: AudioTags
    let overwrites: Bool
    // Used only on the sink's thread.
    private var output: OutputFile?
    private var writer: PCMFileWriter?
    private var marks: [AudioTags.Chapter] = []
    package private(set) var lostMarks: [AudioTags.Chapter] = []

    /// Creates a sink.
    ///
    /// The file is created when the recording starts.
    ///
    /// - Parameters:
    ///   - path: The file path; `-` for standard output.
    ///   - tags: The tags. Those that the format does not support are dropped.
    ///   - overwrites: Whether to replace an existing file.
    ///   - isPattern: Whether the path is a ``FileNamePattern``.
    package init(
        path: String, file: AudioFileFormat = .wav, sampleFormat: SampleFormat = .int16, tags: AudioTags = AudioTags(),
        overwrites: Bool = false, isPattern: Bool = false
    ) {
        self.isPattern = isPattern
        self.tags = tags
        self.path = path
        self.file = file
        self.sampleFormat = sampleFormat
        self.overwrites = overwrites
    }

    package var name: String { PathName.outputName(path) }

    func withPath(_ path: String) -> PCMFileSink {
        PCMFileSink(path: path, file: file, sampleFormat: sampleFormat, tags: tags, overwrites: overwrites)
    }

    func growth(_ format: RecordingFormat) -> FileGrowth {
        FileGrowth(bytesPerFrame: sampleFormat.byteCount * format.channelCount, tags: tags.byteCount)
    }

    package func begin(_ format: RecordingFormat) throws(AudioFileError) {
        let output = try OutputFile(path: path, overwrites: overwrites, visibility: .immediately)
        self.output = output
        var description = PCMOutputFormat(
            file, sampleFormat: sampleFormat, sampleRate: format.sampleRate, channelCount: format.channelCount)
        description.tags = tags
        description.reservedTagByteCount = ContainerFileSink.reservedTagByteCount
        do throws(AudioFileError) {
            writer = try PCMFileWriter(to: output, format: description)
        } catch {
            discard()
            throw error
        }
    }

    package func append(_ buffer: PCMBuffer) throws(AudioFileError) {
        try writer?.append(buffer)
    }

    /// Completes the header and closes the file.
    package func finish() throws(AudioFileError) {
        // A failure must not prevent the end of the file.
        if !marks.isEmpty, (try? writer?.setChapters(tags.chapters + marks)) != true { lostMarks = marks }
        try writer?.finish()
        try output?.commit()
    }

    package func mark(_ mark: AudioTags.Chapter) { marks.append(mark) }

    package func discard() {
        writer = nil
        output?.discard()
    }
}
