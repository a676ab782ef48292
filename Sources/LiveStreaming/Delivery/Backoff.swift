// SPDX-License-Identifier: Apache-2.0

/// The times between attempts to connect: doubled after each failure up to a limit, and varied by chance, so that many clients of a server that
/// comes back don't all arrive at once.
package struct Backoff {
    /// The time after the first failure.
    let shortest: Duration
    /// The longest time.
    let longest: Duration
    private var failureCount = 0

    /// Creates a series.
    package init(shortest: Duration = .seconds(1), longest: Duration = .seconds(30)) {
        self.shortest = shortest
        self.longest = longest
    }

    /// Returns the time to wait after a failure: between half of the doubled time and all of it.
    package mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let doubled = min(shortest * Double(1 << min(failureCount, 20)), longest)
        failureCount += 1
        return doubled * Double.random(in: 0.5...1, using: &random)
    }

    /// Starts anew after a success.
    package mutating func reset() { failureCount = 0 }
}
