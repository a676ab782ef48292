// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The date and time at which several streams start: the same for all.
final class HLSStartDate: Sendable {
    private let date = Mutex<Double?>(nil)

    /// Returns the date and time of the first call, in seconds since 1970.
    @Sendable func value() -> Double {
        date.withLock { date in
            let value = date ?? HLSDestination.systemTime()
            date = value
            return value
        }
    }
}

/// The results of several streams that end at the same time.
final class EndResults: Sendable {
    private let results: Mutex<[Result<Void, any Error>?]>

    /// Creates an object without results.
    init(count: Int) { results = Mutex([Result<Void, any Error>?](repeating: nil, count: count)) }

    /// Sets a result.
    func set(_ result: Result<Void, any Error>, at index: Int) { results.withLock { $0[index] = result } }

    /// Throws the first error.
    func throwFirst() throws {
        for result in results.withLock({ $0 }) { try result?.get() }
    }
}
