// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding
package import TransformEncoding

/// Intensity stereo that preserves the waveform, for amplitude-panned bands.
///
/// If a band contains a single source, right equals left times a factor. Sending one spectrum and the factor is then enough, while mid and
/// side are both as complex as left. This uses no perceptual assumption: the difference from an exact copy counts as distortion, like
/// quantization.
///
/// Measured in Tools.md#bands-that-are-panned-by-amplitude.
extension IntensityStereo {
    /// The common spectrum of a band that approximates both channels best.
    struct AmplitudePanning: BitwiseCopyable {
        /// The level of right relative to left, in steps of -1.5 dB.
        fileprivate(set) var position = 0

        /// The gain from left to right for the position; negative if out of phase.
        fileprivate(set) var gain: Float = 0

        /// The reciprocal noise targets of left and right.
        fileprivate(set) var weights: SIMD2<Float> = [0, 0]

        /// The cost of the difference from an exact copy, in bits.
        fileprivate(set) var differenceCost: Float = 0

        /// The scale factor bits that the copy saves.
        ///
        /// 0 if right or side would be omitted anyway.
        fileprivate(set) var scaleFactorBits: Float = 0

        /// The weight of an error in the sent spectrum.
        fileprivate var sum: Float { weights[0] + gain * gain * weights[1] }

        /// The factors of left and right in the sent spectrum.
        ///
        /// Each channel's error counts with its weight.
        fileprivate var shares: SIMD2<Float> { SIMD2(weights[0], gain * weights[1]) / sum }
    }

    /// Replaces bands of both channels with one spectrum if that needs fewer bits than L/R and than M/S.
    ///
    /// - Parameters:
    ///   - left: The left channel. Receives the sent spectrum.
    ///   - right: The right channel. Receives the intensity positions.
    ///   - energies: The energy of each band of both channels.
    ///   - noiseScale: The expected ratio of noise energy to noise target.
    /// - Returns: Whether any band was replaced.
    package mutating func panBands(
        _ left: inout ChannelSpectrum, _ right: inout ChannelSpectrum, energies: (left: Span<Float>, right: Span<Float>), noiseScale: Float,
        layout: borrowing BandLayout
    ) -> Bool {
        bitsSaved.fill(-.infinity)
        positions.fill(0)
        var total: Float = 0
        for first in stride(from: 0, to: layout.count, by: 4) {
            let targets = (
                left.noiseTargets.span(first: BandLayout.maximumCount).vector(at: first),
                right.noiseTargets.span(first: BandLayout.maximumCount).vector(at: first)
            )
            let margins = Self.candidateMargins(energies, noiseTargets: targets, at: first, noiseScale: noiseScale)
            for band in first..<min(first + 4, layout.count) where margins[band - first] > 0 {
                guard !left.replacements.contains(band) && !right.replacements.contains(band) else { continue }
                let lines = layout.lines(band)
                guard let copy = Self.amplitudePanning(left, right, energies: energies, band: band, lines: lines, noiseScale: noiseScale)
                else { continue }
                copies[band] = copy
                bitsSaved[band] = copy.bitsSaved(left.lines.span, right.lines.span, in: lines, scale: Float(lines.count) / noiseScale)
                positions[band] = Int16(copy.position)
                total += max(bitsSaved[band], 0)
            }
        }
        guard total > 2 * Self.shortSectionCost else { return false }
        let isCopy = Self.chooseRuns(bitsSaved.span, positions: positions.span, layout: layout)
        var hasCopies = false
        for band in 0..<layout.count where isCopy[band] {
            hasCopies = true
            let copy = copies[band]
            Self.mix(&left, right, in: layout.lines(band), shares: copy.shares)
            left.noiseTargets[band] = MidSideStereo.costedNoiseWeight / copy.sum
            right.replacements.setIntensity(band, position: copy.position, isInPhase: copy.gain > 0)
        }
        return hasCopies
    }

    /// Returns a positive value for each of four bands that may be copied.
    ///
    /// Their energies must differ, because otherwise side is zero, and exceed the noise.
    @inline(__always)
    private static func candidateMargins(
        _ energies: (left: Span<Float>, right: Span<Float>), noiseTargets: (SIMD4<Float>, SIMD4<Float>), at band: Int, noiseScale: Float
    ) -> SIMD4<Float> {
        let (l, r) = (energies.left.vector(at: band), energies.right.vector(at: band))
        let least = minimumSignalToNoise * noiseScale
        return (l.maximum(r) - l.minimum(r) * centralRatio).minimum(l - noiseTargets.0 * least).minimum(r - noiseTargets.1 * least)
    }

    /// Returns the copy of a band, or `nil` if the channels are too different.
    @inline(__always)
    private static func amplitudePanning(
        _ left: borrowing ChannelSpectrum, _ right: borrowing ChannelSpectrum, energies: (left: Span<Float>, right: Span<Float>), band: Int,
        lines: Range<Int>, noiseScale: Float
    ) -> AmplitudePanning? {
        var product = SIMD4<Float>(repeating: 0)
        let (leftLines, rightLines) = (left.lines.span, right.lines.span)
        precondition(leftLines.hasQuads(lines) && rightLines.hasQuads(lines))
        for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
            // In bounds by the precondition above.
            product += unsafe leftLines.vector(unchecked: line) * rightLines.vector(unchecked: line)
        }
        return amplitudePanning(
            (product.laneSum, energies.left[band], energies.right[band]),
            noiseTargets: SIMD2(left.noiseTargets[band], right.noiseTargets[band]), noiseScale: noiseScale, lineCount: lines.count)
    }

    /// Returns the copy of a band, or `nil` if the channels are too different.
    @inline(__always)
    static func amplitudePanning(
        _ sums: (product: Float, leftEnergy: Float, rightEnergy: Float), noiseTargets: SIMD2<Float>, noiseScale: Float, lineCount: Int
    ) -> AmplitudePanning? {
        guard sums.leftEnergy > 1, sums.rightEnergy > 1 else { return nil }
        let weights = 1 / noiseTargets
        // A lower bound of the weighted error for any factor: the determinant of the weighted correlation matrix over its trace.
        let (l, r) = (sums.leftEnergy * weights[0], sums.rightEnergy * weights[1])
        let determinant = l * r - sums.product * sums.product * weights[0] * weights[1]
        guard determinant * bitsPerNoise < maximumDifferenceCost * noiseScale * (l + r) else { return nil }
        guard let position = position(leftEnergy: sums.leftEnergy, rightEnergy: sums.rightEnergy) else { return nil }
        let gain = PortableMath.exp2(-0.25 * Float(position)) * (sums.product > 0 ? 1 : -1)
        var copy = AmplitudePanning(position: position, gain: gain, weights: weights)
        let squares = gain * gain * sums.leftEnergy - 2 * gain * sums.product + sums.rightEnergy
        let error = weights[0] * weights[1] / copy.sum * max(squares, 0)
        copy.differenceCost = error * Float(lineCount) / noiseScale * bitsPerNoise
        let ratios = (1 + min(l, r) / noiseScale) * MidSideStereo.costedNoiseWeight
        let most = min(ratios, copy.maximumRatioToJoint(sums, noiseScale: noiseScale))
        guard 0.5 * Float(lineCount) * PortableMath.log2(most) > copy.differenceCost else { return nil }
        if most > codedRatio { copy.scaleFactorBits = scaleFactorBits }
        return copy
    }

    /// Returns the bands to copy: the choice that saves the most bits, after the cost of positions and of section headers where runs of
    /// copies start and end.
    package static func chooseRuns(_ bitsSaved: Span<Float>, positions: Span<Int16>, layout: borrowing BandLayout) -> BandFlags {
        let sectionCost = layout.sequence == .eightShort ? shortSectionCost : longSectionCost
        var (isCopy, beginsRun, endsRun) = (BandFlags(), BandFlags(), BandFlags())
        for group in 0..<layout.groupCount {
            let bands = group * layout.bandsPerGroup..<(group + 1) * layout.bandsPerGroup
            // The maximum savings up to a band that is not copied, and up to one that is, with the latest position of each path.
            var without = (bits: Float(0), position: 0)
            var with = (bits: -Float.infinity, position: 0)
            for band in bands {
                let position = Int(positions[band])
                let continued = with.bits - positionBits(position - with.position)
                let begun = without.bits - sectionCost - positionBits(position - without.position)
                let ended = with.bits - sectionCost
                beginsRun[band] = begun > continued
                endsRun[band] = ended > without.bits
                if endsRun[band] { without = (ended, with.position) }
                with = (max(continued, begun) + bitsSaved[band], position)
            }
            var isRun = with.bits - sectionCost > without.bits
            for band in bands.reversed() {
                isCopy[band] = isRun
                if isRun ? beginsRun[band] : endsRun[band] { isRun.toggle() }
            }
        }
        return isCopy
    }

    /// Returns the approximate size of a position difference, in bits.
    private static func positionBits(_ difference: Int) -> Float { difference == 0 ? 1 : Float(abs(difference) + 2) }

    /// Replaces the left lines with a weighted sum of both channels.
    private static func mix(_ left: inout ChannelSpectrum, _ right: borrowing ChannelSpectrum, in lines: Range<Int>, shares: SIMD2<Float>) {
        var sent = left.lines.mutableSpan
        let other = right.lines.span
        for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
            sent.store(sent.vector(at: line) * shares[0] + other.vector(at: line) * shares[1], at: line)
        }
    }

    /// The bits equivalent to a distortion as large as the noise: 1 / (2 ln 2), the reciprocal of the Lagrange multiplier.
    private static let bitsPerNoise: Float = 0.721_347_5

    /// The maximum cost of the difference from an exact copy, in bits per line.
    ///
    /// Hardly any band above it is cheaper as a copy.
    private static let maximumDifferenceCost: Float = 2

    /// The energy ratio below which the position is 0: half a step of 1.5 dB.
    private static let centralRatio: Float = 1.189_207

    /// The minimum signal-to-noise ratio of both channels in a band that is considered.
    private static let minimumSignalToNoise: Float = 0.25

    /// The section header bits caused by the start and end of a run of copies.
    ///
    /// A header has 9 bits in a long window and 7 in short ones.
    private static let longSectionCost: Float = 6
    private static let shortSectionCost: Float = 4

    /// The bits of a scale factor that is not sent, and the value of 1 + x²/N above which it would be.
    private static let scaleFactorBits: Float = 3
    private static let codedRatio: Float = 3
}

extension IntensityStereo.AmplitudePanning {
    /// Returns an upper bound of the ratio of 1 + x²/N between mid/side and the copy, as a mean over lines.
    ///
    /// The logarithm of a mean is at least the mean of the logarithms, and the larger of mid and side is proportional to the copy.
    @inline(__always)
    fileprivate func maximumRatioToJoint(
        _ sums: (product: Float, leftEnergy: Float, rightEnergy: Float), noiseScale: Float
    ) -> Float {
        let shares = shares
        let (energies, product) = (sums.leftEnergy + sums.rightEnergy, 2 * abs(sums.product))
        let ofJoint = weights.max() * (0.25 / MidSideStereo.noiseFraction)
        let sent =
            shares[0] * shares[0] * sums.leftEnergy + shares[1] * shares[1] * sums.rightEnergy + 2 * shares[0] * shares[1] * sums.product
        let smaller = 1 + max(energies - product, 0) * ofJoint / noiseScale
        return smaller * max((energies + product) * ofJoint * MidSideStereo.costedNoiseWeight / (sent * sum), 1)
    }

    /// Returns how many bits the copy saves compared with L/R or M/S, whichever is cheaper, including the cost of its difference.
    ///
    /// - Parameter scale: The factor from reciprocal noise targets to the reciprocal noise of a line.
    fileprivate func bitsSaved(_ left: Span<Float>, _ right: Span<Float>, in lines: Range<Int>, scale: Float) -> Float {
        let shares = shares
        let ofSent = sum * scale / MidSideStereo.costedNoiseWeight
        let (ofLeft, ofRight) = (weights[0] * scale, weights[1] * scale)
        // Mid and side are half of sum and difference.
        let ofJoint = max(ofLeft, ofRight) * (0.25 / MidSideStereo.noiseFraction)
        let one = SIMD4<Float>(repeating: 1)
        let separate = PortableMath.sumOfLog2(lines) { line in
            let (l, r) = (left.vector(at: line), right.vector(at: line))
            let sent = l * shares[0] + r * shares[1]
            return (one + l * l * ofLeft) * (one + r * r * ofRight) / (one + sent * sent * ofSent)
        }
        let joint = PortableMath.sumOfLog2(lines) { line in
            let (l, r) = (left.vector(at: line), right.vector(at: line))
            let (sum, difference) = (l + r, l - r)
            let sent = l * shares[0] + r * shares[1]
            return (one + sum * sum * ofJoint) * (one + difference * difference * ofJoint) / (one + sent * sent * ofSent)
        }
        return 0.5 * min(separate.laneSum, joint.laneSum) - differenceCost + scaleFactorBits
    }
}
