// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Four neighbouring lines in the forms that quantising needs again and again.
///
/// They lie side by side, so that one span reaches all of them.
struct LineQuad: BitwiseCopyable {
    /// The sign of each coefficient: all bits set where it is negative.
    var signs = SIMD4<Int32>(repeating: 0)

    /// |x|.
    var magnitudes = SIMD4<Float>(repeating: 0)

    /// |x|^(3/4).
    var power34 = SIMD4<Float>(repeating: 0)

    /// 4/3 |x|^(1/4) and 2/9 |x|^(-1/2): the first two terms of the error in x for an error in |x|^(3/4).
    var slopes = SIMD4<Float>(repeating: 0)
    var bends = SIMD4<Float>(repeating: 0)

    /// Derives all forms from four coefficients.
    @inline(__always)
    init(_ values: SIMD4<Float>) {
        signs = SIMD4<Int32>(truncatingIfNeeded: values.bitPatterns) &>> 31
        magnitudes = values.magnitudes
        let root = magnitudes.squareRoots
        let fourthRoot = root.squareRoots
        power34 = root * fourthRoot
        slopes = fourthRoot * (4.0 / 3)
        bends = SIMD4(repeating: 2.0 / 9) / root.maximum(SIMD4(repeating: Self.smallestRoot))
    }

    /// The lines of a silent quad.
    init() {}

    /// The errors in x for errors in |x|^(3/4): by the derivative and the one after it.
    @inline(__always)
    func errors(of off: SIMD4<Float>) -> SIMD4<Float> { off * (slopes - off * bends) }

    /// Rounds |x|^(3/4) in units of a step, and adds to the squared errors of x.
    ///
    /// - Returns: The values, with the signs of the lines.
    @inline(__always)
    func quantized(_ step: Quantizer.Step, rounding: Float, error: inout SIMD4<Float>) -> SIMD4<Int32> {
        let scaled = power34 * step.inversePower34
        let rounded = Quantizer.round(scaled, rounding: rounding)
        var errors = errors(of: (scaled - rounded.floats) * step.power34)
        errors.replace(with: magnitudes, where: rounded.integers .== 0)
        error += errors * errors
        return signed(rounded.integers)
    }

    /// Rounds |x|^(3/4) in units of a step; returns the values, with the signs of the lines.
    @inline(__always)
    func rounded(_ step: Quantizer.Step, rounding: Float) -> SIMD4<Int32> {
        signed(Quantizer.round(power34 * step.inversePower34, rounding: rounding).integers)
    }

    /// Gives magnitudes their signs back.
    @inline(__always)
    func signed(_ integers: SIMD4<UInt32>) -> SIMD4<Int32> { (SIMD4<Int32>(truncatingIfNeeded: integers) ^ signs) &- signs }

    /// Keeps the bend of lines near zero finite; they are quantised to zero, where it is not used.
    private static let smallestRoot: Float = 1e-3
}

/// What is derived from the lines of one channel, once a frame.
struct SpectralLines: ~Copyable {
    /// The lines in the forms that quantising needs.
    private(set) var quads = [256 of LineQuad](repeating: LineQuad())

    /// What the search has to know of each band.
    private(set) var bands = [120 of Band](repeating: Band())

    /// Sums over the lines of a band.
    struct Band: BitwiseCopyable {
        /// The largest |x|^(3/4).
        var peak: Float = 0
        /// The sum of the roots of |x|.
        var rootSum: Float = 0
        /// The energy.
        var energy: Float = 0
    }

    /// Derives everything from a spectrum, whose lines become zero in the bands that are sent without lines.
    ///
    /// - Returns: The entropy with noise `quality` times the targets: this way it takes a third of the time.
    mutating func prepare(_ spectrum: inout ChannelSpectrum, layout: borrowing BandLayout, quality: Float) -> Float {
        for band in 0..<layout.count where spectrum.replacements.contains(band) {
            for line in layout.lines(band) { spectrum.lines[line] = 0 }
        }
        let values = spectrum.lines.span
        let noise = spectrum.noiseTargets.span
        var quads = quads.mutableSpan
        var entropy = PerceptualEntropy.Sum()
        let scale = PerceptualEntropy.scale(quality: quality)
        for band in 0..<layout.count {
            let lines = layout.lines(band)
            let inverseNoise = Float(layout.width(band)) / noise[band] * scale
            var peak = SIMD4<Float>(repeating: 0)
            var rootSum = peak
            var energy = peak
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                let quad = LineQuad(values.vector(at: line))
                quads[line / 4] = quad
                peak = peak.maximum(quad.power34)
                rootSum += quad.magnitudes.squareRoots
                let energies = quad.magnitudes * quad.magnitudes
                energy += energies
                entropy.add(energies, inverseNoise: inverseNoise)
            }
            bands[band] = Band(
                peak: max(max(peak[0], peak[1]), max(peak[2], peak[3])), rootSum: rootSum.laneSum, energy: energy.laneSum)
        }
        return entropy.bits
    }
}
