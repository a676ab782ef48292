// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Synchronization

/// The counts of a capture since its last start.
public struct CaptureStatistics: Hashable, Sendable {
    /// The number of captured frames delivered.
    public var recordedFrames = 0
    /// The number of silent frames delivered to fill gaps.
    public var filledFrames = 0
    /// The number of frames lost because the receiver was too slow.
    public var lostFrames = 0
    /// The number of gaps.
    public var discontinuities = 0
    /// The number of times the device was opened, including the first.
    package var openings = 0

    package init() {}
}

/// The values that a capture's worker publishes, and the settings that it reads.
final class CaptureStatus: Sendable {
    struct Values {
        var state = CaptureState.idle
        var format: CaptureFormat?
        var statistics = CaptureStatistics()
    }

    let values = Mutex(Values())
    /// Whether and when the program muted the audio.
    let mute = Mutex(MuteSwitch())
    let events = EventBroadcaster<CaptureEvent>()

    func set(_ state: CaptureState) { values.withLock { $0.state = state } }

    /// Publishes a state, then the event that led to it.
    func set(_ state: CaptureState, reporting event: CaptureEvent) {
        set(state)
        events.send(event)
    }
}
