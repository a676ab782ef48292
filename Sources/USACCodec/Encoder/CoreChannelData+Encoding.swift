// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

// Decisions of an encoder that follow from the lines.
extension CoreChannelData {
    /// Returns whether all lines of a band are 0.
    package func isEmpty(_ sfb: Int, ofGroup group: Int, bands: ScaleFactorBands) -> Bool {
        let length = bands.lineCount(isShort: windows.isShort)
        let (lower, upper) = (bands.offset(sfb, isShort: windows.isShort), bands.offset(sfb + 1, isShort: windows.isShort))
        let first = (0..<group).reduce(0) { $0 + Int(windows.groupLengths[$1]) }
        for window in first..<first + Int(windows.groupLengths[group]) {
            for line in window * length + lower..<window * length + upper where lines[line] != 0 { return false }
        }
        return true
    }

    func energy(_ sfb: Int, bands: ScaleFactorBands) -> Float {
        let length = bands.lineCount(isShort: windows.isShort)
        let (lower, upper) = (bands.offset(sfb, isShort: windows.isShort), bands.offset(sfb + 1, isShort: windows.isShort))
        let table = DequantizationTables.sharedPowers
        let powers = table.span
        var (energy, window): (Float, Int) = (0, 0)
        for group in 0..<windows.groupCount {
            var sum: Float = 0
            for _ in 0..<windows.groupLengths[group] {
                for line in window * length + lower..<window * length + upper {
                    let value = DequantizationTables.power(lines[line], powers)
                    sum += value * value
                }
                window += 1
            }
            let gain = Int(scaleFactors[group * WindowDivision.bandStride + sfb]) - DequantizationTables.scaleFactorOffset
            energy += sum * PortableMath.exp2(Float(gain) / 2)
        }
        return energy
    }

    /// Returns the number of bands up to the last one with a value, of those sent.
    package func usedBandCount(bands: ScaleFactorBands) -> Int {
        for sfb in (0..<windows.maxSFB).reversed() {
            for group in 0..<windows.groupCount where !isEmpty(sfb, ofGroup: group, bands: bands) { return sfb + 1 }
        }
        return 0
    }

    /// Sets the scale factors of empty bands, and the global gain, for the shortest code without noise filling.
    ///
    /// - Returns: False if the difference between two bands is too large for the empty bands between them.
    package mutating func completeScaleFactors(bands: ScaleFactorBands) -> Bool {
        let count = windows.groupCount * windows.maxSFB
        var (last, emptyCount): (Int?, Int) = (nil, 0)
        for position in 0..<count {
            guard !isEmpty(position % windows.maxSFB, ofGroup: position / windows.maxSFB, bands: bands) else {
                emptyCount += 1
                continue
            }
            let next = Int(scaleFactors[index(position)])
            var value = last ?? next
            guard abs(next - value) <= ScaleFactorCodebook.maximumDifference * (emptyCount + 1) else { return false }
            for step in 0..<emptyCount {
                let reach = ScaleFactorCodebook.maximumDifference * (emptyCount - step)
                value = min(max(value, next - reach), next + reach)
                scaleFactors[index(position - emptyCount + step)] = UInt8(value)
            }
            (last, emptyCount) = (next, 0)
        }
        let rest = UInt8(last ?? DequantizationTables.scaleFactorOffset)
        for step in 0..<emptyCount { scaleFactors[index(count - emptyCount + step)] = rest }
        setGlobalGain()
        return true
    }

    /// Sets the global gain to the scale factor of the first band.
    mutating func setGlobalGain() { globalGain = windows.maxSFB > 0 ? Int(scaleFactors[0]) : DequantizationTables.scaleFactorOffset }

    /// Returns the index in arrays of bands for a position in the order of the scale factors.
    private func index(_ position: Int) -> Int {
        position / windows.maxSFB * WindowDivision.bandStride + position % windows.maxSFB
    }

    /// Returns the cheapest ends of all windows, and the cost of the first in the unit of ``SpectralCosts``.
    ///
    /// - Parameters:
    ///   - countsValues: Whether the cost includes the values before the end.
    ///   - context: The context before the frame. It becomes that before the last window.
    func ends(
        bands: ScaleFactorBands, resetsContext: Bool, countsValues: Bool, context: inout SpectralContext
    ) -> (codedPairs: SIMD8<UInt16>, firstCost: Int) {
        let length = bands.lineCount(isShort: windows.isShort)
        if resetsContext { context.reset(lineCount: length) } else { context.resize(lineCount: length) }
        var (pairs, firstCost) = (SIMD8<UInt16>(), 0)
        for window in 0..<windows.windowCount {
            let end = end(
                ofWindow: window, bands: bands, countsValues: countsValues && window == 0, advances: window + 1 < windows.windowCount,
                context: &context)
            pairs[window] = UInt16(end.pairCount)
            if window == 0 { firstCost = end.cost }
        }
        return (pairs, firstCost)
    }

    /// Returns the cheapest end of the first window after a reset.
    ///
    /// Later windows have the same contexts with and without one.
    func firstEndAfterReset(bands: ScaleFactorBands, context: inout SpectralContext) -> SpectralCosts.End {
        context.reset(lineCount: bands.lineCount(isShort: windows.isShort))
        return end(ofWindow: 0, bands: bands, countsValues: true, advances: false, context: &context)
    }

    private func end(
        ofWindow window: Int, bands: ScaleFactorBands, countsValues: Bool, advances: Bool, context: inout SpectralContext
    ) -> SpectralCosts.End {
        let length = bands.lineCount(isShort: windows.isShort)
        let costs = SpectralCosts.shared
        return costs.end(
            of: lines.span.extracting(window * length..<(window + 1) * length),
            lineCount: bands.offset(windows.maxSFB, isShort: windows.isShort), countsValues: countsValues, advances: advances,
            context: &context)
    }
}
