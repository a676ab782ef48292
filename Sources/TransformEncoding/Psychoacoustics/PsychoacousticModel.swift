// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding

/// Computes masking thresholds and noise targets from the energies and tonalities of bands.
///
/// It contains workspace but no history.
package struct PsychoacousticModel: ~Copyable {
    private var excitation = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// log2 of the energy per line of each band, starting at index ``padding``.
    ///
    /// The first and last band are repeated once at the edges.
    private var logEnergies = FixedArray<Float>(repeating: 0, count: paddedCount)

    private static let paddedCount = BandLayout.maximumCount + 2 * padding

    package init() {}

    package static func measureEnergies(_ spectrum: Span<Float>, layout: borrowing BandLayout, into energy: inout MutableSpan<Float>) {
        for band in 0..<layout.count { energy[band] = PortableMath.sumOfSquares(spectrum, layout.lines(band)) }
    }

    /// Computes the masking threshold of each band: the spread excitation minus an offset that depends on the tonality, and at least the
    /// threshold in quiet.
    package mutating func setThresholds(
        of analysis: inout BandAnalysis, layout: borrowing BandLayout, tables: borrowing PsychoacousticTables.Bands
    ) {
        do {
            var excitation = excitation.mutableSpan(first: BandLayout.maximumCount)
            Self.spreadExcitation(analysis.energy.span, layout: layout, tables: tables, into: &excitation)
        }
        let (tonalities, barks, quietEnergies) = (analysis.tonality.span, tables.bark.span, tables.quietEnergy.span)
        let excitations = excitation.span(first: BandLayout.maximumCount)
        var thresholds = analysis.threshold.mutableSpan(first: BandLayout.maximumCount)
        Self.forEachFour(layout) { band, sfb, group in
            let tonality = tonalities.vector(at: band)
            let ofTone = SIMD4(repeating: Self.toneOffset) + barks.vector(at: sfb) * 0.5
            let offset = tonality * ofTone + (SIMD4(repeating: 1) - tonality) * Self.noiseOffset
            let masked = excitations.vector(at: band) * PortableMath.exp2(offset * (-1 / Float(PortableMath.decibelsPerOctave)))
            let quiet = quietEnergies.vector(at: sfb) * Float(layout.groupLengths[group])
            thresholds.store(masked.maximum(quiet), at: band)
        }
    }

    /// Computes the excitation of each band: the maximum of its own energy and the energies spread from other bands, first upward, then
    /// downward in frequency.
    private static func spreadExcitation(
        _ energies: Span<Float>, layout: borrowing BandLayout, tables: borrowing PsychoacousticTables.Bands,
        into excitation: inout MutableSpan<Float>
    ) {
        let bands = layout.bandsPerGroup
        let (fromBelow, fromAbove) = (tables.spreadFromBelow.span, tables.spreadFromAbove.span)
        for group in 0..<layout.groupCount {
            let first = group * bands
            var spread: Float = 0
            for sfb in 0..<bands {
                spread = energies[first + sfb].maximum(spread * fromBelow[sfb])
                excitation[first + sfb] = spread
            }
            spread = 0
            for sfb in (0..<bands).reversed() {
                spread = excitation[first + sfb].maximum(spread * fromAbove[sfb])
                excitation[first + sfb] = spread
            }
        }
    }

    /// Calls `body` for every four bands of each group, with the first band's index in the frame and in the group, and the group.
    ///
    /// The last four bands of a group overlap the previous four unless the band count is a multiple of four. A group with fewer than four
    /// bands counts as four.
    @inline(__always)
    private static func forEachFour(_ layout: borrowing BandLayout, _ body: (_ band: Int, _ sfb: Int, _ group: Int) -> Void) {
        for group in 0..<layout.groupCount {
            for next in stride(from: 0, to: layout.bandsPerGroup, by: 4) {
                let sfb = max(0, min(next, layout.bandsPerGroup - 4))
                body(group * layout.bandsPerGroup + sfb, sfb, group)
            }
        }
    }

    /// Computes the noise target of each band with the noise allocation rule and the auditory sensitivity at its frequency.
    ///
    /// - Parameters:
    ///   - allocation: The exponents of the rule.
    ///   - smoother: The loudness of previous frames. The call adds the current frame.
    ///   - preEchoExcesses: The pre-echo excess of each short window, from ``TransientDetector/onsetPreEchoExcesses()``.
    package mutating func allocateNoise(
        _ analysis: inout BandAnalysis, layout: borrowing BandLayout, allocation: NoiseAllocation,
        tables: borrowing PsychoacousticTables.Bands, smoother: inout LoudnessSmoother, preEchoExcesses: SIMD8<Float>
    ) {
        let lineCounts = layout.lineCounts.span(first: BandLayout.maximumCount)
        let loudness = smoother.update(with: Self.loudness(analysis.energy.span, layout: layout), weight: allocation.loudnessWeight)
        do {
            var logEnergies = logEnergies.mutableSpan(first: Self.paddedCount)
            Self.computeLogEnergies(analysis.energy.span, layout: layout, into: &logEnergies)
        }
        let energies = logEnergies.span(first: Self.paddedCount)
        let isShort = layout.sequence == .eightShort
        let energyExponent = allocation.energyExponent + (isShort ? allocation.shortExponentOffset : 0)
        let rest = (1 - energyExponent - allocation.thresholdExponent) * loudness + (isShort ? allocation.shortOffset : 0)
        let preEchoExcesses = Self.preEchoExcessesOfGroups(preEchoExcesses, layout: layout)
        let (thresholds, offsets, filterWidths) = (analysis.threshold.span, tables.noiseOffset.span, tables.filterWidth.span)
        let noiseTilt = isShort ? allocation.shortNoiseTilt : allocation.longNoiseTilt
        let limit = isShort ? Float.infinity : allocation.raiseLimit
        let prominenceWeight = isShort ? 0 : allocation.prominenceWeight
        let signalToMaskWeight = isShort ? 0 : allocation.signalToMaskWeight
        let ofMasking = isShort ? 0 : Self.meanMasking(energies, thresholds, layout: layout, share: allocation.maskingWeight)
        var noises = analysis.noise.mutableSpan(first: BandLayout.maximumCount)
        Self.forEachFour(layout) { band, sfb, group in
            let widths = lineCounts.vector(at: band).maximum(SIMD4(repeating: 1))
            let energy = energies.vector(at: band + Self.padding)
            let threshold = PortableMath.log2(thresholds.vector(at: band) / widths)
            let ofGroup = SIMD4(repeating: rest - allocation.onsetExponent * preEchoExcesses[group])
            let ofRatio = Self.limited(energy - threshold, to: Self.maximumSignalToMaskRatio) * signalToMaskWeight
            let noise = energy * energyExponent + threshold * allocation.thresholdExponent + ofGroup + offsets.vector(at: sfb) - ofRatio
            let maximumRaise = (energy + limit - noise).maximum(SIMD4(repeating: 0)) * 0.5
            let raise = (filterWidths.vector(at: sfb) * noiseTilt).minimum(maximumRaise)
            let fall = group + 1 < layout.groupCount ? Self.fall(energies, band, to: band + layout.bandsPerGroup) : SIMD4(repeating: 0)
            let reduction = Self.prominence(energies, band) * prominenceWeight + fall * allocation.fallWeight
            noises.store(widths * PortableMath.exp2(noise + raise - reduction + ofMasking), at: band)
        }
    }

    @inline(__always)
    private static func computeLogEnergies(
        _ energies: Span<Float>, layout: borrowing BandLayout, into padded: inout MutableSpan<Float>
    ) {
        let lineCounts = layout.lineCounts.span
        for band in stride(from: 0, to: layout.count, by: 4) {
            let widths = lineCounts.vector(at: band).maximum(SIMD4(repeating: 1))
            padded.store(PortableMath.log2(energies.vector(at: band) / widths + SIMD4(repeating: silence)), at: band + padding)
        }
        padded[padding - 1] = padded[padding]
        padded[padding + layout.count] = padded[padding + layout.count - 1]
    }

    /// Returns by how many octaves the energies per line of four bands exceed the geometric mean of their neighbours.
    @inline(__always)
    private static func prominence(_ padded: Span<Float>, _ band: Int) -> SIMD4<Float> {
        let middle = band + padding
        let neighbours = padded.vector(at: middle - 1) + padded.vector(at: middle + 1)
        let difference = padded.vector(at: middle) - neighbours * 0.5
        return difference.maximum(SIMD4(repeating: -maximumProminence)).minimum(SIMD4(repeating: maximumProminence))
    }

    /// Returns by how many octaves four bands exceed the same bands in the next group, in energy per line.
    private static func fall(_ padded: Span<Float>, _ band: Int, to next: Int) -> SIMD4<Float> {
        let difference = padded.vector(at: band + padding) - padded.vector(at: next + padding)
        return limited(difference, to: maximumFall)
    }

    /// Clamps four values to the range from 0 to `largest`.
    static func limited(_ octaves: SIMD4<Float>, to largest: Float) -> SIMD4<Float> {
        octaves.maximum(SIMD4(repeating: 0)).minimum(SIMD4(repeating: largest))
    }

    /// Returns `share` times the mean distance of the masking thresholds above the band energies, in octaves.
    private static func meanMasking(
        _ padded: Span<Float>, _ thresholds: Span<Float>, layout: borrowing BandLayout, share: Float
    ) -> Float {
        guard share > 0 else { return 0 }
        var sum: Float = 0
        for band in 0..<layout.count {
            let masking = PortableMath.log2(thresholds[band] / Float(layout.width(band))) - padded[band + padding]
            sum += max(-maximumMasking, min(masking, maximumMasking))
        }
        return share * sum / Float(max(layout.count, 1))
    }

    /// Returns the loudness of a frame as log2 of energy per line: the square of the mean amplitude over all lines.
    ///
    /// The amplitude in a band is the root of its mean energy.
    private static func loudness(_ energies: Span<Float>, layout: borrowing BandLayout) -> Float {
        let lineCounts = layout.lineCounts.span
        var rootSum = SIMD4<Float>(repeating: 0)
        var lineCount = SIMD4<Float>(repeating: 0)
        for band in stride(from: 0, to: layout.count, by: 4) {
            rootSum += (energies.vector(at: band) * lineCounts.vector(at: band)).squareRoots
            lineCount += lineCounts.vector(at: band)
        }
        return 2 * PortableMath.log2(rootSum.laneSum / max(lineCount.laneSum, 1) + Self.silence)
    }

    /// Returns the maximum pre-echo excess of the short windows of each group.
    private static func preEchoExcessesOfGroups(_ preEchoExcesses: SIMD8<Float>, layout: borrowing BandLayout) -> SIMD8<Float> {
        guard layout.sequence == .eightShort else { return preEchoExcesses }
        var result = SIMD8<Float>(repeating: 0)
        var window = 0
        for group in 0..<layout.groupCount {
            for _ in 0..<Int(layout.groupLengths[group]) {
                result[group] = max(result[group], preEchoExcesses[window])
                window += 1
            }
        }
        return result
    }

    /// The number of entries before the first and after the last band in ``logEnergies``.
    private static let padding = 4

    /// The maximum effective prominence, in octaves.
    private static let maximumProminence: Float = 6

    /// The maximum effective distance between masking threshold and energy, in octaves.
    private static let maximumMasking: Float = 10

    /// The maximum effective signal-to-mask ratio, in octaves.
    private static let maximumSignalToMaskRatio: Float = 6

    /// The maximum effective fall between groups, in octaves.
    private static let maximumFall: Float = 8

    /// The offset of the masking threshold below a tonal masker at 0 Bark, in decibels.
    ///
    /// It grows by 0.5 dB per Bark.
    private static let toneOffset: Float = 14.5

    /// The offset of the masking threshold below a noise masker, in decibels.
    private static let noiseOffset: Float = 6

    /// An energy per line far below a 16-bit quantization step, to keep logarithms finite.
    static let silence: Float = 1
}
