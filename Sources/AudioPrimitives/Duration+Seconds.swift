// SPDX-License-Identifier: Apache-2.0

extension Duration {
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The duration in whole nanoseconds, rounded toward zero and clamped to 64 bits.
    package var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carries) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carries ? (seconds < 0 ? .min : .max) : sum
    }
}
