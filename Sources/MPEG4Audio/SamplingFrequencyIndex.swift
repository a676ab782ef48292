// SPDX-License-Identifier: Apache-2.0

/// The index of a standard sample rate (`samplingFrequencyIndex`, ISO/IEC 14496-3:2009, Table 1.18).
package struct SamplingFrequencyIndex: Hashable, Sendable {
    /// The rates in hertz by index, where 7350 Hz uses the tables of 8000 Hz.
    package static let standardRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// The code for an explicit 24-bit rate.
    package static let escape: UInt32 = 15

    /// 0 to 12.
    package let rawValue: Int

    /// Creates an index from its code, or returns `nil` for 13 and 14 (reserved) and 15 (escape).
    package init?(rawValue: Int) {
        guard Self.standardRates.indices.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Creates the index of a standard rate, or returns `nil` for other rates.
    package init?(hertz: Int) {
        guard let index = Self.standardRates.firstIndex(of: hertz) else { return nil }
        rawValue = index
    }

    /// Creates the index whose tables apply to any rate (ISO/IEC 14496-3:2009, Table 4.82).
    package init(nearestTo hertz: Int) {
        let lowerBounds = [92_017, 75_132, 55_426, 46_009, 37_566, 27_713, 23_004, 18_783, 13_856, 11_502, 9_391, 0]
        rawValue = lowerBounds.firstIndex { hertz >= $0 } ?? 11
    }

    package var hertz: Int { Self.standardRates[rawValue] }
}
