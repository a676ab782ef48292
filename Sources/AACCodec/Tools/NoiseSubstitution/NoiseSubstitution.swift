// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Decides which bands are sent as noise of the right energy in place of lines (ISO/IEC 14496-3:2009, 4.6.13).
///
/// Only where bits are so short that the lines would be little more than noise anyway, in bands that are noise to begin
/// with, in the treble, and where the level is even: a noise band has one level for the whole window.
struct NoiseSubstitution {
    /// Frames for which each band has been fit for noise, up to ``framesToEnter``; negative while it is noise and unfit.
    ///
    /// At the start a fit band becomes noise at once.
    private var fitness = [52 of Int8](repeating: Self.framesToEnter - 1)

    /// The lowest frequency of a noise band, in hertz.
    static let lowestFrequency = 4_000

    /// Rates a channel, as at 48 kHz, from which noise is not used.
    static let highestBitRate: Float = 50_000

    /// Bands more like tones than this are not noise.
    private static let tonalityLimit: Float = 0.3

    /// The least evenness of the level over the window: geometric over arithmetic mean.
    private static let evennessLimit: Float = 0.6

    /// The least noise target against the energy of the band.
    private static let starvation: Float = 0.25

    /// Fit frames before a band becomes noise, and unfit ones before it stops.
    private static let framesToEnter: Int8 = 3
    private static let framesToLeave: Int8 = 2

    /// Marks the bands of a long window that become noise, and gives them their level.
    ///
    /// - Parameters:
    ///   - noise: The noise targets; with `quality` they are what the band will have.
    ///   - evenness: Of the level of the treble over the window.
    mutating func decide(
        _ analysis: borrowing BandAnalysis, quality: Float, evenness: Float, firstBand: Int, layout: borrowing BandLayout,
        into replacements: inout BandReplacements
    ) {
        let isEven = evenness > Self.evennessLimit
        for band in firstBand..<layout.count {
            let energy = analysis.energy.span[band]
            let isStarved = analysis.noise.span[band] * quality > Self.starvation * energy && energy > 1
            let isNoise = analysis.tonality.span[band] < Self.tonalityLimit
            let isFit = isEven && isStarved && isNoise
            var count = fitness.span[band]
            if isFit { count = count < 0 ? Self.framesToEnter : min(count + 1, Self.framesToEnter) }
            if !isFit { count = count >= Self.framesToEnter ? -1 : count < 0 ? count - 1 : 0 }
            if count <= -Self.framesToLeave { count = 0 }
            fitness[band] = count
            guard count < 0 || count >= Self.framesToEnter else { continue }
            replacements.setNoise(band, energy: energy)
        }
    }

    /// Forgets everything, after short windows.
    mutating func interrupt() { fitness = [52 of Int8](repeating: 0) }
}

/// Bands of a channel that are sent without lines: as noise, or as a copy of the left channel.
struct BandReplacements {
    /// The codebook of each band, 0 where lines are sent.
    private(set) var codebooks = [120 of UInt8](repeating: 0)

    /// The noise energy or intensity position of each band that is replaced.
    private(set) var values = [120 of Int16](repeating: 0)

    /// Makes a band noise; a level is the energy in steps of 1.5 dB.
    mutating func setNoise(_ band: Int, energy: Float) {
        codebooks[band] = BandCodebook.noise
        values[band] = Int16(max(0, min(2 * PortableMath.log2(energy) + 0.5, 120)))
    }

    /// Makes a band a copy of the left channel, `position` steps of 1.5 dB softer.
    mutating func setIntensity(_ band: Int, position: Int, isInPhase: Bool) {
        codebooks[band] = isInPhase ? BandCodebook.intensityInPhase : BandCodebook.intensityOutOfPhase
        values[band] = Int16(position)
    }

    /// Whether a band is sent without lines.
    @inline(__always)
    func contains(_ band: Int) -> Bool { codebooks[band] != 0 }

    /// Sends all bands with lines.
    mutating func clear() { codebooks = [120 of UInt8](repeating: 0) }
}
