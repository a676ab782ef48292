// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import Testing

@Suite struct SampleTimeTrackerTests {
    /// A unit that is called with 480 frames at 48 kHz.
    private struct Caller {
        var tracker = SampleTimeTracker(sampleRate: 48_000)
        var sample = 5000.0
        var host: Int64 = 1_000_000_000

        /// Skips hardware cycles, then calls the tracker.
        mutating func call(skipping cycles: Int = 0, sampleFrames: Double = 480, jump: Double = 0) -> SampleTimeTracker.Loss {
            sample += Double(cycles) * sampleFrames + jump
            host += Int64(cycles) * 10_000_000
            defer {
                sample += sampleFrames
                host += 10_000_000
            }
            return tracker.accept(sampleTime: sample, hostTime: host, frames: 480)
        }
    }

    @Test("Steady cycles lose nothing; a jump of both times is a loss of its length")
    func loss() {
        var caller = Caller()
        for _ in 0..<10 { #expect(caller.call() == .none) }
        for cycles in [1, 5, 300] {
            #expect(caller.call(skipping: cycles) == .frames(cycles * 480))
            #expect(caller.call() == .none)
        }
    }

    @Test("Restarted count or jump by hours is a loss of unknown length")
    func newCount() {
        var caller = Caller()
        _ = caller.call()
        #expect(caller.call(jump: 48_000 * 3600) == .unknown)
        #expect(caller.call() == .none)
        #expect(caller.call(jump: -48_000 * 3600) == .unknown)
        #expect(caller.call() == .none)
        #expect(caller.call(skipping: 2) == .frames(960))
    }

    @Test("Counting hardware frames is no loss; a host time gap is a loss of unknown length")
    func otherCount() {
        var caller = Caller()
        for _ in 0..<20 { #expect(caller.call(sampleFrames: 522.4) == .none) }
        #expect(caller.call(skipping: 4, sampleFrames: 522.4) == .unknown)
        #expect(caller.call(sampleFrames: 522.4) == .none)
    }

    @Test("Host time jitter of some milliseconds is no loss")
    func jitter() {
        var caller = Caller()
        for index in 0..<100 {
            caller.host += Int64(index % 2 == 0 ? 3_000_000 : -3_000_000)
            #expect(caller.call() == .none)
        }
    }
}
