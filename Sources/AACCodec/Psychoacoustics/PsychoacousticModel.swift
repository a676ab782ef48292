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
        for group in 0..<layout.groupCount {
            let first = group * bands
            let windows = Float(layout.groupLengths.span[group])
            var spread: Float = 0
            for sfb in 0..<bands {
                spread = max(analysis.energy.span[first + sfb], spread * hearing.spreadFromBelow.span[sfb])
                analysis.threshold[first + sfb] = spread
            }
            spread = 0
            for sfb in stride(from: bands - 1, through: 0, by: -1) {
                spread = max(analysis.threshold.span[first + sfb], spread * hearing.spreadFromAbove.span[sfb])
                let tonality = analysis.tonality.span[first + sfb]
                let offset = tonality * (Self.toneOffset + 0.5 * hearing.bark.span[sfb]) + (1 - tonality) * Self.noiseOffset
                let masked = spread * PortableMath.exp2(-offset / Float(PortableMath.decibelsPerOctave))
                analysis.threshold[first + sfb] = max(masked, hearing.quietEnergy.span[sfb] * windows)
            }
        }
    }

    /// Shares noise out over the bands by the law, and by how closely the ear listens to each.
    static func allocateNoise(
        _ analysis: inout BandAnalysis, layout: borrowing BandLayout, law: NoiseAllocation, hearing: borrowing HearingTables.Bands,
        memory: inout LoudnessMemory
    ) {
        var rootSum: Float = 0
        var lineCount: Float = 0
        for band in 0..<layout.count {
            let width = Float(layout.width(band))
            rootSum += (analysis.energy.span[band] * width).squareRoot()
            lineCount += width
        }
        let loudness = memory.follow(2 * PortableMath.log2(rootSum / max(lineCount, 1) + Self.silence))
        let isShort = layout.sequence == .eightShort
        let energyExponent = law.energyExponent + (isShort ? Self.shortExponentOffset : 0)
        let rest = (1 - energyExponent - law.thresholdExponent) * loudness + (isShort ? Self.shortOffset : 0)
        for band in 0..<layout.count {
            let width = Float(layout.width(band))
            let energy = PortableMath.log2(analysis.energy.span[band] / width + Self.silence)
            let threshold = PortableMath.log2(analysis.threshold.span[band] / width)
            let own = energyExponent * energy + law.thresholdExponent * threshold
            let noise = own + rest + hearing.noiseOffset.span[band % layout.bandsPerGroup]
            analysis.noise[band] = width * PortableMath.exp2(noise)
        }
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
