// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The signal that requested the program to stop, and the number of signals that requested marks.
final class StopSignal: Sendable {
    private let number = Atomic<Int32>(0)
    private let marks = Atomic<Int>(0)

    /// Records a signal.
    ///
    /// The second one to stop ends the program immediately.
    func record(_ signal: Int32) {
        if signal == SignalWatcher.mark {
            marks.add(1, ordering: .relaxed)
        } else if number.exchange(signal, ordering: .relaxed) != 0 {
            SignalWatcher.die(of: signal)
        }
    }

    /// Returns the number of marks requested since the last call.
    func dequeueMarks() -> Int { marks.exchange(0, ordering: .relaxed) }

    /// The number of the signal, if any.
    var signal: Int32? {
        let value = number.load(ordering: .relaxed)
        return value == 0 ? nil : value
    }
}
