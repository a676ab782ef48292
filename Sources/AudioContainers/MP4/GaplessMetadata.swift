// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The gapless information of an MP4 file, from its edit list, `iTunSMPB`, or the duration of its last access unit.
package struct GaplessMetadata {
    /// The track's edit list, if any.
    package var editList: EditListBox?
    /// The unit of edit durations, in ticks per second.
    var movieTimescale: Int
    /// The unit of the track's times, in ticks per second.
    package var mediaTimescale: Int
    /// The track's duration, in media ticks.
    package var mediaDuration: Int
    /// Output sample frames of all access units.
    var totalFrames: Int
    /// Output sample frames per access unit, or `nil` if variable.
    package var framesPerUnit: Int?
    /// The output sample rate, in hertz.
    var sampleRate: Int
    /// The gapless information from the iTunes tag.
    var iTunes: ITunesGapless?
    /// The program that created the file.
    var encoder: String?
    /// The priming signalled in an Opus sample entry.
    var preSkip: Int?
    /// Whether a zero-length edit plays nothing.
    ///
    /// In a fragmented file, or if the track has a duration, it extends to the end instead.
    package var playsNothing: Bool

    /// Creates the metadata of a track, without iTunes and Opus data.
    package init(_ movie: MovieBox, _ track: TrackBox, mediaTimescale: Int, mediaDuration: Int, totalFrames: Int, sampleRate: Int) {
        editList = track.editList
        movieTimescale = movie.times.timescale
        self.mediaTimescale = mediaTimescale
        self.mediaDuration = mediaDuration
        self.totalFrames = totalFrames
        self.sampleRate = sampleRate
        playsNothing = movie.fragmentDefaults == nil && track.duration == 0
    }

    /// The encoder priming of iTunes and QuickTime files without gapless information.
    private static let implicitPrimingFrames = 2112

    package var info: GaplessInfo? {
        guard totalFrames > 0 else { return nil }
        let tag = tagged
        guard let edited else { return tag ?? shortened ?? implicitPriming }
        // A coarse movie timescale rounds the duration. The tag does not.
        if let tag, tag.primingFrames == edited.primingFrames, movieTimescale < sampleRate { return tag }
        return edited
    }

    /// Returns the information for the valid frames `priming..<end`, or `nil` if the range is empty or invalid.
    private func account(priming: Int, end: Int) -> GaplessInfo? {
        let end = min(end, totalFrames)
        guard priming >= 0, priming < end else { return nil }
        return GaplessInfo(primingFrames: priming, validFrames: end - priming, remainderFrames: totalFrames - end)
    }

    /// The edit list's information, from the first to the last frame played, without regard to pauses.
    private var edited: GaplessInfo? {
        let spans = editedSpans
        guard let first = spans.map({ $0.lowerBound }).min(), let last = spans.map({ $0.upperBound }).max() else { return nil }
        if playsNothing, first == last {
            return GaplessInfo(primingFrames: first, validFrames: 0, remainderFrames: totalFrames - first)
        }
        return account(priming: first, end: last)
    }

    /// The parts of the media to play, in edit order and in output sample frames.
    ///
    /// Media ticks could be core samples, which are twice as long.
    private var editedSpans: [Range<Int>] {
        guard movieTimescale > 0, let edits = editList?.edits else { return [] }
        let toFrames = TimeRatio(sampleRate, mediaTimescale)
        let editToFrames = TimeRatio(sampleRate, movieTimescale)
        let frameCount = mediaFrames
        // The priming of an empty signal can be all of the media.
        let limit = playsNothing ? mediaDuration : mediaDuration - 1
        return edits.filter { $0.mediaTime >= 0 && $0.mediaTime <= limit }.map { edit in
            let start = min(frameCount, toFrames.applied(to: edit.mediaTime))
            if edit.duration == 0, playsNothing { return start..<start }
            let length = edit.duration == 0 ? frameCount : min(frameCount, editToFrames.applied(to: edit.duration))
            let end = start + min(length, frameCount - start)
            // An end within the rounding error of the edit's duration is the end of the media.
            return start..<(frameCount - end <= rounding ? frameCount : end)
        }
    }

    /// The media's duration in output sample frames.
    ///
    /// All access units if the difference is below one tick: a coarse timescale rounds the duration.
    private var mediaFrames: Int {
        let frames = TimeRatio(sampleRate, mediaTimescale).applied(to: mediaDuration)
        // The values of a damaged file can be any.
        let isRounded = (frames &- totalFrames).magnitude < max(1, sampleRate / max(1, mediaTimescale)).magnitude
        return isRounded ? totalFrames : frames
    }

    /// The maximum error of an edit's duration, in sample frames.
    private var rounding: Int { movieTimescale < mediaTimescale ? sampleRate / movieTimescale : 0 }

    /// The ranges between edits, which are not played, in sample frames.
    package var omittedRanges: [Range<Int>] {
        let spans = editedSpans
        guard !isRearranged else { return [] }
        return zip(spans, spans.dropFirst()).compactMap { before, after in
            guard after.lowerBound - before.upperBound > rounding else { return nil }
            return before.upperBound..<after.lowerBound
        }
    }

    /// Whether an edit starts before the end of the previous edit.
    package var isRearranged: Bool {
        let spans = editedSpans
        return zip(spans, spans.dropFirst()).contains { $0.upperBound - $1.lowerBound > rounding }
    }

    /// The iTunes tag's information, which counts core or output samples.
    private var tagged: GaplessInfo? {
        guard let info = iTunes?.info else { return nil }
        let isInCoreFrames = info.totalFrames * 2 == totalFrames
        let scale = isInCoreFrames ? 2 : 1
        guard info.totalFrames * scale <= totalFrames else { return nil }
        return account(priming: info.primingFrames * scale, end: (info.primingFrames + info.validFrames) * scale)
    }

    /// The information from a last access unit that is shorter than the others.
    private var shortened: GaplessInfo? {
        let frames = mediaFrames
        guard let framesPerUnit, frames < totalFrames, totalFrames - frames < framesPerUnit else { return nil }
        return account(priming: 0, end: frames)
    }

    private var implicitPriming: GaplessInfo? {
        if let preSkip { return account(priming: preSkip, end: totalFrames) }
        guard let name = encoder?.utf8, name.starts(with: "iTunes".utf8) || name.starts(with: "QuickTime".utf8) else { return nil }
        return account(priming: Self.implicitPrimingFrames, end: totalFrames)
    }
}
