// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import LiveAudio
import Synchronization

/// Fake devices that record the heard samples and play as fast as they are written.
final class FakeOutput: Sendable {
    struct State {
        /// The opened configurations, and the samples heard from each.
        var openings: [PlaybackConfiguration] = []
        var heard: [[Float]] = []
        var closedCount = 0
        var isPaused = false
        /// The number of writes during a pause.
        var pausedWriteCount = 0
        /// The number of samples after which the current device is lost.
        var samplesUntilLoss: Int?
        fileprivate var waiting: [Float] = []
    }

    private let state: Mutex<State>
    /// A device's buffer capacity, in frames.
    private let capacity: Int

    init(capacity: Int = 3000, samplesUntilLoss: Int? = nil) {
        self.capacity = capacity
        state = Mutex(State(samplesUntilLoss: samplesUntilLoss))
    }

    var current: State { state.withLock { $0 } }

    var heard: [Float] { state.withLock { $0.heard.flatMap(\.self) } }

    /// Pauses the device as the system would.
    func pauseBySystem() { state.withLock { $0.isPaused = true } }

    func open(_ configuration: PlaybackConfiguration) -> any PlaybackBackend {
        state.withLock {
            $0.openings.append(configuration)
            $0.heard.append([])
        }
        return Device(output: self, channelCount: configuration.pcm.channelCount)
    }

    private final class Device: SystemPlaybackBackend {
        private let output: FakeOutput
        private let channelCount: Int

        init(output: FakeOutput, channelCount: Int) {
            self.output = output
            self.channelCount = channelCount
        }

        func write(_ bytes: RawSpan, timeout: Duration) throws(DeviceError) -> Int {
            output.state.withLock { if $0.isPaused { $0.pausedWriteCount += 1 } }
            if let failure { throw failure }
            return output.state.withLock { state in
                let room = output.capacity * channelCount - state.waiting.count
                guard room > 0 else {
                    play(output.capacity / 2 * channelCount, &state)
                    return 0
                }
                let count = min(room, bytes.byteCount / 4)
                for index in 0..<count { state.waiting.append(bytes.unsafeLoad(fromByteOffset: index * 4, as: Float.self)) }
                return count * 4
            }
        }

        var failure: DeviceError? {
            let isLost = output.state.withLock { state in state.samplesUntilLoss.map { state.heard.joined().count >= $0 } ?? false }
            return isLost ? .failed(.writeStream, .program, code: 5) : nil
        }

        /// Plays buffered samples.
        private func play(_ count: Int, _ state: inout State) {
            state.heard[state.heard.count - 1] += state.waiting.prefix(count)
            state.waiting.removeFirst(min(count, state.waiting.count))
        }

        var waitingFrameCount: Int { output.state.withLock { $0.waiting.count / channelCount } }

        var isPaused: Bool {
            get { output.state.withLock { $0.isPaused } }
            set {
                output.state.withLock { $0.isPaused = newValue }
            }
        }

        var isInterrupted: Bool { false }

        func flush() { output.state.withLock { $0.waiting = [] } }

        func drain(timeout: Duration) -> Bool {
            if failure != nil { return true }
            return output.state.withLock { state in
                play(output.capacity / 2 * channelCount, &state)
                return state.waiting.isEmpty
            }
        }

        func suspend() {}

        func close() {
            let isLost = failure != nil
            output.state.withLock {
                if isLost { $0.samplesUntilLoss = nil }
                $0.closedCount += 1
                $0.waiting = []
                $0.isPaused = false
            }
        }
    }
}
