// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import SystemFiles

/// Tags of joined files.
extension AudioTags {
    /// The tags of a joined file whose first part has these tags: the album becomes the title.
    var titledAsBook: AudioTags {
        var tags = self
        tags.title = tags.album ?? tags.title
        (tags.track, tags.replayGain) = (nil, nil)
        tags.removeWAVEParts()
        for name in ["CUESHEET", "ISRC", "MUSICBRAINZ_TRACKID", "TITLESORT"] as [AudioTags.Key] { tags[name] = [] }
        return tags
    }

    /// Returns the chapters of a part of a joined file: its own, or one for the whole part.
    ///
    /// - Parameters:
    ///   - path: The part's path, whose name is the title of a part without one.
    ///   - sampleRate: The joined file's sample rate, in hertz.
    func chapters(ofPart path: String, in frames: Range<Int>, sampleRate: Int) -> [Chapter] {
        guard !chapters.isEmpty else { return [Chapter(start: frames.lowerBound, timescale: sampleRate, title: title ?? Self.name(path))] }
        return chapters.map { $0.moved(to: frames.lowerBound + min($0.start(in: sampleRate), frames.count), timescale: sampleRate) }
    }

    /// Returns a file's name without folder and extension.
    private static func name(_ path: String) -> String {
        let name = PathName.lastComponent(path)
        guard let type = PathName.fileExtension(name), name.count > type.count + 1 else { return name }
        return String(name.dropLast(type.count + 1))
    }
}
