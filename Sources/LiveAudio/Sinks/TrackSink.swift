// SPDX-License-Identifier: Apache-2.0

internal import AudioDevices
package import AudioMetadata
package import AudioPrimitives
internal import PCMFiles

/// Writes a recording's access units to one track of an M4A file.
///
/// The sinks of a file can be used on different threads. A sink that is released ends its track, so that the others complete the file.
package final class TrackSink: AccessUnitSink, DiscardableSink, GrowingSink, MarkableSink {
    private let file: MultitrackFile
    private let index: Int

    private init(_ file: MultitrackFile, _ index: Int) {
        self.file = file
        self.index = index
    }

    /// Returns the sinks of a file, one per track.
    ///
    /// The file is created when all sinks have begun; ``begin(_:)`` of the last one throws the errors.
    ///
    /// - Parameters:
    ///   - path: The file path; `-` for standard output.
    ///   - container: M4A, or fragmented M4A; other formats are an error at the start.
    ///   - names: The names of the tracks, at least one.
    ///   - tags: The tags. Those that M4A does not support are dropped; the encoder's name is added.
    ///   - overwrites: Whether to replace an existing file.
    package static func sinks(
        path: String, container: AudioFileFormat?, names: [String], tags: AudioTags = AudioTags(), overwrites: Bool = false
    ) -> [TrackSink] {
        let file = MultitrackFile(path: path, container: container, names: names, tags: tags, overwrites: overwrites)
        return names.indices.map { TrackSink(file, $0) }
    }

    deinit { try? file.finish(track: index, nil) }

    package var name: String { file.displayName(ofTrack: index) }

    /// Stores the format.
    ///
    /// - Throws: ``/AudioDevices/DeviceError/unsupportedFileExtension(path:)``; ``/AudioDevices/DeviceError/sinkFailed(name:underlying:)``
    ///   with an `AudioFileError` or a `ContainerError`.
    package func begin(_ format: RecordingFormat) throws { try file.begin(track: index, format) }

    package func append(_ accessUnit: AccessUnit) throws { try file.append(accessUnit, toTrack: index) }

    package func finish(_ gaplessInfo: GaplessInfo?) throws { try file.finish(track: index, gaplessInfo) }

    /// Adds a chapter to the file, which the first track does for all.
    package func mark(_ mark: AudioTags.Chapter) {
        if index == 0 { file.mark(mark) }
    }

    package var lostMarks: [AudioTags.Chapter] { index == 0 ? file.lostMarks : [] }

    func growth(_ format: RecordingFormat) -> FileGrowth { FileGrowth(.m4a, tags: file.tagByteCount) }

    package func discard() throws { try file.discard(track: index) }
}
