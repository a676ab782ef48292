// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
public import AudioMetadata
internal import AudioPrimitives
public import PCMFiles
internal import SystemFiles

/// The tags of an output, combined from the requested ones and the input's.
package struct OutputTags: Hashable, Sendable {
    /// The tags that the output supports.
    package let tags: AudioTags
    /// The names of input tags and other parts that the output does not support.
    package let namesLost: [String]

    /// Returns a line that lists the omitted parts.
    package static func note(_ namesLost: [String], formatName: String) -> String {
        "\(formatName) is written without the \(namesLost.joined(separator: ", "))"
    }

    /// Tags that describe the input's encoding, which does not apply to the output.
    private static let codingNames: [AudioTags.Key] = [.encoder, "ENCODERSETTINGS", "ENCODER_OPTIONS", "ENCODER OPTIONS"]

    /// Combines tags.
    ///
    /// - Parameters:
    ///   - requested: The requested tags. An empty value removes the input's.
    ///   - input: The tags of the input, or `nil` to omit them.
    ///   - storage: How the output stores tags.
    ///   - isCopy: Whether the audio is copied without encoding, so that the encoder's name is kept.
    ///   - keepsLoudness: Whether the loudness is the input's, so that ReplayGain tags are kept.
    ///   - range: The part of the input in the output, to which chapters are trimmed, or `nil` for all.
    package init(
        _ requested: AudioTags, input: AudioTags?, storage: TagStorage, isCopy: Bool = false, keepsLoudness: Bool = true,
        range: Range<Duration>? = nil
    ) {
        var inherited = input ?? AudioTags()
        if let range {
            inherited.cutChapters(to: range)
            // The sheet's times apply to the whole file.
            inherited["CUESHEET"] = []
            inherited.removeWAVEParts()
        }
        if !isCopy { for name in Self.codingNames { inherited[name] = [] } }
        if !keepsLoudness { (inherited.replayGain, inherited.albumReplayGain) = (nil, nil) }
        if !keepsLoudness { inherited.removeBroadcastLoudness() }
        let all = requested.inheriting(inherited)
        tags = storage.storable(all)
        namesLost = storage.namesLost(of: all)
    }
}

extension AudioTags {
    /// Cuts the chapters to a part of the file, whose start becomes time 0.
    mutating func cutChapters(to range: Range<Duration>) {
        // Nanoseconds are exact to the sample frame at any sample rate.
        let ticksPerSecond = 1_000_000_000
        cutChapters(to: range.frames(atRate: ticksPerSecond), sampleRate: ticksPerSecond)
    }

    /// Reads the tags of a file in any supported format.
    ///
    /// ```swift
    /// let title = try AudioTags(contentsOf: "song.flac").title
    /// ```
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read. A file without tags returns empty ones.
    public init(contentsOf path: String) throws(AudioFileError) {
        let input = try FileInput(opening: path)
        // PCM is not in a container of access units, but may be in an MP4 track.
        self =
            (try? AccessUnitReader(input))?.metadata.tags ?? (try? TrackPCMSource.opening(input))?.properties.tags
            ?? AudioTags(reading: input)
    }

    /// The former name of ``init(contentsOf:)``.
    @available(*, deprecated, renamed: "init(contentsOf:)")
    public init(path: String) throws(AudioFileError) { try self.init(contentsOf: path) }

    /// Whether a requested tag is not supported by a storage.
    ///
    /// Unread parts and those of WAV files are not requested: they are in tags that were read from a file, and cannot be removed.
    func exceeds(_ storage: TagStorage) -> Bool {
        // ID3 stores all other parts.
        var requested = TagStorage.id3.storable(self)
        requested.fields.removeAll(where: \.value.isEmpty)
        return !storage.namesOmitted(of: requested).isEmpty
    }
}
