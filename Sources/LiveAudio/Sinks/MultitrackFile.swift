// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioDevices
internal import AudioMetadata
internal import AudioPrimitives
internal import PCMFiles
internal import Synchronization
internal import SystemFiles

/// An M4A file with one track per sink, all of which start at the same time.
///
/// Each track is written in fragments of half a second, independently of the others, so the file holds at most half a second per track in
/// memory. The file is created when all sinks have begun. The last sink to end replaces the fragments by one index with the exact lengths.
final class MultitrackFile: Sendable {
    let names: [String]
    private let path: String
    private let container: AudioFileFormat?
    private let tags: AudioTags
    private let overwrites: Bool
    private let state: Mutex<State>

    private struct State {
        var formats: [RecordingFormat?]
        /// The indexes of the tracks that have not ended.
        var openTracks: Set<Int>
        var output: OutputFile?
        var writer: MP4Writer<OutputFile>?
        var hasAccessUnits = false
        var marks: [AudioTags.Chapter] = []
        var lostMarks: [AudioTags.Chapter] = []
    }

    /// Creates a file that is not yet written.
    ///
    /// - Parameters:
    ///   - path: The file path; `-` for standard output.
    ///   - container: Any other format than M4A is an error at the start.
    init(path: String, container: AudioFileFormat?, names: [String], tags: AudioTags, overwrites: Bool) {
        self.path = path
        self.container = container
        self.names = names
        self.tags = tags
        self.overwrites = overwrites
        state = Mutex(State(formats: names.map { _ in nil }, openTracks: Set(names.indices)))
    }

    /// An upper bound for the size of the tags, in bytes.
    var tagByteCount: Int { tags.byteCount }

    func displayName(ofTrack index: Int) -> String { "\(PathName.outputName(path)) (\(names[index]))" }

    /// Stores the format of a track, and creates the file if all formats are known.
    func begin(track index: Int, _ format: RecordingFormat) throws(DeviceError) {
        guard let container, container == .m4a || container == .fragmentedM4A else { throw .unsupportedFileExtension(path: path) }
        let name = displayName(ofTrack: index)
        try state.withLock { state throws(DeviceError) in
            state.formats[index] = format
            let formats = state.formats.compactMap { $0 }
            guard formats.count == names.count, state.output == nil else { return }
            do {
                // Checks the formats first: if one is rejected, no file is created or truncated.
                _ = try makeWriter(container, formats, to: MemorySink())
                let output = try container.createRecording(path: path, overwrites: overwrites)
                do {
                    state.writer = try makeWriter(container, formats, to: output)
                } catch {
                    output.discard()
                    throw error
                }
                state.output = output
            } catch {
                throw .sinkFailed(name: name, underlying: error)
            }
        }
    }

    private func makeWriter<Sink: ByteSink>(
        _ container: AudioFileFormat, _ formats: [RecordingFormat], to output: Sink
    ) throws(ContainerError) -> MP4Writer<Sink> {
        let tracks = zip(formats, names).map { format, name in
            MP4WriterOptions.Track(
                format.configuration, unitsPerFragment: format.unitsPerFragment, priming: format.primingFrames, name: name)
        }
        return try MP4Writer(
            to: output, tracks: tracks, tags: container.recordedTags(tags), isIndexed: container.hasIndex(in: output))
    }

    /// Writes an access unit, or holds it for the track's next fragment.
    ///
    /// - Throws: ``/AudioDevices/DeviceError/notRecording`` before all tracks have begun; ``/PCMFiles/AudioFileError`` of this or an earlier
    ///   write.
    func append(_ accessUnit: AccessUnit, toTrack index: Int) throws {
        try state.withLock { state in
            guard state.writer != nil, state.openTracks.contains(index) else { throw DeviceError.notRecording }
            state.hasAccessUnits = true
            try write(&state) { writer throws(ContainerError) in try writer?.append(accessUnit, toTrack: index) }
        }
    }

    func mark(_ mark: AudioTags.Chapter) { state.withLock { $0.marks.append(mark) } }

    /// The marks that the file cannot store; known at the end.
    var lostMarks: [AudioTags.Chapter] { state.withLock { $0.lostMarks } }

    /// Completes a track, and the file if all tracks have ended.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError`` of this or an earlier write.
    func finish(track index: Int, _ gaplessInfo: GaplessInfo?) throws(AudioFileError) {
        try state.withLock { state throws(AudioFileError) in try end(index, gaplessInfo, &state) }
    }

    /// Deletes the file, or only ends the track if the file has access units.
    func discard(track index: Int) throws(AudioFileError) {
        try state.withLock { state throws(AudioFileError) in
            guard !state.hasAccessUnits else { return try end(index, nil, &state) }
            state.openTracks = []
            state.writer = nil
            state.output?.discard()
        }
    }

    private func end(_ index: Int, _ gaplessInfo: GaplessInfo?, _ state: inout State) throws(AudioFileError) {
        guard state.openTracks.remove(index) != nil, let output = state.output else { return }
        let isLast = state.openTracks.isEmpty
        let marks = state.marks
        var hasMarks = marks.isEmpty
        defer { if isLast { state.writer = nil } }
        do throws(AudioFileError) {
            try write(&state) { writer throws(ContainerError) in
                try writer?.finishTrack(index, gaplessInfo)
                if isLast {
                    if !marks.isEmpty { hasMarks = writer?.setChapters(tags.chapters + marks) ?? false }
                    try writer?.finish()
                }
            }
            if isLast, !hasMarks { state.lostMarks = marks }
        } catch {
            if isLast { try? output.commit() }
            throw error
        }
        if isLast { try output.commit() }
    }

    /// Calls `body` with the writer.
    private func write(
        _ state: inout State, _ body: (inout MP4Writer<OutputFile>?) throws(ContainerError) -> Void
    ) throws(AudioFileError) {
        do throws(ContainerError) {
            try body(&state.writer)
        } catch {
            throw AudioFileError(writing: path, error)
        }
    }
}
