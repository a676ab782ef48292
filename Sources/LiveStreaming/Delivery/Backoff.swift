// SPDX-License-Identifier: Apache-2.0

/// Exponential backoff with jitter between connection attempts.
///
/// The jitter keeps many clients from reconnecting at the same moment after a server restart.
package struct Backoff {
    /// The delay after the first failure.
    let shortest: Duration
    let longest: Duration
    private var failureCount = 0

    package init(shortest: Duration = .seconds(1), longest: Duration = .seconds(30)) {
        self.shortest = shortest
        self.longest = longest
    }

    /// Returns the delay after a failure: between half of the doubled delay and all of it.
    package mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let doubled = min(shortest * Double(1 << min(failureCount, 20)), longest)
        failureCount += 1
        return doubled * Double.random(in: 0.5...1, using: &random)
    }

    /// Restarts the series after a success.
    package mutating func reset() { failureCount = 0 }
}
