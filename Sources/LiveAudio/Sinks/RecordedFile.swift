// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio
internal import PCMFiles

/// The duration of an M4A fragment, in seconds: the maximum loss if the program is killed.
private let fragmentDuration = 0.5

extension RecordingFormat {
    /// The number of access units per M4A fragment.
    var unitsPerFragment: Int {
        let accessUnitCount = Double(configuration.sampleRate) * fragmentDuration / Double(framesPerUnit)
        return max(1, Int(accessUnitCount.rounded()))
    }
}

extension AudioFileFormat {
    /// Returns the supported ones of the tags, and the encoder's name.
    func recordedTags(_ tags: AudioTags) -> AudioTags {
        var tags = tagStorage.storable(tags)
        tags.encoder = LinnetVersion.encoderTag
        return tags
    }

    /// Whether the file ends with an index that replaces its M4A fragments.
    func hasIndex(in output: some ByteSink) -> Bool { output.canOverwrite && self == .m4a }

    /// Creates the file of a recording, which has its final name from the start.
    func createRecording(path: String, overwrites: Bool) throws -> OutputFile {
        let output = try OutputFile(path: path, overwrites: overwrites, visibility: .immediately)
        guard output.canOverwrite || streamable != nil else { throw ContainerError.sinkCannotOverwrite }
        return output
    }
}
