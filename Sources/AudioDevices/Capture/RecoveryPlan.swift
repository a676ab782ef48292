// SPDX-License-Identifier: Apache-2.0

/// The times at which to try to reopen a lost device: soon at first, then every half second; every two seconds if the system has taken it.
package struct RecoveryPlan {
    /// The delay of the first attempt, in nanoseconds.
    private static let firstDelay: Int64 = 50_000_000
    /// The longest delay between attempts, in nanoseconds.
    private static let longestDelay: Int64 = 500_000_000
    /// The delay between attempts after the first ones while another program has the device, as during a call, in nanoseconds.
    private static let patientDelay: Int64 = 2_000_000_000
    /// The number of attempts before the delay is patient.
    private static let eagerAttempts = 10

    private var attempts = 0
    private var began: Int64?
    private var next: Int64?
    private var delay = firstDelay

    /// Creates the initial value.
    package init() {}

    /// Schedules the first attempt after the loss of the device at the host time `now`, in nanoseconds.
    package mutating func begin(now: Int64) {
        began = now
        next = now + delay
    }

    /// Schedules an attempt at once, because the program asked for it.
    mutating func retryNow(now: Int64) {
        if began == nil { began = now }
        next = now
    }

    /// Schedules the next attempt after one has failed, with twice the delay.
    package mutating func scheduleRetry(now: Int64, isTaken: Bool = false) {
        attempts += 1
        delay = isTaken && attempts >= Self.eagerAttempts ? Self.patientDelay : min(delay * 2, Self.longestDelay)
        next = now + delay
    }

    /// Returns whether an attempt is due at the host time `now`, in nanoseconds.
    package func isDue(now: Int64) -> Bool { next.map { now >= $0 } ?? false }

    /// Returns whether the attempts have lasted longer than `timeout`; never without one.
    func hasTimedOut(now: Int64, timeout: Duration?) -> Bool {
        guard let began, let timeout else { return false }
        return .nanoseconds(now - began) > timeout
    }
}
