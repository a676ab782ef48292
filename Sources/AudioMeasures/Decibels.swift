// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Ratios of powers and amplitudes in decibels.
package enum Decibels {
    /// 10 log₁₀ of a ratio of powers; -∞ for 0.
    package static func power(_ ratio: Double) -> Double { ratio > 0 ? 10 * log10(ratio) : -.infinity }

    /// The ratio of powers of a value in decibels.
    package static func ratio(_ decibels: Double) -> Double { pow(10, decibels / 10) }
}

/// Returns the value below which a share of all values lies; nil without values.
func percentile(_ share: Double, of values: [Float]) -> Float? {
    guard !values.isEmpty else { return nil }
    let falling = indicesFromLargest(values.map { Double($0) })
    return values[falling[max(0, falling.count - 1 - Int(share * Double(falling.count)))]]
}

/// Returns the indices of values from the largest to the smallest, of equal ones from the first on.
func indicesFromLargest(_ values: [Double]) -> [Int] { values.indices.sorted { values[$0] > values[$1] } }

/// Returns the mean of all values; nil without values.
func mean(_ values: [Float]) -> Double? {
    values.isEmpty ? nil : values.reduce(0.0) { $0 + Double($1) } / Double(values.count)
}
