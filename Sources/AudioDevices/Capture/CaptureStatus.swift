// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Synchronization

/// The counts of a capture since its last start.
public struct CaptureStatistics: Hashable, Sendable {
    /// The number of captured frames that were delivered.
    public var recordedFrames = 0
    /// The number of frames of silence that were delivered in gaps.
    public var filledFrames = 0
    /// The number of frames that were lost because the receiver was too slow.
    public var lostFrames = 0
    /// The number of gaps.
    public var discontinuities = 0
    /// The number of times that the device was opened, including the first.
    package var openings = 0

    /// Creates statistics with all counts zero.
    package init() {}
}

/// The values that the worker of a capture publishes, and the settings that it reads.
final class CaptureStatus: Sendable {
    /// The published values.
    struct Values {
        var state = CaptureState.idle
        var format: CaptureFormat?
        var statistics = CaptureStatistics()
    }

    /// The published values.
    let values = Mutex(Values())
    /// Whether the program muted the audio.
    let isMuted = Atomic<Bool>(false)
    /// The events of the capture.
    let events = EventBroadcaster<CaptureEvent>()

    /// Publishes a new state.
    func set(_ state: CaptureState) { values.withLock { $0.state = state } }

    /// Publishes a state, and then the event that led to it.
    func set(_ state: CaptureState, reporting event: CaptureEvent) {
        set(state)
        events.send(event)
    }
}
