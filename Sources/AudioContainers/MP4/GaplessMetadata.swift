// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Which sample frames an MP4 file says are sound: by edit list, `iTunSMPB`, or its last unit's length.
struct GaplessMetadata {
    /// Edits of the track, if there are any.
    var editList: EditListBox?
    /// Ticks a second of the edits' lengths.
    var movieTimescale: Int
    /// Ticks a second of the track.
    var mediaTimescale: Int
    /// The track's length in ticks.
    var mediaDuration: Int
    /// The number of units.
    var unitCount: Int
    /// Sample frames that a unit decodes to, at the output rate.
    var framesPerUnit: Int
    /// The output rate in hertz.
    var sampleRate: Int
    /// iTunes' account.
    var iTunes: ITunesGapless?
    /// The program that made the file.
    var encoder: String?

    /// Priming of files by iTunes and QuickTime that say nothing.
    private static let unsaidPriming = 2112

    private var totalFrames: Int { unitCount * framesPerUnit }

    /// The account, or nil if nothing is said.
    var info: GaplessInfo? {
        guard totalFrames > 0 else { return nil }
        let tag = tagged
        guard let edited else { return tag ?? shortened ?? unsaid }
        // A coarse movie time scale rounds the length; the tag does not.
        if let tag, tag.primingFrames == edited.primingFrames, movieTimescale < sampleRate { return tag }
        return edited
    }

    private func account(priming: Int, end: Int) -> GaplessInfo? {
        let end = min(end, totalFrames)
        guard priming >= 0, priming < end else { return nil }
        return GaplessInfo(primingFrames: priming, validFrames: end - priming, remainderFrames: totalFrames - end)
    }

    /// What the edit list says; pauses are left out, and several edits are taken as one from the first to the last.
    private var edited: GaplessInfo? {
        guard let edits = editList?.edits.filter({ $0.mediaTime >= 0 }), let first = edits.map(\.mediaTime).min(),
            first < mediaDuration, movieTimescale > 0
        else { return nil }
        let toMedia = TimeRatio(mediaTimescale, movieTimescale)
        let ends = edits.map { edit in
            edit.duration == 0 ? mediaDuration : min(mediaDuration, edit.mediaTime + min(mediaDuration, toMedia.applied(to: edit.duration)))
        }
        var end = ends.max() ?? mediaDuration
        // Within the rounding of the edit's length, the end of the media is meant.
        if movieTimescale < mediaTimescale, mediaDuration - end <= mediaTimescale / movieTimescale { end = mediaDuration }
        let toFrames = TimeRatio(sampleRate, mediaTimescale)
        return account(priming: toFrames.applied(to: first), end: toFrames.applied(to: end))
    }

    /// What iTunes' tag says, in frames of the core or of the output.
    private var tagged: GaplessInfo? {
        guard let info = iTunes?.info else { return nil }
        let isInCoreFrames = info.totalFrames * 2 == totalFrames
        let scale = isInCoreFrames ? 2 : 1
        guard info.totalFrames * scale <= totalFrames else { return nil }
        return account(priming: info.primingFrames * scale, end: (info.primingFrames + info.validFrames) * scale)
    }

    /// What a last unit says that is shorter than the others.
    private var shortened: GaplessInfo? {
        let frames = TimeRatio(sampleRate, mediaTimescale).applied(to: mediaDuration)
        guard frames < totalFrames, totalFrames - frames < framesPerUnit else { return nil }
        return account(priming: 0, end: frames)
    }

    private var unsaid: GaplessInfo? {
        guard let encoder, encoder.hasPrefix("iTunes") || encoder.hasPrefix("QuickTime") else { return nil }
        return account(priming: Self.unsaidPriming, end: totalFrames)
    }
}
