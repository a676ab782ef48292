// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
internal import AudioMetadata
internal import AudioPrimitives

/// QuickTime chapters: a disabled text track that the audio tracks reference (`tref` with `chap`).
///
/// Each sample is a title that lasts as long as its chapter. If the first chapter starts late, an untitled one precedes it.
struct ChapterTrack {
    let trackID: Int

    private struct Title {
        let bytes: [UInt8]
        let duration: Int
    }

    private let titles: [Title]
    private let timescale: Int
    private let movieDuration: Int

    /// The maximum title length in bytes, below the limit of its 16-bit length field.
    private static let maximumTitleByteCount = 65_000
    /// The timescale of tracks whose duration in sample frames exceeds 32 bits.
    private static let coarseTimescale = 1000

    /// Creates a track, or returns `nil` without chapters.
    ///
    /// `duration` is the movie's duration in ticks of `timescale`.
    init?(_ chapters: [AudioTags.Chapter], trackID: Int, duration: Int, timescale movieTimescale: Int) {
        guard let first = chapters.first else { return nil }
        self.trackID = trackID
        let isLong = duration > Int(clamping: UInt32.max)
        timescale = isLong ? Self.coarseTimescale : movieTimescale
        movieDuration = duration
        let end = TimeRatio(timescale, movieTimescale).applied(to: max(0, duration))
        let all = first.start > 0 ? [AudioTags.Chapter(start: 0, timescale: 1, title: "")] + chapters : chapters
        var starts: [Int] = []
        for chapter in all { starts.append(min(end, max(starts.last ?? 0, chapter.start(in: timescale)))) }
        starts.append(end)
        titles = all.indices.map {
            Title(bytes: all[$0].title.utf8Prefix(Self.maximumTitleByteCount), duration: starts[$0 + 1] - starts[$0])
        }
    }

    /// The titles as contiguous samples: length, text, and an `encd` box that signals UTF-8.
    var samples: [UInt8] {
        var writer = BoxWriter()
        for title in titles {
            writer.write(title.bytes.count, 2)
            writer.write(title.bytes)
            writer.box("encd") { $0.write(0x100, 4) }
        }
        return writer.bytes
    }

    /// Bytes per sample in addition to the text.
    private static let sampleHeaderByteCount = 2 + 12

    /// Returns the track.
    ///
    /// `offset` is the file offset of the first title.
    func box(at offset: Int) -> TrackBox {
        var track = TrackBox()
        (track.trackID, track.duration, track.isEnabled, track.kind) = (trackID, movieDuration, false, "text")
        track.mediaTimes.timescale = timescale
        track.mediaTimes.duration = titles.reduce(0) { $0 + $1.duration }
        track.sampleTable.description.firstType = "text"
        track.sampleTable.times = titles.map { .init(count: 1, duration: min($0.duration, Int(clamping: UInt32.max))) }
        track.sampleTable.chunks = [.init(firstChunk: 1, unitsPerChunk: titles.count)]
        track.sampleTable.sizes.sizes = titles.map { UInt32($0.bytes.count + Self.sampleHeaderByteCount) }
        track.sampleTable.offsets = [offset]
        return track
    }

    /// Writes a text sample description without styling (QuickTime File Format, text sample description).
    static func writeDescription(to writer: inout BoxWriter) {
        writer.write(repeatElement(0, count: 6))
        writer.write(1, 2)  // the reference to the data
        writer.write(0, 4)  // display flags
        writer.write(1, 4)  // centred
        writer.write(repeatElement(0, count: 6 + 8 + 8 + 2 + 2 + 1 + 2 + 6))  // colours, box, font
        writer.write(0, 1)  // no name of a font
    }
}
#endif
