// SPDX-License-Identifier: Apache-2.0

/// When the files of a recording end, each followed by the next file without a gap.
///
/// All files of a recording are cut at the same sample frame. PCM, M4A, CAF and Ogg Opus are cut exactly there; other containers after the
/// access unit that contains it. `talk.m4a` is followed by `talk-2.m4a` and so on.
public struct RecordingSplit: Hashable, Sendable {
    /// The duration of a file.
    package var interval: Duration?
    /// The maximum size of the largest file, in bytes; see ``FileGrowth``.
    package var byteCount: Int?
    /// The local times at which files begin.
    package var times: [DayTime] = []
    package var cutsAtPauses = false

    package init() {}

    /// Returns the rule to start a new file after this duration of audio.
    ///
    /// - Parameter duration: The duration, rounded to a sample frame.
    public static func every(_ duration: Duration) -> RecordingSplit {
        var split = RecordingSplit()
        split.interval = duration
        return split
    }

    /// The rule to start a new file in the middle of each pause: 2 s below -50 dBFS, at least 10 s after the previous cut.
    public static var atSilence: RecordingSplit {
        var split = RecordingSplit()
        split.cutsAtPauses = true
        return split
    }
}
