// SPDX-License-Identifier: Apache-2.0

/// The QMF subband range of the master table, `k0` and `k2` (ISO/IEC 14496-3:2009, 4.6.18.3.2.1).
package enum FrequencyRange {
    /// The sample rates with tables, in hertz.
    ///
    /// Other rates use the nearest one.
    private static let rates = [16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000]
    /// The row of ``startOffsets`` for each rate.
    private static let offsetRows = [0, 1, 2, 3, 4, 4, 4, 5, 5]

    /// The offset of `k0` from its base value, by row and `bs_start_freq`.
    // swift-format-ignore
    private static let startOffsets: [[Int]] = [
        [-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7],
        [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 13],
        [-5, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 16],
        [-6, -4, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 16],
        [-4, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 16, 20],
        [-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 16, 20, 24],
    ]

    /// The offset of `k0` from its base value at 40 kHz.
    ///
    /// Only enhanced SBR has this row (ISO/IEC 23003-3, 7.5.5.2).
    private static let startOffsets40000 = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 17, 19]

    /// Returns the sample rate, in hertz, of the tables for an SBR sample rate.
    package static func tableRate(for rate: Int, variant: SBRVariant = .standard) -> Int {
        if variant != .standard && (35_777..<42_000).contains(rate) { return 40_000 }
        // Midway between adjacent entries of the table of sampling frequencies (ISO/IEC 14496-3:2009, Table 4.82).
        let upperBounds = [18_783, 23_004, 27_713, 37_566, 46_009, 55_426, 75_132, 92_017]
        let index = upperBounds.firstIndex { rate < $0 } ?? 8
        return rates[index]
    }

    /// Returns `k0`, the first subband of the master table.
    package static func start(rate: Int, startFrequency: Int, variant: SBRVariant = .standard) -> Int {
        let lowest = rate < 32_000 ? 3_000 : rate < 64_000 ? 4_000 : 5_000
        let row = offsetRows[rates.firstIndex(of: rate) ?? 0]
        let offsets = rate == 40_000 ? startOffsets40000 : startOffsets[row]
        return subband(nearest: lowest, rate: rate, variant) + offsets[startFrequency & 15]
    }

    /// Returns `k2`, the end of the master table.
    package static func stop(rate: Int, stopFrequency: Int, start: Int, variant: SBRVariant = .standard) -> Int {
        if stopFrequency == 14 { return min(64, 2 * start) }
        if stopFrequency >= 15 { return min(64, 3 * start) }
        let lowest = rate < 32_000 ? 6_000 : rate < 64_000 ? 8_000 : 10_000
        let stop = subband(nearest: lowest, rate: rate, variant)
        let octaves = PortableMath.octaves(Double(stop), 64)
        let boundaries = (0...13).map { index in
            Int(Double(stop) * PortableMath.powerOfTwo(octaves * Double(index) / 13) + 0.5)
        }
        var widths = zip(boundaries.dropFirst(), boundaries).map { $0 - $1 }
        widths.sortByInsertion()
        return min(64, stop + widths.prefix(stopFrequency).reduce(0, +))
    }

    /// Returns the maximum permitted `k2` - `k0`.
    static func maximumSpan(rate: Int, variant: SBRVariant = .standard) -> Int {
        if variant == .enhancedQuadruple { return 56 }
        // Only enhanced SBR has tables for 40 kHz.
        return rate <= 40_000 ? 48 : rate <= 44_100 ? 35 : 32
    }

    /// Returns the QMF subband nearest to a frequency: NINT(128 · `hertz` / `rate`), with 64 instead of 128 in the quadruple variant.
    private static func subband(nearest hertz: Int, rate: Int, _ variant: SBRVariant) -> Int {
        (2 * variant.subbandScale * hertz + rate) / (2 * rate)
    }
}
