// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Temporal noise shaping (TNS) of one channel in the encoder: decides on its use and filters the lines (ISO/IEC 14496-3:2009, 4.6.9).
///
/// It is used in long windows only. In short windows, whose noise already has a temporal envelope, it degraded applause and drums.
package struct TNSAnalysis: ~Copyable {
    /// Lines divided by the square root of their noise target, padded with zeros, and later the filtered lines.
    private var workspace: FixedArray<Float>

    private var predictor = TNSPredictor()

    /// The inverse noise target per line, 0 above the bands.
    private var inverseNoise: FixedArray<Float>

    /// The energy of each band before the filter.
    private var energies = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The energy of each band after the filter.
    private var residuals = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// Prefix sums of the squared impulse response of the decoder's filter: the spread of noise along frequency.
    private var spreading = FixedArray<Float>(repeating: 0, count: spreadingLength + 1)

    /// The weight of spread noise, in bits, against the bits that the filter saves.
    ///
    /// Measured in LowDelay.md#temporal-noise-shaping.
    private static let spreadingWeight: Float = 3

    /// The maximum distance of spread noise, in lines.
    private static let spreadingLength = 256

    /// Creates the tool for a channel with `frameLength` lines per long window.
    package init(frameLength: Int) {
        workspace = FixedArray(repeating: 0, count: frameLength + 2 * TNSFilterDesign.margin)
        inverseNoise = FixedArray(repeating: 0, count: frameLength)
    }

    /// Replaces the lines of a long window with their prediction residual if that saves bits.
    ///
    /// - Parameters:
    ///   - noiseScale: The expected ratio of noise energy to noise target.
    ///   - countsSpreading: Whether to count noise that the decoder's filter spreads along frequency as a cost.
    /// - Returns: The filter; `nil` if the lines are unchanged.
    package mutating func analyze(
        _ spectrum: inout MutableSpan<Float>, noiseTargets: Span<Float>, noiseScale: Float, countsSpreading: Bool = false,
        layout: borrowing BandLayout, design: borrowing TNSFilterDesign
    ) -> TNSData? {
        let range = design.range(bandCount: layout.bandsPerGroup)
        weightLines(spectrum.span, range, noiseTargets: noiseTargets, layout: layout)
        let filter = design.findFilter(workspace.span, count: range.count).filter
        guard filter.order > 0 else { return nil }
        predictor.set(filter, resolution: 4)
        do {
            var filtered = workspace.mutableSpan
            for line in stride(from: 0, to: spectrum.count, by: 4) { filtered.store(spectrum.span.vector(at: line), at: line) }
            Self.apply(predictor.coefficients.span, order: Int(filter.order), to: &filtered, in: range)
        }
        var saved = bitsSaved(spectrum.span, noiseScale: noiseScale)
        if countsSpreading, saved > 0 {
            let spread = bitsOfSpreading(spectrum.span, noiseTargets: noiseTargets, range: range, layout: layout)
            saved -= Self.spreadingWeight * spread
        }
        guard saved > 0 else { return nil }
        let residual = workspace.span
        for line in stride(from: 0, to: spectrum.count, by: 4) { spectrum.store(residual.vector(at: line), at: line) }
        var data = TNSData()
        data.filterCounts[0] = 1
        data.resolutions[0] = 4
        data[0, 0] = filter
        return data
    }

    /// Divides the lines in a range by the square root of their noise target, so that each counts by its signal-to-noise ratio.
    private mutating func weightLines(_ spectrum: Span<Float>, _ range: Range<Int>, noiseTargets: Span<Float>, layout: borrowing BandLayout)
    {
        let (margin, zero) = (TNSFilterDesign.margin, SIMD4<Float>(repeating: 0))
        var weighted = workspace.mutableSpan
        var inverses = inverseNoise.mutableSpan
        for band in 0..<layout.count {
            let inverse = Float(layout.width(band)) / noiseTargets[band]
            let lines = layout.lines(band)
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) { inverses.store(SIMD4(repeating: inverse), at: line) }
            guard lines.lowerBound >= range.lowerBound, lines.upperBound <= range.upperBound else { continue }
            let weight = inverse.squareRoot()
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                weighted.store(spectrum.vector(at: line) * weight, at: line - range.lowerBound + margin)
            }
        }
        for line in stride(from: 0, to: margin, by: 4) {
            weighted.store(zero, at: line)
            weighted.store(zero, at: margin + range.count + line)
        }
    }

    /// Returns twice the bits that the filter saves, from the entropy of unfiltered and filtered lines.
    ///
    /// Tones are also predictable, but their residual is in bands that needed almost no bits before.
    private func bitsSaved(_ spectrum: Span<Float>, noiseScale: Float) -> Float {
        let (inverseNoise, filtered) = (inverseNoise.span, workspace.span)
        var saved = SIMD4<Float>(repeating: 0)
        let one = SIMD4<Float>(repeating: 1)
        for line in stride(from: 0, to: spectrum.count, by: 4) {
            let weights = inverseNoise.vector(at: line) / noiseScale
            let (before, after) = (spectrum.vector(at: line), filtered.vector(at: line))
            saved += PortableMath.log2((one + before * before * weights) / (one + after * after * weights))
        }
        return saved.laneSum
    }

    /// Returns twice the bits of the excess noise that the decoder's filter spreads from louder lines along frequency.
    ///
    /// The lines of a tone predict each other well. The noise permitted next to the tone may be far above nearby bands' noise.
    private mutating func bitsOfSpreading(
        _ spectrum: Span<Float>, noiseTargets: Span<Float>, range: Range<Int>, layout: borrowing BandLayout
    ) -> Float {
        measureSpreading()
        var energies = energies.mutableSpan
        var residuals = residuals.mutableSpan
        PsychoacousticModel.measureEnergies(spectrum, layout: layout, into: &energies)
        PsychoacousticModel.measureEnergies(workspace.span, layout: layout, into: &residuals)
        let sums = spreading.span
        var bits: Float = 0
        for band in 0..<layout.count {
            let lines = layout.lines(band)
            guard lines.lowerBound >= range.lowerBound, lines.upperBound <= range.upperBound else { continue }
            let middle = (lines.lowerBound + lines.upperBound) / 2
            var noise: Float = 0
            for source in 0...band {
                let lines = layout.lines(source)
                guard lines.lowerBound >= range.lowerBound else { continue }
                let target = noiseTargets[source] / Float(layout.width(source)) / Self.gain(energies[source], residuals[source])
                let (near, far) = (max(0, middle - lines.upperBound + 1), middle - lines.lowerBound + 1)
                noise += target * (sums[min(far, Self.spreadingLength)] - sums[min(near, Self.spreadingLength)])
            }
            let width = Float(layout.width(band))
            bits += width * PortableMath.log2(max(1, noise * width / noiseTargets[band]))
        }
        return bits
    }

    /// Sums the squared impulse response of the decoder's filter, whose order is at most 12.
    private mutating func measureSpreading() {
        let coefficients = predictor.coefficients.span
        let a = (coefficients.vector(at: 0), coefficients.vector(at: 4), coefficients.vector(at: 8))
        // The filter in transposed form: the next output, and the contribution of previous outputs to the following twelve.
        var (value, state) = (Float(1), (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>()))
        var sums = spreading.mutableSpan
        var sum: Float = 0
        for line in 0..<Self.spreadingLength {
            sum += value * value
            sums[line + 1] = sum
            let (s0, s1, s2) = (state.0 - a.0 * value, state.1 - a.1 * value, state.2 - a.2 * value)
            value = s0.x
            state = (SIMD4(s0.y, s0.z, s0.w, s1.x), SIMD4(s1.y, s1.z, s1.w, s2.x), SIMD4(s2.y, s2.z, s2.w, 0))
        }
    }

    /// Returns the factor by which to lower a band's noise target: the energy that the filter removed.
    private static func gain(_ before: Float, _ after: Float) -> Float { min(max(before / max(after, 1), 1), 64) }

    /// Replaces lines with their prediction residual.
    ///
    /// - Parameters:
    ///   - a: The coefficients of ``TNSPredictor``.
    ///   - order: The number of coefficients in use.
    package static func apply(_ a: Span<Float>, order: Int, to lines: inout MutableSpan<Float>, in range: Range<Int>) {
        // From the top, so that the lower lines used for prediction are still unchanged; in fours while all have `order` lines below.
        var end = range.upperBound
        while end - 4 >= range.lowerBound + order {
            end -= 4
            var values = lines.vector(at: end)
            for i in 0..<order { values += a[i] * lines.vector(at: end - 1 - i) }
            lines.store(values, at: end)
        }
        for line in stride(from: end - 1, through: range.lowerBound, by: -1) {
            var value = lines[line]
            for i in 0..<min(order, line - range.lowerBound) { value += a[i] * lines[line - 1 - i] }
            lines[line] = value
        }
    }

    /// Divides the noise targets of bands by the energy ratio that the filter removed, because the decoder's filter raises their noise.
    package mutating func lowerTargets(
        of spectrum: inout ChannelSpectrum, energiesBefore energies: Span<Float>, layout: borrowing BandLayout
    ) {
        var residuals = residuals.mutableSpan
        PsychoacousticModel.measureEnergies(spectrum.lines.span, layout: layout, into: &residuals)
        for band in 0..<layout.count {
            spectrum.noiseTargets[band] /= Self.gain(energies[band], residuals[band])
        }
    }
}
