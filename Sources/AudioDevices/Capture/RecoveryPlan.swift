// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// When to try next to get a lost device back: soon at first, then twice a second.
struct RecoveryPlan {
    private static let firstDelay: Int64 = 50_000_000
    private static let longestDelay: Int64 = 500_000_000

    private var began: Int64?
    private var next: Int64?
    private var delay = firstDelay

    mutating func begin(now: Int64) {
        began = now
        next = now + delay
    }

    /// The program wants it at once.
    mutating func retryNow(now: Int64) {
        if began == nil { began = now }
        next = now
    }

    /// The try just made failed.
    mutating func failed(now: Int64) {
        delay = min(delay * 2, Self.longestDelay)
        next = now + delay
    }

    func isDue(now: Int64) -> Bool { next.map { now >= $0 } ?? false }

    /// Whether it has been tried for longer than `timeout` seconds.
    func hasGivenUp(now: Int64, timeout: Double?) -> Bool {
        guard let began, let timeout else { return false }
        return Double(now - began) > timeout * 1e9
    }
}
