// SPDX-License-Identifier: Apache-2.0

/// The master frequency table, `f_Master` (ISO/IEC 14496-3:2009, 4.6.18.3.2.1).
enum MasterBandTable {
    /// Returns the boundaries from `k0` to `k2`; `nil` if the standard's rules result in an invalid table.
    ///
    /// - Parameters:
    ///   - start: `k0`.
    ///   - stop: `k2`.
    ///   - frequencyScale: `bs_freq_scale`, 0 to 3.
    ///   - altersScale: `bs_alter_scale`.
    package static func boundaries(
        start: Int, stop: Int, frequencyScale: Int, altersScale: Bool, variant: SBRVariant = .standard
    ) -> BandBoundaries? {
        guard start > 0, start < stop, stop <= 64 else { return nil }
        var bandsPerOctave = 14 - 2 * frequencyScale
        if variant == .enhancedQuadruple && start < bandsPerOctave { bandsPerOctave = start & ~1 }
        let table =
            frequencyScale == 0
            ? linear(start: start, stop: stop, step: altersScale ? 2 : 1)
            : logarithmic(start: start, stop: stop, bandsPerOctave: bandsPerOctave, altersScale: altersScale)
        guard let table, table.count > 0, table.isRising, table.last == stop else { return nil }
        if variant == .enhancedQuadruple && !table.isNarrow(limit: start - 2) { return nil }
        return table
    }

    /// Returns bands of equal width.
    ///
    /// The first or last bands are adjusted to fill the range (`bs_freq_scale` = 0).
    private static func linear(start: Int, stop: Int, step: Int) -> BandBoundaries? {
        let span = stop - start
        let count = step == 1 ? 2 * (span / 2) : 2 * ((span + 2) / 4)
        guard count > 0, count < 49 else { return nil }
        var widths = [Int](repeating: step, count: count)
        var missing = span - count * step
        var index = missing > 0 ? count - 1 : 0
        while missing != 0 {
            guard index >= 0, index < count else { return nil }
            widths[index] += missing.signum()
            index -= missing.signum()
            missing -= missing.signum()
        }
        var table = BandBoundaries()
        return table.append(widths, from: start) ? table : nil
    }

    /// Returns bands that widen with frequency, in one region or in two that meet at 2 · `k0` (`bs_freq_scale` > 0).
    private static func logarithmic(start: Int, stop: Int, bandsPerOctave: Int, altersScale: Bool) -> BandBoundaries? {
        let hasTwoRegions = 10_000 * stop > 22_449 * start
        let middle = hasTwoRegions ? 2 * start : stop
        guard var low = widths(from: start, to: middle, halfBandsPerOctave: Double(bandsPerOctave) / 2) else { return nil }
        var table = BandBoundaries()
        low.sortByInsertion()
        guard table.append(low, from: start) else { return nil }
        guard hasTwoRegions else { return table }

        let density = Double(bandsPerOctave) / 2 / (altersScale ? 1.3 : 1)
        guard var high = widths(from: middle, to: stop, halfBandsPerOctave: density) else { return nil }
        high.sortByInsertion()
        let maximumLow = low[low.count - 1]
        if high[0] < maximumLow {
            let change = min(maximumLow - high[0], (high[high.count - 1] - high[0]) / 2)
            high[0] += change
            high[high.count - 1] -= change
            high.sortByInsertion()
        }
        guard table.append(high, skippingFirstFrom: middle) else { return nil }
        return table
    }

    /// Returns the widths of bands in QMF subbands.
    ///
    /// Before rounding, boundaries grow by a constant factor.
    private static func widths(from start: Int, to stop: Int, halfBandsPerOctave: Double) -> [Int]? {
        let octaves = PortableMath.octaves(Double(start), Double(stop))
        let count = 2 * Int(halfBandsPerOctave * octaves + 0.5)
        guard count > 0, count < 49 else { return nil }
        var widths: [Int] = []
        var previous = start
        for index in 1...count {
            let boundary = Double(start) * PortableMath.powerOfTwo(octaves * Double(index) / Double(count))
            let rounded = Int(boundary + 0.5)
            widths.append(rounded - previous)
            previous = rounded
        }
        return widths
    }
}

extension BandBoundaries {
    /// Returns whether all bands except the last have at most `limit` subbands.
    fileprivate func isNarrow(limit: Int) -> Bool {
        var band = 0
        while band < count - 1 {
            if self[band + 1] - self[band] > limit { return false }
            band += 1
        }
        return true
    }

    /// Appends `start` and the boundaries after each width.
    ///
    /// - Returns: Whether they fit.
    fileprivate mutating func append(_ widths: [Int], from start: Int) -> Bool {
        guard append(start) else { return false }
        return append(widths, skippingFirstFrom: start)
    }

    /// Appends the boundaries after each width, counted from `start`.
    ///
    /// - Returns: Whether they fit.
    fileprivate mutating func append(_ widths: [Int], skippingFirstFrom start: Int) -> Bool {
        var boundary = start
        for width in widths {
            boundary += width
            guard append(boundary) else { return false }
        }
        return true
    }
}

extension [Int] {
    /// Sorts a few values in ascending order.
    ///
    /// Each use of the standard library's sort compiles it again, which takes 4 kB of WebAssembly.
    mutating func sortByInsertion() {
        for end in indices.dropFirst() {
            var index = end
            while index > 0 && self[index - 1] > self[index] {
                swapAt(index - 1, index)
                index -= 1
            }
        }
    }
}
