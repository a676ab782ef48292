// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Conversion between power ratios and decibels.
package enum Decibels {
    /// 10 log₁₀ of a power ratio; -∞ for 0.
    package static func power(_ ratio: Double) -> Double { ratio > 0 ? 10 * log10(ratio) : -.infinity }

    package static func ratio(_ decibels: Double) -> Double { pow(10, decibels / 10) }
}

/// Returns the quantile `share` (0 to 1) of the values; `nil` without values.
func percentile(_ share: Double, of values: [Float]) -> Float? {
    guard !values.isEmpty else { return nil }
    let falling = indicesFromLargest(values.map { Double($0) })
    return values[falling[max(0, falling.count - 1 - Int(share * Double(falling.count)))]]
}

/// Returns indices in descending order of value; equal values keep their order.
func indicesFromLargest(_ values: [Double]) -> [Int] { values.indices.sorted { values[$0] > values[$1] } }

/// Returns the mean; `nil` without values.
func mean(_ values: [Float]) -> Double? {
    values.isEmpty ? nil : values.reduce(0.0) { $0 + Double($1) } / Double(values.count)
}
