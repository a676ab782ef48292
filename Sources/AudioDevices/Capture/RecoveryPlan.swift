// SPDX-License-Identifier: Apache-2.0

/// The schedule for reopening a lost device: the delay doubles up to half a second, or is two seconds while another program uses the
/// device.
package struct RecoveryPlan {
    /// The delay of the first attempt, in nanoseconds.
    private static let firstDelay: Int64 = 50_000_000
    /// The maximum delay between attempts, in nanoseconds.
    private static let maximumDelay: Int64 = 500_000_000
    /// The delay between later attempts while another program uses the device, for example during a call, in nanoseconds.
    private static let patientDelay: Int64 = 2_000_000_000
    /// The number of attempts before that delay applies.
    private static let eagerAttempts = 10

    private var attempts = 0
    private var began: Int64?
    private var next: Int64?
    private var delay = firstDelay

    package init() {}

    /// Schedules the first attempt after the device was lost at the host time `now`, in nanoseconds.
    package mutating func begin(now: Int64) {
        began = now
        next = now + delay
    }

    /// Schedules an immediate attempt.
    mutating func retryNow(now: Int64) {
        if began == nil { began = now }
        next = now
    }

    /// Schedules the next attempt after a failed one, with twice the delay.
    package mutating func scheduleRetry(now: Int64, isTaken: Bool = false) {
        attempts += 1
        delay = isTaken && attempts >= Self.eagerAttempts ? Self.patientDelay : min(delay * 2, Self.maximumDelay)
        next = now + delay
    }

    /// Whether an attempt is due at the host time `now`, in nanoseconds.
    package func isDue(now: Int64) -> Bool { next.map { now >= $0 } ?? false }

    /// Whether the attempts have lasted longer than `timeout`; never without a timeout.
    func hasTimedOut(now: Int64, timeout: Duration?) -> Bool {
        guard let began, let timeout else { return false }
        return .nanoseconds(now - began) > timeout
    }
}
