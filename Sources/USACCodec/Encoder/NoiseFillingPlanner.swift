// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Chooses the level, the offset and the scale factors of noise filling in long windows (ISO/IEC 23003-3, 7.2).
///
/// A decoder replaces each zero line from ``firstLine(_:)`` on by noise. In a band with values the noise is a fraction of the step; a band
/// without values has a scale factor for its noise.
package struct NoiseFillingPlanner: ~Copyable {
    /// The amplitude of noise relative to the lines that it replaces.
    package struct Amplitudes: Sendable {
        /// In bands with values.
        package var besideValues: Float
        /// In bands without values.
        package var emptyBands: Float

        package init(besideValues: Float, emptyBands: Float) { (self.besideValues, self.emptyBands) = (besideValues, emptyBands) }
    }

    /// The number of scale factors to choose from for a noise band, and how far the first is below the wanted one.
    private static let (stateCount, reach) = (8, 4)

    /// The cost per squared scale factor step below and above the wanted noise, in bits, for bands of 32 lines and more.
    ///
    /// At 64, 96 and 128 kbit/s the Zimtohrli distances relative to AAC-LC are 0.780, 0.855 and 0.863 (mean of five clips). They are 0.786,
    /// 0.862 and 0.863 with half of these costs, and 0.778, 0.853 and 0.870 with twice these costs.
    private static let weights: (below: Float, above: Float) = (1, 2)

    /// The distance of noise bands' scale factors from those of bands with values, so that all differences can be sent.
    private static let range = 45

    /// The level without bands from which to choose it.
    private static let usualLevel = 2

    /// Whether each band's noise may not be lower than wanted.
    private var isNeeded = FixedArray<Bool>(repeating: false, count: Self.bandCount)
    /// Whether each band has no values.
    private var isEmpty = FixedArray<Bool>(repeating: false, count: Self.bandCount)
    /// The first scale factor of each band's states.
    private var firsts = FixedArray<Int16>(repeating: 0, count: Self.bandCount)
    /// The number of states of each band.
    private var counts = FixedArray<UInt8>(repeating: 0, count: Self.bandCount)
    /// The wanted scale factor of each noise band.
    private var wanted = FixedArray<Float>(repeating: 0, count: Self.bandCount)
    /// The state of the previous band on the cheapest path to each state.
    private var predecessors = FixedArray<SIMD8<Int16>>(repeating: SIMD8(), count: Self.bandCount)
    /// The length of each scale factor difference, from -``middle``, in units of 1/16 bit.
    private var lengths = FixedArray<Int16>(repeating: Self.unsendable, count: 2 * Self.middle)
    /// The ratio of lost amplitude to step of bands with values, in ascending order.
    private var ratios = FixedArray<Float>(repeating: 0, count: Self.bandCount)

    /// Long windows have up to 51 bands.
    private static let bandCount = 64

    private static let unitsPerBit = 16
    /// The length of a difference that cannot be sent, and the largest cost of a deviation, in units of 1/16 bit.
    ///
    /// Sums of one of each and two lengths fit into 16 bits.
    private static let (unsendable, maximumDeviationCost): (Int16, Float) = (8000, 4000)
    /// More than the largest difference of states.
    private static let middle = 272

    package init() {
        let coder = ScaleFactorCoder.shared
        for difference in -ScaleFactorCodebook.maximumDifference...ScaleFactorCodebook.maximumDifference {
            let length = coder.codewords[difference + ScaleFactorCodebook.indexOffset] & 0xFF
            lengths[Self.middle + difference] = Int16(length) * Int16(Self.unitsPerBit)
        }
    }

    /// Returns the first line of a long window that can be noise.
    package static func firstLine(_ frameLength: Int) -> Int { frameLength * 5 / 32 }

    /// Sets noise filling, the scale factors of bands without values, and the number of sent bands.
    ///
    /// - Parameters:
    ///   - lines: The lines before quantization.
    ///   - energies: The energy of each band whose lines were all dropped.
    ///   - isNeeded: Whether silence would be heard in each of these bands. The noise of other bands may be lower than their energy.
    ///   - bandCount: The number of bands up to the bandwidth.
    ///   - tnsEnd: The end of the bands with TNS filters, or 0.
    ///   - amplitudes: The amplitudes of noise, or `nil` for none.
    package mutating func plan(
        _ channel: inout CoreChannelData, lines: Span<Float>, energies: Span<Float>, isNeeded: Span<Bool>, bandCount: Int, tnsEnd: Int,
        amplitudes: Amplitudes?, bands: ScaleFactorBands
    ) {
        (channel.noiseLevel, channel.noiseOffset) = (0, 16)
        guard let amplitudes, !channel.windows.isShort else {
            channel.windows.maxSFB = max(channel.usedBandCount(bands: bands), tnsEnd)
            return complete(&channel, bandCount: bandCount, bands: bands)
        }
        let usedCount = findEmptyBands(channel, bandCount: bandCount, bands: bands)
        channel.windows.maxSFB = max(usedCount, tnsEnd)
        let first = Self.firstBand(bands)
        var end = usedCount
        var hasNoise = false
        for sfb in first..<max(bandCount, first) {
            // Bands of less than the smallest step of 16-bit samples stay silent.
            let least = Float(bands.offset(sfb + 1, isShort: false) - bands.offset(sfb, isShort: false))
            self.isNeeded[sfb] = isNeeded[sfb]
            if isEmpty[sfb] && isNeeded[sfb] && energies[sfb] > least { (end, hasNoise) = (sfb + 1, true) }
        }
        end = max(end, usedCount)
        let level = level(channel, lines: lines, first: first, hasNoise: hasNoise, amplitude: amplitudes.besideValues, bands: bands)
        guard level > 0 else { return complete(&channel, bandCount: bandCount, bands: bands) }
        let count = max(end, tnsEnd)
        channel.windows.maxSFB = count
        let noise = PortableMath.exp2(Float(level - 14) / 3)
        setWanted(channel, energies: energies, first: first, count: count, amplitude: amplitudes.emptyBands / noise, bands: bands)
        let offset = chooseOffset(channel, first: first, count: count)
        if search(&channel, first: first, count: count, offset: offset, bands: bands) {
            (channel.noiseLevel, channel.noiseOffset) = (level, offset + 16)
        } else {
            channel.windows.maxSFB = max(usedCount, tnsEnd)
            complete(&channel, bandCount: bandCount, bands: bands)
        }
    }

    /// Finds the bands of a long window without values, and returns the end of those with values.
    private mutating func findEmptyBands(_ channel: borrowing CoreChannelData, bandCount: Int, bands: ScaleFactorBands) -> Int {
        let (lines, offsets) = (channel.lines.span, bands.longOffsets.span)
        var end = 0
        for sfb in 0..<bandCount {
            var bits = SIMD4<Int16>()
            let band = lines.extracting(Int(offsets[sfb])..<Int(offsets[sfb + 1]))
            var line = 0
            // Band widths are multiples of four.
            while line < band.count {
                bits |= unsafe band.quartet(unchecked: line)
                line &+= 4
            }
            isEmpty[sfb] = bits == SIMD4()
            if !isEmpty[sfb] { end = sfb + 1 }
        }
        return end
    }

    /// Sets the scale factors without noise.
    private func complete(_ channel: inout CoreChannelData, bandCount: Int, bands: ScaleFactorBands) {
        guard !channel.completeScaleFactors(bands: bands) else { return }
        channel.windows.maxSFB = bandCount
        // Never false, because the differences of AAC have the same limit.
        _ = channel.completeScaleFactors(bands: bands)
    }

    /// Returns the first band of a long window that can be noise.
    package static func firstBand(_ bands: ScaleFactorBands) -> Int {
        let line = firstLine(bands.frameLength)
        var band = 0
        while bands.offset(band, isShort: false) < line { band += 1 }
        return band
    }

    /// Returns the level by the lines that are lost beside values, or 0 for no noise.
    private mutating func level(
        _ channel: borrowing CoreChannelData, lines: Span<Float>, first: Int, hasNoise: Bool, amplitude: Float, bands: ScaleFactorBands
    ) -> Int {
        var count = 0
        for sfb in first..<max(first, channel.windows.maxSFB) where !isEmpty[sfb] {
            let range = bands.offset(sfb, isShort: false)..<bands.offset(sfb + 1, isShort: false)
            let (values, lines) = (channel.lines.span.extracting(range), lines.extracting(range))
            var (valueCount, energies) = (SIMD4<Int32>(), SIMD4<Float>())
            var line = 0
            while line < range.count {
                // Both parts have the same length, a multiple of four.
                let hasValue = unsafe SIMD4<Int32>(truncatingIfNeeded: values.quartet(unchecked: line)) .!= SIMD4()
                let vector = unsafe lines.vector(unchecked: line)
                valueCount &+= SIMD4(repeating: 0).replacing(with: SIMD4(repeating: 1), where: hasValue)
                energies += (vector * vector).replacing(with: SIMD4(), where: hasValue)
                line &+= 4
            }
            let zeroCount = range.count &- Int(valueCount.wrappedSum())
            let energy = energies.laneSum
            guard zeroCount < range.count, 4 * zeroCount >= range.count else { continue }
            let step = PortableMath.exp2(Float(Int(channel.scaleFactors[sfb]) - DequantizationTables.scaleFactorOffset) / 4)
            let ratio = (energy / Float(zeroCount)).squareRoot() / step
            var position = count
            while position > 0 && ratios[position - 1] > ratio {
                ratios[position] = ratios[position - 1]
                position -= 1
            }
            ratios[position] = ratio
            count += 1
        }
        let least = hasNoise ? 1 : 0
        guard count > 0 else { return hasNoise ? Self.usualLevel : 0 }
        let level = 14.5 + 3 * PortableMath.log2(amplitude * max(ratios[count / 2], 1e-3))
        return max(least, Int(min(max(level, 0), 7)))
    }

    /// Sets the wanted scale factor of each noise band, and -1 for other bands.
    private mutating func setWanted(
        _ channel: borrowing CoreChannelData, energies: Span<Float>, first: Int, count: Int, amplitude: Float, bands: ScaleFactorBands
    ) {
        for sfb in 0..<count {
            guard sfb >= first, isEmpty[sfb] else {
                wanted[sfb] = -1
                continue
            }
            let width = Float(bands.offset(sfb + 1, isShort: false) - bands.offset(sfb, isShort: false))
            let energy = max(energies[sfb] / width, 1e-4) * amplitude * amplitude
            wanted[sfb] = max(Float(DequantizationTables.scaleFactorOffset) + 2 * PortableMath.log2(energy), 0)
        }
    }

    /// Returns the offset with which noise bands continue the scale factors of their neighbours best, from -16 to 15.
    private func chooseOffset(_ channel: borrowing CoreChannelData, first: Int, count: Int) -> Int {
        var (sum, neighbours): (Float, Float) = (0, 0)
        for sfb in max(first, 1)..<max(count, first, 1) {
            let (before, after) = (wanted[sfb - 1], wanted[sfb])
            guard (before < 0) != (after < 0), sfb > first else { continue }
            sum += before < 0 ? after - Float(channel.scaleFactors[sfb - 1]) : before - Float(channel.scaleFactors[sfb])
            neighbours += 1
        }
        return neighbours == 0 ? 0 : Int(min(max((sum / neighbours).rounded(), -16), 15))
    }

    /// Chooses the scale factors of bands without values, for small differences and the wanted noise.
    ///
    /// - Returns: False if a difference cannot be sent.
    private mutating func search(
        _ channel: inout CoreChannelData, first: Int, count: Int, offset: Int, bands: ScaleFactorBands
    ) -> Bool {
        setStates(channel, first: first, count: count, offset: offset, bands: bands)
        let lengths = lengths.span
        // Relative to a path that all states could have, so that sums do not overflow.
        var costs = SIMD8<Int16>()
        var last = -1
        for sfb in 0..<count where counts[sfb] > 0 {
            if last >= 0 {
                var (lowest, best) = (SIMD8<Int16>(repeating: .max), SIMD8<Int16>())
                let start = Self.middle &+ Int(firsts[sfb]) &- Int(firsts[last])
                for other in 0..<Int(counts[last]) {
                    let index = start &- other
                    let cost =
                        SIMD8(repeating: costs[other])
                        &+ SIMD8(lowHalf: lengths.quartet(at: index), highHalf: lengths.quartet(at: index &+ 4))
                    best.replace(with: SIMD8(repeating: Int16(truncatingIfNeeded: other)), where: cost .< lowest)
                    lowest = lowest.minimum(cost)
                }
                predecessors[sfb] = best
                costs = lowest &- SIMD8(repeating: lowest[0])
            }
            costs = costs &+ deviationCosts(sfb, offset: offset, bands: bands)
            last = sfb
        }
        guard last >= 0 else { return false }
        var state = 0
        for other in 1..<max(1, Int(counts[last])) where costs[other] < costs[state] { state = other }
        return trace(&channel, count: count, from: state, of: last)
    }

    /// Sets the scale factors of the path to a state of the last band.
    ///
    /// - Returns: False if a difference cannot be sent.
    private func trace(_ channel: inout CoreChannelData, count: Int, from state: Int, of last: Int) -> Bool {
        var (state, value) = (state, Int(firsts[last]) + state)
        for sfb in (0..<count).reversed() {
            if counts[sfb] > 0 {
                let next = value
                value = Int(firsts[sfb]) + state
                guard abs(next - value) <= ScaleFactorCodebook.maximumDifference else { return false }
                state = Int(predecessors[sfb][state])
            }
            // A band without noise repeats the next one.
            channel.scaleFactors[sfb] = UInt8(value)
        }
        channel.setGlobalGain()
        return true
    }

    /// Returns the costs of a band's scale factors, in units of 1/16 bit.
    private func deviationCosts(_ sfb: Int, offset: Int, bands: ScaleFactorBands) -> SIMD8<Int16> {
        guard wanted[sfb] >= 0 else { return SIMD8() }
        let width = bands.offset(sfb + 1, isShort: false) - bands.offset(sfb, isShort: false)
        let unit = Float(Self.unitsPerBit) * min(1, Float(width) / 32)
        let first = SIMD4(repeating: Float(Int(firsts[sfb]) + offset) - wanted[sfb]) + SIMD4(0, 1, 2, 3)
        let weightBelow = isNeeded[sfb] ? Self.weights.below * unit : 0
        func costs(_ deviations: SIMD4<Float>) -> SIMD4<Int32> {
            let (below, above) = (deviations.minimum(SIMD4(repeating: 0)), deviations.maximum(SIMD4(repeating: 0)))
            let costs = below * below * weightBelow + above * above * (Self.weights.above * unit)
            return costs.minimum(SIMD4(repeating: Self.maximumDeviationCost)).nearest.integers
        }
        return SIMD8(saturating: costs(first), costs(first + SIMD4(repeating: 4)))
    }

    /// Sets the possible scale factors of each band: one with values, several with noise, and none otherwise.
    private mutating func setStates(
        _ channel: borrowing CoreChannelData, first: Int, count: Int, offset: Int, bands: ScaleFactorBands
    ) {
        var (lowest, highest) = (255, 0)
        for sfb in 0..<count where !isEmpty[sfb] {
            lowest = min(lowest, Int(channel.scaleFactors[sfb]))
            highest = max(highest, Int(channel.scaleFactors[sfb]))
        }
        let (lower, upper) = lowest > highest ? (0, 255) : (max(0, highest - Self.range), min(255, lowest + Self.range))
        for sfb in 0..<count {
            if wanted[sfb] >= 0 {
                let wanted = Int(wanted[sfb].rounded()) - offset - Self.reach
                // The range is empty if bands with values differ much.
                let first = max(min(wanted, upper - Self.stateCount + 1), lower)
                firsts[sfb] = Int16(min(max(first, 0), 256 - Self.stateCount))
                counts[sfb] = UInt8(Self.stateCount)
            } else if isEmpty[sfb] {
                counts[sfb] = 0
            } else {
                (firsts[sfb], counts[sfb]) = (Int16(channel.scaleFactors[sfb]), 1)
            }
        }
    }
}
