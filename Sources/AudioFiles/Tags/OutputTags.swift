// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
public import AudioMetadata
internal import AudioPrimitives
public import PCMFiles
internal import SystemFiles

/// The tags of an output: those that are asked for, and those of the input.
package struct OutputTags: Hashable, Sendable {
    /// The tags, as far as the output can keep them.
    package let tags: AudioTags
    /// Names of what the input has and the output can't keep.
    package let namesLost: [String]

    /// Returns a line that names what the output does not have.
    package static func note(_ namesLost: [String], formatName: String) -> String {
        "\(formatName) is written without the \(namesLost.joined(separator: ", ")) of the input"
    }

    /// Names of texts about the coding of the input, which is not that of the output.
    private static let codingNames: [AudioTags.Key] = [.encoder, "ENCODERSETTINGS", "ENCODER_OPTIONS", "ENCODER OPTIONS"]

    /// The scale of chapters that are cut: nanoseconds, which are exact for every frame of a sample rate.
    private static let ticksPerSecond = 1_000_000_000

    /// Combines tags.
    ///
    /// - Parameters:
    ///   - requested: The tags that are asked for; an empty value removes what the input has.
    ///   - input: The tags of the input; nil to leave them out.
    ///   - storage: The place of tags in the output.
    ///   - isCopy: Whether the coded audio is that of the input, so that the name of its encoder stays.
    ///   - keepsLoudness: Whether the loudness is that of the input, so that its gains stay.
    ///   - range: The part of the input that the output has, to which its chapters are cut; nil for everything.
    package init(
        _ requested: AudioTags, input: AudioTags?, storage: TagStorage, isCopy: Bool = false, keepsLoudness: Bool = true,
        range: Range<Duration>? = nil
    ) {
        var inherited = input ?? AudioTags()
        if let range {
            inherited.cutChapters(to: range.frames(atRate: Self.ticksPerSecond), sampleRate: Self.ticksPerSecond)
            // The sheet's times are those of the whole.
            inherited["CUESHEET"] = []
        }
        if !isCopy { for name in Self.codingNames { inherited[name] = [] } }
        if !keepsLoudness { (inherited.replayGain, inherited.albumReplayGain) = (nil, nil) }
        let all = requested.inheriting(inherited)
        tags = storage.storable(all)
        namesLost = storage.namesLost(of: all)
    }
}

extension AudioTags {
    /// Reads the tags of a file of any format.
    ///
    /// ```swift
    /// let title = try AudioTags(contentsOf: "song.flac").title
    /// ```
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file can't be read. A file without tags gives none.
    public init(contentsOf path: String) throws(AudioFileError) {
        let input = try FileInput(opening: path)
        // PCM is in no container of access units, but perhaps in a track of MP4.
        self =
            (try? AccessUnitReader(input))?.metadata.tags ?? (try? TrackPCMSource.opening(input))?.properties.tags
            ?? AudioTags(reading: input)
    }

    /// The former name of ``init(contentsOf:)``.
    @available(*, deprecated, renamed: "init(contentsOf:)")
    public init(path: String) throws(AudioFileError) { try self.init(contentsOf: path) }

    /// Whether something is asked for that a place of tags can't keep.
    func exceeds(_ storage: TagStorage) -> Bool {
        var requested = self
        requested.fields.removeAll(where: \.value.isEmpty)
        return !storage.namesLost(of: requested).isEmpty
    }
}
