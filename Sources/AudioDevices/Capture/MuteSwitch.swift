// SPDX-License-Identifier: Apache-2.0

/// The mute setting, and the times at which it was on.
///
/// A busy receiver delays audio. Audio captured while muted stays muted, even if it is delivered after unmuting.
package struct MuteSwitch {
    /// Whether audio is muted now, whenever it was captured.
    package private(set) var isOn = false
    /// The host time of the latest muting, in nanoseconds.
    private var start: Int64 = 0
    /// The earlier mutes, in host time, that may contain audio not delivered yet.
    private var earlier: [Range<Int64>] = []

    /// The maximum number of ``earlier`` mutes; the oldest are joined.
    private static let capacity = 32

    package init() {}

    /// Changes the setting at a host time.
    ///
    /// - Returns: Whether the setting is new.
    package mutating func set(_ isOn: Bool, now: Int64) -> Bool {
        guard isOn != self.isOn else { return false }
        self.isOn = isOn
        if isOn {
            start = now
            return true
        }
        earlier.append(start..<max(start, now))
        if earlier.count > Self.capacity {
            earlier[1] = earlier[0].lowerBound..<earlier[1].upperBound
            earlier.removeFirst()
        }
        return true
    }

    /// Returns the end of the latest mute during which some of the audio was captured, or `nil`.
    ///
    /// Forgets mutes that ended before the audio, because audio is delivered in order.
    ///
    /// - Parameter captured: The time of the audio, in host time.
    package mutating func end(within captured: Range<Int64>) -> Int64? {
        earlier.removeAll { $0.upperBound <= captured.lowerBound }
        return earlier.last { $0.lowerBound < captured.upperBound }?.upperBound
    }
}
