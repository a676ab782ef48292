// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The signal that requested the program to stop.
final class StopSignal: Sendable {
    private let number = Atomic<Int32>(0)

    /// Records a signal.
    ///
    /// A second one ends the program immediately.
    func record(_ signal: Int32) {
        if number.exchange(signal, ordering: .relaxed) != 0 { SignalWatcher.die(of: signal) }
    }

    /// The number of the signal, if any.
    var signal: Int32? {
        let value = number.load(ordering: .relaxed)
        return value == 0 ? nil : value
    }
}
