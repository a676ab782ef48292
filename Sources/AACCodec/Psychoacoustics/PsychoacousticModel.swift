// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// How much noise each band may have, in proportion: the exponents of the noise-allocation law.
///
/// log N = energy · log E + threshold · log T + (1 - energy - threshold) · log Ē, all as energies a line. Below
/// transparency, noise that follows loudness sounds better than noise that follows the masking threshold alone.
struct NoiseAllocation {
    /// The exponent of the band's own energy.
    var energyExponent: Float

    /// The exponent of the band's masking threshold.
    var thresholdExponent: Float

    /// Octaves of noise a short window loses for each octave by which it is exposed.
    var onsetExponent: Float
}

/// What the psychoacoustic model says of the bands of one channel in one frame.
struct BandAnalysis {
    /// Energy of the band: the sum of squared coefficients.
    var energy = [120 of Float](repeating: 0)

    /// 0 (noise) to 1 (tone).
    var tonality = [120 of Float](repeating: 0)

    /// The energy of noise that would just not be heard.
    var threshold = [120 of Float](repeating: 0)

    /// The energy of noise in proportion to which all bands share it; what quality means is a factor common to all.
    var noise = [120 of Float](repeating: 0)
}

/// Energies of coefficients to thresholds and noise targets; no bits.
enum PsychoacousticModel {
    /// Sums up the energies of all bands.
    static func measureEnergies(_ spectrum: Span<Float>, layout: borrowing BandLayout, into energy: inout MutableSpan<Float>) {
        for band in 0..<layout.count { energy[band] = PortableMath.sumOfSquares(spectrum, layout.lines(band)) }
    }

    /// Sets the masking thresholds: excitation spread over the bands, less an offset by tonality, never below what is heard in quiet.
    static func setThresholds(of analysis: inout BandAnalysis, layout: borrowing BandLayout, hearing: borrowing HearingTables.Bands) {
        let bands = layout.bandsPerGroup
        var excitation = [120 of Float](repeating: 0)
        for group in 0..<layout.groupCount {
            let first = group * bands
            var spread: Float = 0
            for sfb in 0..<bands {
                spread = max(analysis.energy.span[first + sfb], spread * hearing.spreadFromBelow.span[sfb])
                excitation[first + sfb] = spread
            }
            spread = 0
            for sfb in (0..<bands).reversed() {
                spread = max(excitation[first + sfb], spread * hearing.spreadFromAbove.span[sfb])
                excitation[first + sfb] = spread
            }
        }
        let (tonalities, barks, quietEnergies) = (analysis.tonality.span, hearing.bark.span, hearing.quietEnergy.span)
        let excitations = excitation.span
        var thresholds = analysis.threshold.mutableSpan
        eachFour(layout) { band, sfb, group in
            let tonality = tonalities.vector(at: band)
            let ofTone = SIMD4(repeating: Self.toneOffset) + barks.vector(at: sfb) * 0.5
            let offset = tonality * ofTone + (SIMD4(repeating: 1) - tonality) * Self.noiseOffset
            let masked = excitations.vector(at: band) * PortableMath.exp2(offset * (-1 / Float(PortableMath.decibelsPerOctave)))
            let quiet = quietEnergies.vector(at: sfb) * Float(layout.groupLengths.span[group])
            thresholds.store(masked.maximum(quiet), at: band)
        }
    }

    /// Goes through the bands in fours, the last of each group taking some again; fewer than four stand for four.
    @inline(__always)
    private static func eachFour(_ layout: borrowing BandLayout, _ body: (_ band: Int, _ sfb: Int, _ group: Int) -> Void) {
        for group in 0..<layout.groupCount {
            for next in stride(from: 0, to: layout.bandsPerGroup, by: 4) {
                let sfb = max(0, min(next, layout.bandsPerGroup - 4))
                body(group * layout.bandsPerGroup + sfb, sfb, group)
            }
        }
    }

    /// Shares noise out over the bands by the law, and by how closely the ear listens to each.
    ///
    /// - Parameter exposures: Of each short window, ``TransientDetector/onsetExposures()``.
    static func allocateNoise(
        _ analysis: inout BandAnalysis, layout: borrowing BandLayout, law: NoiseAllocation, hearing: borrowing HearingTables.Bands,
        memory: inout LoudnessMemory, exposures: [8 of Float]
    ) {
        let lineCounts = layout.lineCounts.span
        let energies = analysis.energy.span
        var rootSum = SIMD4<Float>(repeating: 0)
        var lineCount = SIMD4<Float>(repeating: 0)
        for band in stride(from: 0, to: layout.count, by: 4) {
            rootSum += (energies.vector(at: band) * lineCounts.vector(at: band)).squareRoots
            lineCount += lineCounts.vector(at: band)
        }
        let loudness = memory.follow(2 * PortableMath.log2(rootSum.laneSum / max(lineCount.laneSum, 1) + Self.silence))
        let isShort = layout.sequence == .eightShort
        let energyExponent = law.energyExponent + (isShort ? Self.shortExponentOffset : 0)
        let rest = (1 - energyExponent - law.thresholdExponent) * loudness + (isShort ? Self.shortOffset : 0)
        let exposures = exposuresOfGroups(exposures, layout: layout)
        let (thresholds, offsets) = (analysis.threshold.span, hearing.noiseOffset.span)
        var noises = analysis.noise.mutableSpan
        eachFour(layout) { band, sfb, group in
            let widths = lineCounts.vector(at: band).maximum(SIMD4(repeating: 1))
            let energy = PortableMath.log2(energies.vector(at: band) / widths + SIMD4(repeating: Self.silence))
            let threshold = PortableMath.log2(thresholds.vector(at: band) / widths)
            let ofGroup = SIMD4(repeating: rest - law.onsetExponent * exposures.span[group])
            let noise = energy * energyExponent + threshold * law.thresholdExponent + ofGroup + offsets.vector(at: sfb)
            noises.store(widths * PortableMath.exp2(noise), at: band)
        }
    }

    /// The largest exposure in each group of short windows.
    private static func exposuresOfGroups(_ exposures: [8 of Float], layout: borrowing BandLayout) -> [8 of Float] {
        guard layout.sequence == .eightShort else { return exposures }
        var result = [8 of Float](repeating: 0)
        var window = 0
        for group in 0..<layout.groupCount {
            for _ in 0..<Int(layout.groupLengths.span[group]) {
                result[group] = max(result[group], exposures.span[window])
                window += 1
            }
        }
        return result
    }

    /// Short windows get less noise, in octaves of energy, and follow the energy of bands less: they are chosen where noise is heard best.
    private static let shortOffset: Float = -1.4
    private static let shortExponentOffset: Float = -0.15

    /// The distance of masked noise below a tone at 0 Bark, in decibels; half a decibel a Bark is added.
    private static let toneOffset: Float = 14.5

    /// The distance of masked noise below noise, in decibels.
    private static let noiseOffset: Float = 6

    /// An energy a line that is nothing: far below a quantisation step of 16 bits.
    private static let silence: Float = 1
}
