// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import Synchronization

/// What capture counted since it was started.
public struct CaptureStatistics: Hashable, Sendable {
    /// Frames of real sound that were delivered.
    public var recordedFrames = 0
    /// Frames of silence that were delivered in place of gaps.
    public var filledFrames = 0
    /// Frames that were lost because the receiver was too slow.
    public var lostFrames = 0
    /// Gaps, of any kind.
    public var discontinuities = 0
    /// How often the device was opened, the first time included.
    public var openings = 0

    /// Makes a count of nothing.
    public init() {}
}

/// What the worker publishes, and what it is told.
final class CaptureStatus: Sendable {
    struct Values {
        var state = CaptureState.idle
        var format: CaptureFormat?
        var statistics = CaptureStatistics()
    }

    let values = Mutex(Values())
    let isMuted = Atomic<Bool>(false)
    let events = EventBroadcaster<CaptureEvent>()

    func set(_ state: CaptureState) { values.withLock { $0.state = state } }
}
