// SPDX-License-Identifier: Apache-2.0

/// Detects a device that has delivered only zeros since it was opened, as when the system denies access without an error.
struct SilenceDetector {
    /// The duration of zeros after which to report.
    private static let reported = Duration.seconds(2)

    /// Whether only zeros have arrived so far, without a report.
    private var isWatching: Bool
    private var zeroFrames = 0

    init(isWatching: Bool = false) { self.isWatching = isWatching }

    /// Adds captured audio.
    ///
    /// Returns the duration of the zeros once, when it is to be reported.
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
