// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Temporal noise shaping of one channel in the encoder: decides where it is used, and filters the lines (ISO/IEC 14496-3:2009, 4.6.9).
struct TNSAnalysis: ~Copyable {
    /// Lines divided by the root of their noise target; then the lines after the filters.
    private var workspace = [1024 of Float](repeating: 0)

    /// The inverse of the noise target of each line, 0 above the bands.
    private var inverseNoise = [1024 of Float](repeating: 0)

    /// The part of the prediction gain, in octaves, by which noise targets are lowered: 1 would keep the energy of the noise.
    private static let gainShare: Float = 0.5

    /// Replaces the lines of a channel by their prediction residual, where that takes fewer bits.
    ///
    /// - Parameters:
    ///   - spectrum: 1024 lines, window after window.
    ///   - noiseTargets: The noise target of each band.
    ///   - noiseScale: The factor from noise targets to the noise that coding will leave.
    /// - Returns: The filters; nil if the lines are as they were.
    mutating func analyze(
        _ spectrum: inout MutableSpan<Float>, noiseTargets: Span<Float>, noiseScale: Float, layout: borrowing BandLayout,
        design: borrowing TNSFilterDesign
    ) -> TNSData? {
        weighLines(spectrum.span, noiseTargets: noiseTargets, layout: layout, bands: design.bands)
        let range = design.range(isShort: layout.sequence == .eightShort, bandCount: layout.bandsPerGroup)
        guard let data = findFilters(range: range, layout: layout, design: design) else { return nil }
        filter(spectrum.span, by: data, range: range, design: design)
        guard bitsSaved(spectrum.span, noiseScale: noiseScale) > 0 else { return nil }
        for line in stride(from: 0, to: 1024, by: 4) { spectrum.store(workspace.span.vector(at: line), at: line) }
        return data
    }

    /// Divides lines by the root of their noise target, so that all count by their signal-to-noise ratio.
    private mutating func weighLines(
        _ spectrum: Span<Float>, noiseTargets: Span<Float>, layout: borrowing BandLayout, bands: borrowing ScaleFactorBands
    ) {
        let isShort = layout.sequence == .eightShort
        var weighted = workspace.mutableSpan
        var inverses = inverseNoise.mutableSpan
        var window = 0
        for group in 0..<layout.groupCount {
            for _ in 0..<Int(layout.groupLengths[group]) {
                for sfb in 0..<layout.bandsPerGroup {
                    let band = group * layout.bandsPerGroup + sfb
                    let inverse = Float(layout.width(band)) / noiseTargets[band]
                    let weight = inverse.squareRoot()
                    let first = isShort ? window * 128 + Int(bands.shortOffsets[sfb]) : Int(bands.longOffsets[sfb])
                    let end = isShort ? window * 128 + Int(bands.shortOffsets[sfb + 1]) : Int(bands.longOffsets[sfb + 1])
                    for line in stride(from: first, to: end, by: 4) {
                        weighted.store(spectrum.vector(at: line) * weight, at: line)
                        inverses.store(SIMD4(repeating: inverse), at: line)
                    }
                }
                window += 1
            }
        }
    }

    /// Designs one filter for each group of windows from the weighted lines; returns nil if no group has one.
    private func findFilters(range: Range<Int>, layout: borrowing BandLayout, design: borrowing TNSFilterDesign) -> TNSData? {
        let isShort = layout.sequence == .eightShort
        let lines = workspace.span
        var data = TNSData()
        var isUsed = false
        var firstWindow = 0
        for group in 0..<layout.groupCount {
            let windows = firstWindow..<firstWindow + Int(layout.groupLengths[group])
            firstWindow = windows.upperBound
            let found = design.findFilter(lines, windows: windows, range: range, isShort: isShort)
            guard found.filter.order > 0 else { continue }
            isUsed = true
            for window in windows {
                data.windows[window].filterCount = 1
                data.windows[window].resolution = 4
                data.windows[window].filters[0] = found.filter
            }
        }
        return isUsed ? data : nil
    }

    /// Fills the workspace with the lines after the filters of their windows.
    private mutating func filter(_ spectrum: Span<Float>, by data: TNSData, range: Range<Int>, design: borrowing TNSFilterDesign) {
        var filtered = workspace.mutableSpan
        for line in stride(from: 0, to: 1024, by: 4) { filtered.store(spectrum.vector(at: line), at: line) }
        for window in 0..<8 where data.windows[window].filterCount > 0 {
            let start = window * 128
            let lines = start + range.lowerBound..<start + range.upperBound
            Self.apply(data.windows[window].filters[0], to: &filtered, in: lines, design: design)
        }
    }

    /// Returns twice the bits that the filters save, by the entropy of the lines before and after them.
    ///
    /// A tone is predictable too, but its residual lies in bands that took next to no bits before.
    private func bitsSaved(_ spectrum: Span<Float>, noiseScale: Float) -> Float {
        let (inverseNoise, filtered) = (inverseNoise.span, workspace.span)
        var saved = SIMD4<Float>(repeating: 0)
        let one = SIMD4<Float>(repeating: 1)
        for line in stride(from: 0, to: 1024, by: 4) {
            let weights = inverseNoise.vector(at: line) / noiseScale
            let (before, after) = (spectrum.vector(at: line), filtered.vector(at: line))
            saved += PortableMath.log2((one + before * before * weights) / (one + after * after * weights))
        }
        return saved.laneSum
    }

    /// Replaces lines by their prediction residual.
    static func apply(
        _ filter: TNSFilter, to lines: inout MutableSpan<Float>, in range: Range<Int>, design: borrowing TNSFilterDesign
    ) {
        let a = design.synthesis.predictor(of: filter, resolution: 4)
        let order = Int(filter.order)
        // From the top, so that the lines of which a line is predicted are unchanged: four at a time while all have `order` below them.
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

    /// Lowers the noise targets of bands that lost energy to the filters, since the decoder's filters raise their noise again.
    ///
    /// - Parameters:
    ///   - spectrum: The spectrum after the filters, with its noise targets.
    ///   - energies: The energy of each band before the filters.
    static func lowerTargets(of spectrum: inout ChannelSpectrum, energiesBefore energies: Span<Float>, layout: borrowing BandLayout) {
        var residuals = [120 of Float](repeating: 0)
        var target = residuals.mutableSpan
        PsychoacousticModel.measureEnergies(spectrum.lines.span, layout: layout, into: &target)
        for band in 0..<layout.count {
            let gain = min(max(energies[band] / max(residuals[band], 1), 1), 64)
            spectrum.noiseTargets[band] *= PortableMath.exp2(-gainShare * PortableMath.log2(gain))
        }
    }
}
