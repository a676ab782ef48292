// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
package import AudioDevices
package import AudioMetadata
package import AudioPrimitives
package import DABPlus
internal import MPEG4Audio
package import PCMFiles
internal import SystemFiles

/// Writes a recording's access units to a file, each as soon as the container permits.
///
/// The file has its final name from the start. ADTS and LOAS files are playable up to the last access unit, even if the program is killed.
/// M4A is written in fragments of half a second, which are also playable. ``finish(_:)`` converts them in place into an ordinary M4A file
/// with one index and the exact length. CAF has a single packet table at its end, so the file is playable only after ``finish(_:)``.
package final class ContainerFileSink: AccessUnitSink, RepeatableFileSink, @unchecked Sendable {
    /// The space for marks in formats with tags at the start, in bytes: more than 100 short titles.
    static let reservedTagByteCount = 8192

    let path: String
    let isPattern: Bool
    /// The format; `nil` if the path has an unknown extension.
    let container: AudioFileFormat?
    private let tags: AudioTags
    private let dab: DABWriterOptions?
    let overwrites: Bool
    // Used only on the sink's thread.
    private var output: OutputFile?
    private var writer: (any ContainerWriter<OutputFile>)?
    private var marks: [AudioTags.Chapter] = []
    package private(set) var lostMarks: [AudioTags.Chapter] = []

    /// Creates a sink.
    ///
    /// The file is created when the recording starts.
    ///
    /// - Parameters:
    ///   - path: The file path; `-` for standard output.
    ///   - container: The container format; `nil` if the path has an unknown extension, which is an error at the start.
    ///   - tags: The tags. Those that the container does not support are dropped; the encoder's name is added.
    ///   - dab: The DAB+ sub-channel and its labels; `nil` for other containers.
    ///   - overwrites: Whether to replace an existing file.
    ///   - isPattern: Whether the path is a ``FileNamePattern``.
    package init(
        path: String, container: AudioFileFormat?, tags: AudioTags = AudioTags(), dab: DABWriterOptions? = nil, overwrites: Bool = false,
        isPattern: Bool = false
    ) {
        self.isPattern = isPattern
        self.tags = tags
        self.dab = dab
        self.path = path
        self.container = container
        self.overwrites = overwrites
    }

    func withPath(_ path: String) -> ContainerFileSink {
        ContainerFileSink(path: path, container: container, tags: tags, dab: dab, overwrites: overwrites)
    }

    func growth(_ format: RecordingFormat) -> FileGrowth { FileGrowth(container ?? .adts, tags: tags.byteCount) }

    package var name: String { PathName.outputName(path) }

    /// Creates the file.
    ///
    /// - Throws: ``/AudioDevices/DeviceError/unsupportedFileExtension(path:)``; ``/AudioDevices/DeviceError/sinkFailed(name:underlying:)``
    ///   with an `AudioFileError`, or with a `ContainerError`, for example for CAF to a pipe.
    package func begin(_ format: RecordingFormat) throws(DeviceError) {
        guard let container else { throw .unsupportedFileExtension(path: path) }
        do {
            // Checks the format first: if it is rejected, no file is created or truncated.
            _ = try makeWriter(container, format, to: MemorySink())
            let output = try container.createRecording(path: path, overwrites: overwrites)
            do {
                writer = try makeWriter(container, format, to: output)
            } catch {
                output.discard()
                throw error
            }
            self.output = output
        } catch {
            throw .sinkFailed(name: name, underlying: error)
        }
    }

    /// Creates the writer.
    ///
    /// M4A is written in fragments.
    private func makeWriter<Sink: ByteSink>(
        _ container: AudioFileFormat, _ format: RecordingFormat, to output: Sink
    ) throws(ContainerError) -> any ContainerWriter<Sink> {
        var options = ContainerWriterOptions()
        options.tags = container.recordedTags(tags)
        options.priming = format.primingFrames
        options.reservedTagByteCount = Self.reservedTagByteCount
        let config = format.configuration
        guard container == .m4a || container == .fragmentedM4A else {
            return try container.makeWriter(to: output, config, options: options, dab: dab)
        }
        let count = format.unitsPerFragment
        let layout: MP4WriterOptions.Layout =
            container.hasIndex(in: output)
            ? .fragmentedUntilFinished(unitsPerFragment: count, priming: format.primingFrames)
            : .fragmented(unitsPerFragment: count, priming: format.primingFrames)
        return try MP4Writer(to: output, config, options: .init(layout: layout, tags: options.tags, usesCoreTimescale: true))
    }

    /// Writes an access unit, or holds it for the next fragment.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError``, also for container errors.
    package func append(_ accessUnit: AccessUnit) throws(AudioFileError) {
        guard let output else { return }
        do throws(ContainerError) { try writer?.append(accessUnit) } catch { throw AudioFileError(writing: output.path, error) }
    }

    /// Writes the index, if the container has one, and closes the file.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError``, also for container errors.
    package func finish(_ gaplessInfo: GaplessInfo?) throws(AudioFileError) {
        guard let output else { return }
        storeMarks()
        do throws(ContainerError) {
            try writer?.finish(gaplessInfo)
        } catch {
            throw AudioFileError(writing: output.path, error)
        }
        try output.commit()
    }

    package func mark(_ mark: AudioTags.Chapter) { marks.append(mark) }

    /// Adds the marks to the chapters of the tags, or to ``lostMarks``.
    ///
    /// A failure must not prevent the end of the file.
    private func storeMarks() {
        guard !marks.isEmpty else { return }
        guard var writer = writer as? any ChapterWriter<OutputFile>, (try? writer.setChapters(tags.chapters + marks)) == true else {
            lostMarks = marks
            return
        }
        self.writer = writer
    }

    package func discard() { output?.discard() }
}
