// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_USAC
internal import MPEG4Audio
package import TransformCoding
package import TransformEncoding

/// Chooses real stereo prediction for the frames of a pair that it codes with fewer bits than L/R and M/S (ISO/IEC 23003-3, 7.7).
///
/// A coefficient of each pair of bands predicts the side signal from the mid signal, or the reverse in all bands. All bands are predicted,
/// because FFmpeg decodes frames with other bands wrongly. The prediction uses lines before quantization, so the noise of the downmix is
/// louder in the louder channel.
package struct PredictiveStereo: ~Copyable {
    /// Whether the frame uses prediction.
    package private(set) var isUsed = false
    /// The choice for the frame, if it uses prediction.
    package private(set) var choice = Choice()
    private var otherChoice = Choice()
    /// The energies of downmix and residual in each band.
    private(set) var energies = FixedArray<SIMD2<Float>>(repeating: SIMD2(), count: BandLayout.maximumCount)
    /// The product of first and second, and their energies, in each band before prediction.
    private var sums = FixedArray<SIMD4<Float>>(repeating: SIMD4(), count: BandLayout.maximumCount)
    /// The inverse noise targets of left and right.
    private var weights = FixedArray<SIMD2<Float>>(repeating: SIMD2(), count: BandLayout.maximumCount)

    /// The direction and the coefficients of prediction.
    package struct Choice: ~Copyable {
        /// Whether the downmix is the side signal.
        package var isReversed = false
        /// The coefficient of each band, in tenths.
        package var coefficients = FixedArray<Int8>(repeating: 0, count: BandLayout.maximumCount)
    }

    /// The bits that prediction must save in a frame.
    ///
    /// Measured in Tools.md#stereo-prediction-in-xhe-aac.
    private static let margin: Float = 10

    /// The largest coefficient, in tenths.
    private static let maximum: Float = 30

    package init() {}

    /// Keeps the noise targets of left and right before M/S stereo.
    package mutating func startFrame(_ first: borrowing ChannelSpectrum, _ second: borrowing ChannelSpectrum) {
        isUsed = false
        let (left, right) = (first.noiseTargets.span, second.noiseTargets.span)
        for band in 0..<BandLayout.maximumCount { weights[band] = 1 / SIMD2(left[band], right[band]) }
    }

    /// Chooses prediction if it saves bits, and then converts the spectra to downmix and residual.
    ///
    /// - Parameters:
    ///   - first: Left or mid, by band.
    ///   - second: Right or side, by band.
    ///   - usesMidSide: The bands with mid and side. Bands that are sent without lines still have left and right.
    ///   - noiseScale: The expected ratio of noise energy to noise target.
    ///   - triesSide: Whether the side signal may be the downmix.
    package mutating func decide(
        _ first: inout ChannelSpectrum, _ second: inout ChannelSpectrum, usesMidSide: Span<Bool>, noiseScale: Float,
        triesSide: Bool = true, layout: borrowing BandLayout
    ) {
        let frame = Frame(usesMidSide: usesMidSide, noiseScale: noiseScale)
        for band in 0..<layout.count {
            let sums = PortableMath.correlate(first.lines.span, second.lines.span, in: layout.lines(band))
            self.sums[band] = SIMD4(sums.product, sums.leftEnergy, sums.rightEnergy, 0)
        }
        var fewest = cost(first, second, frame, layout: layout)
        for isReversed in [false, true] where triesSide || !isReversed {
            otherChoice.isReversed = isReversed
            let bits = choose(first, second, frame, layout: layout)
            guard bits + Self.margin < fewest else { continue }
            (fewest, isUsed) = (bits, true)
            swap(&choice, &otherChoice)
        }
        if isUsed { apply(to: &first, &second, frame, layout: layout) }
    }

    private struct Frame: ~Escapable {
        let usesMidSide: Span<Bool>
        let noiseScale: Float

        @_lifetime(copy usesMidSide)
        init(usesMidSide: Span<Bool>, noiseScale: Float) {
            self.usesMidSide = usesMidSide
            self.noiseScale = noiseScale
        }
    }

    // MARK: Costs

    /// Returns the bits of the frame without prediction.
    private func cost(
        _ first: borrowing ChannelSpectrum, _ second: borrowing ChannelSpectrum, _ frame: borrowing Frame, layout: borrowing BandLayout
    ) -> Float {
        guard layout.count > 0 else { return 0 }
        var bits: Float = 0
        for band in 0..<layout.count where !Self.isReplaced(band, first, second) {
            let inverseNoise = SIMD2(1 / first.noiseTargets[band], 1 / second.noiseTargets[band])
            bits += Self.bits(first, second, in: layout.lines(band), inverseNoise / frame.noiseScale, (SIMD2(1, 0), SIMD2(0, 1)))
        }
        let midSideCount = (0..<layout.count).count { frame.usesMidSide[$0] }
        return bits + (midSideCount % layout.count == 0 ? 0 : Float(layout.count))
    }

    /// Chooses the coefficients of ``otherChoice`` for its direction, and returns the bits of the frame.
    private mutating func choose(
        _ first: borrowing ChannelSpectrum, _ second: borrowing ChannelSpectrum, _ frame: borrowing Frame, layout: borrowing BandLayout
    ) -> Float {
        let coder = ScaleFactorCoder.shared
        let lengths = coder.codewords.span
        var bits: Float = 0
        for group in 0..<layout.groupCount {
            let start = group * layout.bandsPerGroup
            var previous = 0
            for sfb in stride(from: 0, to: layout.bandsPerGroup, by: 2) {
                let bands = start + sfb..<start + min(sfb + 2, layout.bandsPerGroup)
                let coefficient = coefficient(bands, first, second, frame)
                bits += Float(lengths[previous - coefficient + ScaleFactorCodebook.indexOffset] & 0xFF)
                previous = coefficient
                for band in bands {
                    otherChoice.coefficients[band] = Int8(coefficient)
                    guard !Self.isReplaced(band, first, second) else { continue }
                    let inverseNoise = inverseTargets(band, coefficient) / frame.noiseScale
                    let matrix = Self.matrix(coefficient, isMidSide: frame.usesMidSide[band], isReversed: otherChoice.isReversed)
                    bits += Self.bits(first, second, in: layout.lines(band), inverseNoise, matrix)
                }
            }
        }
        return bits
    }

    /// Returns the coefficient with the least energy of the residual in a pair of bands, in tenths.
    private func coefficient(
        _ bands: Range<Int>, _ first: borrowing ChannelSpectrum, _ second: borrowing ChannelSpectrum, _ frame: borrowing Frame
    ) -> Int {
        var (product, downmix): (Float, Float) = (0, 0)
        for band in bands {
            // The noise targets weight the lines of both bands.
            let weight = weights[band].sum()
            let (correlation, a, b) = (sums[band].x, sums[band].y, sums[band].z)
            if frame.usesMidSide[band] && !Self.isReplaced(band, first, second) {
                product += correlation * weight
                downmix += (otherChoice.isReversed ? b : a) * weight
            } else {
                product += (a - b) * weight * 0.25
                downmix += (a + b + (otherChoice.isReversed ? -2 : 2) * correlation) * weight * 0.25
            }
        }
        // Sums of input far above full scale can be infinite or not a number.
        guard downmix > 0, (product / downmix).isFinite else { return 0 }
        return Int(min(max(-10 * product / downmix, -Self.maximum), Self.maximum).rounded())
    }

    /// Returns the bits of the lines of a band after a matrix, ½ log2(1 + x²/N) for each line.
    private static func bits(
        _ first: borrowing ChannelSpectrum, _ second: borrowing ChannelSpectrum, in lines: Range<Int>, _ inverseNoise: SIMD2<Float>,
        _ matrix: (SIMD2<Float>, SIMD2<Float>)
    ) -> Float {
        let one = SIMD4<Float>(repeating: 1)
        let weights = inverseNoise * Float(lines.count)
        let (x, y) = (first.lines.span, second.lines.span)
        precondition(x.hasQuads(lines) && y.hasQuads(lines))
        let bits = PortableMath.sumOfLog2(lines) { line in
            // Within the range checked above.
            let (a, b) = unsafe (x.vector(unchecked: line), y.vector(unchecked: line))
            let (d, e) = (a * matrix.0.x + b * matrix.0.y, a * matrix.1.x + b * matrix.1.y)
            return ((one + d * d * weights.x) * (one + e * e * weights.y)).minimum(SIMD4(repeating: 1e18))
        }
        return bits.laneSum * 0.5
    }

    /// Returns the inverse noise targets of downmix and residual.
    ///
    /// Their noise is heard in left and right, whose targets weight it.
    private func inverseTargets(_ band: Int, _ coefficient: Int) -> SIMD2<Float> {
        let weights = weights[band]
        let a = Float(coefficient) * 0.1
        let downmix = (weights * SIMD2((1 - a) * (1 - a), (1 + a) * (1 + a))).sum()
        return SIMD2(downmix, weights.sum()) / MidSideStereo.costedNoiseWeight
    }

    /// Returns the rows of downmix and residual.
    private static func matrix(_ coefficient: Int, isMidSide: Bool, isReversed: Bool) -> (SIMD2<Float>, SIMD2<Float>) {
        let mid: SIMD2<Float> = isMidSide ? SIMD2(1, 0) : SIMD2(0.5, 0.5)
        let side: SIMD2<Float> = isMidSide ? SIMD2(0, 1) : SIMD2(0.5, -0.5)
        let (downmix, other) = isReversed ? (side, mid) : (mid, side)
        return (downmix, other + downmix * (Float(coefficient) * 0.1))
    }

    private static func isReplaced(_ band: Int, _ first: borrowing ChannelSpectrum, _ second: borrowing ChannelSpectrum) -> Bool {
        first.replacements.codebooks[band] | second.replacements.codebooks[band] != 0
    }

    // MARK: Conversion

    /// Converts the spectra to downmix and residual by ``choice``.
    private mutating func apply(
        to first: inout ChannelSpectrum, _ second: inout ChannelSpectrum, _ frame: borrowing Frame, layout: borrowing BandLayout
    ) {
        for band in 0..<layout.count {
            let coefficient = Int(choice.coefficients[band])
            let targets = 1 / inverseTargets(band, coefficient)
            (first.noiseTargets[band], second.noiseTargets[band]) = (targets.x, targets.y)
            let isMidSide = frame.usesMidSide[band] && !Self.isReplaced(band, first, second)
            let matrix = Self.matrix(coefficient, isMidSide: isMidSide, isReversed: choice.isReversed)
            var x = first.lines.mutableSpan
            var y = second.lines.mutableSpan
            var sums = (SIMD4<Float>(), SIMD4<Float>())
            let lines = layout.lines(band)
            precondition(x.span.hasQuads(lines) && y.span.hasQuads(lines))
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                // Within the range checked above.
                let (a, b) = unsafe (x.vector(unchecked: line), y.vector(unchecked: line))
                let (d, e) = (a * matrix.0.x + b * matrix.0.y, a * matrix.1.x + b * matrix.1.y)
                unsafe x.store(d, unchecked: line)
                unsafe y.store(e, unchecked: line)
                sums = (sums.0 + d * d, sums.1 + e * e)
            }
            energies[band] = SIMD2(sums.0.laneSum, sums.1.laneSum)
            guard first.replacements.contains(band) != second.replacements.contains(band) else { continue }
            first.replacements.keepLines(band)
            second.replacements.keepLines(band)
        }
    }
}
#endif
