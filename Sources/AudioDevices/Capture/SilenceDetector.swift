// SPDX-License-Identifier: Apache-2.0

/// Finds that a device has delivered nothing but zeros since it was opened: a system that denies access may do so instead of reporting an error.
struct SilenceDetector {
    /// The length of zeros that is reported.
    private static let reported = Duration.seconds(2)

    /// Whether only zeros have come so far, and that was not reported.
    private var isWatching: Bool
    private var zeroFrames = 0

    /// Creates a detector.
    init(isWatching: Bool = false) { self.isWatching = isWatching }

    /// Accepts captured audio; returns the length of the zeros once it is reported.
    mutating func accept(_ audio: CapturedAudio) -> Duration? {
        guard isWatching else { return nil }
        guard audio.bytes.allSatisfy({ $0 == 0 }) else {
            isWatching = false
            return nil
        }
        zeroFrames += audio.frameCount
        guard .seconds(zeroFrames) >= Self.reported * audio.sampleRate else { return nil }
        isWatching = false
        return Self.reported
    }
}
