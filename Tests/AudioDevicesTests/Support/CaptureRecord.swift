// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import Synchronization
import TestSupport
import Testing

/// Records all audio and events of a capture.
final class CaptureRecord: Sendable {
    struct Contents {
        var bytes: [UInt8] = []
        var times: [MediaTime] = []
        var hostTimes: [Int64] = []
        var arrivals: [Int64] = []
        var frameCounts: [Int] = []
        var fillings: [Range<Int>] = []
        var events: [CaptureEvent] = []
        var frames = 0
        var breaks = 0
    }

    let contents = Mutex(Contents())
    private let listening: Task<Void, Never>

    init(_ capture: AudioCapture) {
        let events = capture.events
        let box = Box()
        listening = Task {
            for await event in events { box.record?.contents.withLock { $0.events.append(event) } }
        }
        box.record = self
    }

    deinit { listening.cancel() }

    private final class Box: @unchecked Sendable { weak var record: CaptureRecord? }

    func take(_ audio: CapturedAudio) {
        contents.withLock { contents in
            // Each run must continue the previous one, unless the format has changed.
            if let last = contents.times.last, let count = contents.frameCounts.last, last.timescale == audio.time.timescale,
                last.advanced(byFrames: count) != audio.time
            {
                contents.breaks += 1
            }
            if audio.isFilling { contents.fillings.append(contents.frames..<contents.frames + audio.frameCount) }
            contents.bytes += audio.bytes
            contents.times.append(audio.time)
            contents.hostTimes.append(audio.hostTime)
            contents.arrivals.append(HostClock.now)
            contents.frameCounts.append(audio.frameCount)
            contents.frames += audio.frameCount
        }
    }

    var frames: Int { contents.withLock { $0.frames } }
    var events: [CaptureEvent] { contents.withLock { $0.events } }
    var fillings: [Range<Int>] { contents.withLock { $0.fillings } }
    var breaks: Int { contents.withLock { $0.breaks } }

    /// The number of silent frames delivered to fill gaps.
    var filledFrames: Int { fillings.reduce(0) { $0 + $1.count } }

    /// The minimum time between the end of a run on the timeline and its arrival, over the runs in `range`, in nanoseconds.
    func minimumLag(in range: Range<Int>, sampleRate: Int = 48_000) -> Int64? {
        contents.withLock { contents in
            var end = 0
            var least: Int64?
            for (count, arrival) in zip(contents.frameCounts, contents.arrivals) {
                let isSound = !contents.fillings.contains { $0.contains(end) }
                end += count
                guard isSound, range.contains(end - 1) else { continue }
                let lag = arrival - Int64(end) * 1_000_000_000 / Int64(sampleRate)
                least = min(least ?? lag, lag)
            }
            return least
        }
    }

    /// All samples, as 16-bit integers.
    var samples: [Int16] {
        contents.withLock { contents in
            contents.bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        }
    }

    /// The latest frame number of the counted stereo signal; 0 for silence.
    var latestNumber: Int {
        contents.withLock { contents in
            guard contents.bytes.count >= 4 else { return 0 }
            let last = contents.bytes.suffix(4).map { Int($0) }
            return last[0] | last[1] << 8 | last[2] << 16 | last[3] << 24
        }
    }

    /// All samples, as floating point.
    var floats: [Float] {
        contents.withLock { contents in contents.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } }
    }

    var hasOrderedHostTimes: Bool {
        contents.withLock { zip($0.hostTimes, $0.hostTimes.dropFirst()).allSatisfy { $0 <= $1 } }
    }

    func wait(
        for name: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ isWanted: @escaping @Sendable (CaptureEvent) -> Bool
    ) async throws {
        let isThere = await Wait.until { self.events.contains(where: isWanted) }
        #expect(isThere, "no event \(name) among \(events)", sourceLocation: sourceLocation)
    }
}

/// A flag shared between threads.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool {
        get { value.load(ordering: .acquiring) }
        set { value.store(newValue, ordering: .releasing) }
    }
}
