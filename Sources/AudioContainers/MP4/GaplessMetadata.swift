// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The valid sample frames of an MP4 file by its edit list, `iTunSMPB`, or the length of its last unit.
package struct GaplessMetadata {
    /// Edits of the track, if there are any.
    var editList: EditListBox?
    /// Ticks a second of the edits' lengths.
    var movieTimescale: Int
    /// Ticks a second of the track.
    var mediaTimescale: Int
    /// The track's length in ticks.
    var mediaDuration: Int
    /// Sample frames that all units decode to, at the output rate.
    var totalFrames: Int
    /// Sample frames that a unit decodes to, at the output rate; nil if units differ.
    package var framesPerUnit: Int?
    /// The output rate in hertz.
    var sampleRate: Int
    /// The information of iTunes' tag.
    var iTunes: ITunesGapless?
    /// The program that made the file.
    var encoder: String?
    /// The priming that the sample entry of Opus tells.
    var preSkip: Int?
    /// Whether an edit of length 0 plays nothing: the track's own length is 0 too, and no fragments follow, whose length it would leave open.
    package var playsNothing: Bool

    /// Creates the metadata of a track without what iTunes and Opus tell.
    package init(_ movie: MovieBox, _ track: TrackBox, mediaTimescale: Int, mediaDuration: Int, totalFrames: Int, sampleRate: Int) {
        editList = track.editList
        movieTimescale = movie.times.timescale
        self.mediaTimescale = mediaTimescale
        self.mediaDuration = mediaDuration
        self.totalFrames = totalFrames
        self.sampleRate = sampleRate
        playsNothing = movie.fragmentDefaults == nil && track.duration == 0
    }

    /// The priming of files by iTunes and QuickTime without gapless information.
    private static let unsaidPriming = 2112

    /// The gapless information; nil if the file has none.
    package var info: GaplessInfo? {
        guard totalFrames > 0 else { return nil }
        let tag = tagged
        guard let edited else { return tag ?? shortened ?? unsaid }
        // A coarse movie time scale rounds the length; the tag does not.
        if let tag, tag.primingFrames == edited.primingFrames, movieTimescale < sampleRate { return tag }
        return edited
    }

    /// Returns the information for valid frames from `priming` up to `end`; nil for an empty or invalid range.
    private func account(priming: Int, end: Int) -> GaplessInfo? {
        let end = min(end, totalFrames)
        guard priming >= 0, priming < end else { return nil }
        return GaplessInfo(primingFrames: priming, validFrames: end - priming, remainderFrames: totalFrames - end)
    }

    /// The information of the edit list: from the first to the last frame that it plays; pauses are ignored.
    private var edited: GaplessInfo? {
        let spans = editedSpans
        guard let first = spans.map({ $0.lowerBound }).min(), let last = spans.map({ $0.upperBound }).max() else { return nil }
        if playsNothing, first == last {
            return GaplessInfo(primingFrames: first, validFrames: 0, remainderFrames: totalFrames - first)
        }
        return account(priming: first, end: last)
    }

    /// The parts of the media that are played, in the order of the edits and in sample frames.
    ///
    /// In frames, since the media may count in those of the core, twice as long.
    private var editedSpans: [Range<Int>] {
        guard movieTimescale > 0, let edits = editList?.edits else { return [] }
        let toFrames = TimeRatio(sampleRate, mediaTimescale)
        let editToFrames = TimeRatio(sampleRate, movieTimescale)
        let frameCount = toFrames.applied(to: mediaDuration)
        return edits.filter { $0.mediaTime >= 0 && $0.mediaTime < mediaDuration }.map { edit in
            let start = min(frameCount, toFrames.applied(to: edit.mediaTime))
            if edit.duration == 0, playsNothing { return start..<start }
            let length = edit.duration == 0 ? frameCount : min(frameCount, editToFrames.applied(to: edit.duration))
            let end = start + min(length, frameCount - start)
            // Within the rounding of the edit's length, the end of the media is meant.
            return start..<(frameCount - end <= rounding ? frameCount : end)
        }
    }

    /// Frames by which the length of an edit can be wrong.
    private var rounding: Int { movieTimescale < mediaTimescale ? sampleRate / movieTimescale : 0 }

    /// The ranges between the edits, which are not played, in sample frames.
    package var omittedRanges: [Range<Int>] {
        let spans = editedSpans
        guard !isRearranged else { return [] }
        return zip(spans, spans.dropFirst()).compactMap { before, after in
            guard after.lowerBound - before.upperBound > rounding else { return nil }
            return before.upperBound..<after.lowerBound
        }
    }

    /// Whether an edit begins before the end of the one that is played before it.
    package var isRearranged: Bool {
        let spans = editedSpans
        return zip(spans, spans.dropFirst()).contains { $0.upperBound - $1.lowerBound > rounding }
    }

    /// The information of iTunes' tag, which counts frames of the core or of the output.
    private var tagged: GaplessInfo? {
        guard let info = iTunes?.info else { return nil }
        let isInCoreFrames = info.totalFrames * 2 == totalFrames
        let scale = isInCoreFrames ? 2 : 1
        guard info.totalFrames * scale <= totalFrames else { return nil }
        return account(priming: info.primingFrames * scale, end: (info.primingFrames + info.validFrames) * scale)
    }

    /// The information of a last unit that is shorter than the others.
    private var shortened: GaplessInfo? {
        let frames = TimeRatio(sampleRate, mediaTimescale).applied(to: mediaDuration)
        guard let framesPerUnit, frames < totalFrames, totalFrames - frames < framesPerUnit else { return nil }
        return account(priming: 0, end: frames)
    }

    private var unsaid: GaplessInfo? {
        if let preSkip { return account(priming: preSkip, end: totalFrames) }
        guard let name = encoder?.utf8, name.starts(with: "iTunes".utf8) || name.starts(with: "QuickTime".utf8) else { return nil }
        return account(priming: Self.unsaidPriming, end: totalFrames)
    }
}
