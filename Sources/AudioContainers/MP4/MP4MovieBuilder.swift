// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio

/// Builds the index (`moov`) of a file with one or more audio tracks.
///
/// Several tracks are played together: all are enabled, and none is an alternative to another.
struct MP4MovieBuilder: Sendable {
    var tracks: [MP4TrackBuilder]

    var tags: AudioTags
    /// In ticks per second.
    private let timescale: Int
    /// The file offset of the chapter titles.
    private var chapterOffset = 0

    /// Creates a builder for at least one track.
    init(_ tracks: [MP4TrackBuilder], tags: AudioTags) {
        self.tracks = tracks
        self.tags = tags
        timescale = Self.timescale(tracks.map { $0.outputRate })
    }

    /// Returns a timescale that expresses durations exactly: only sample frames do.
    ///
    /// If the common multiple of the sample rates is too large, durations at the lower rates are rounded.
    private static func timescale(_ rates: [Int]) -> Int {
        let fallback = rates.max() ?? 0
        return rates.reduce(1) { multiple, rate in
            var (divisor, rest) = (multiple, rate)
            while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
            let (next, overflow) = (multiple / divisor).multipliedReportingOverflow(by: rate)
            return overflow || next > Int(Int32.max) ? fallback : next
        }
    }

    /// Sets the file offset of the chapter titles and returns their bytes (none without chapters).
    mutating func placeChapters(at offset: Int) -> [UInt8] {
        chapterOffset = offset
        #if hasFeature(Embedded)
        return []
        #else
        return chapterTrack(duration: 0)?.samples ?? []
        #endif
    }

    /// Returns the usual size of the index for `accessUnitCount` access units of the first track with all tags, in files below 4 GiB.
    func indexByteCount(accessUnitCount: Int) -> Int {
        var copy = self
        for index in 0..<accessUnitCount {
            copy.tracks[0].add(1, ticks: tracks[0].unitDuration ?? 1, at: index)
        }
        copy.tracks[0].gaplessInfo = GaplessInfo(primingFrames: 0, validFrames: 0, remainderFrames: 0)
        var writer = BoxWriter()
        writer.write(copy.movie())
        // One more run in `stsc`, if the last chunk is not full, and one of eight access units in `stss`, which is more than usual.
        return writer.bytes.count + 12 + 8 + (tracks[0].hasSyncUnits ? 16 + accessUnitCount / 2 : 0)
    }

    /// Returns the index of all access units so far.
    func movie() -> MovieBox {
        var movie = emptyMovie(tracks.map { $0.box(movieTimescale: timescale) })
        movie.times.duration = movie.tracks.reduce(0) { max($0, $1.duration) }
        movie.audioProfileLevel = tracks.count == 1 ? tracks[0].audioProfileLevel : nil
        var userData = UserDataBox()
        userData.tags = tags
        if tracks.count == 1 {
            #if !hasFeature(Embedded)
            movie.tracks[0].loudness = LoudnessInfoSet(tags).map { LoudnessBox($0) }
            #endif
            // Opus players use the edit list. The tag cannot describe several tracks or edits.
            if !tracks[0].isOpus, tracks[0].omittedRanges.isEmpty { userData.gapless = tracks[0].gaplessTicks.map { ITunesGapless($0) } }
        }
        if userData != UserDataBox() { movie.userData = userData }
        #if !hasFeature(Embedded)
        if let chapters = chapterTrack(duration: movie.times.duration) {
            for index in tracks.indices { movie.tracks[index].chapterTrackIDs = [chapters.trackID] }
            movie.tracks.append(chapters.box(at: chapterOffset))
            movie.nextTrackID = chapters.trackID + 1
        }
        #endif
        return movie
    }

    /// Returns the index at the start of a fragmented file.
    ///
    /// - Parameter priming: The number of output sample frames before the first valid one, per track.
    func fragmentedMovie(priming: [Int]) -> MovieBox {
        var movie = emptyMovie(zip(tracks, priming).map { $0.fragmentedBox(movieTimescale: timescale, priming: $1) })
        movie.fragmentDefaults = tracks.map { .init(trackID: $0.trackID, duration: $0.unitDuration ?? 0) }
        if !tags.isEmpty {
            movie.userData = UserDataBox()
            movie.userData?.tags = tags
        }
        return movie
    }

    private func emptyMovie(_ boxes: [TrackBox]) -> MovieBox {
        var movie = MovieBox()
        movie.times.timescale = timescale
        movie.nextTrackID = tracks.count + 1
        movie.tracks = boxes
        if boxes.count > 1 { for index in boxes.indices { movie.tracks[index].isAlternative = false } }
        return movie
    }

    #if !hasFeature(Embedded)
    private func chapterTrack(duration: Int) -> ChapterTrack? {
        ChapterTrack(tags.chapters, trackID: tracks.count + 1, duration: duration, timescale: timescale)
    }
    #endif
}
