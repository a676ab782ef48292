// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
package import TransformEncoding

/// Decides which bands are sent as a noise energy, without lines (perceptual noise substitution, ISO/IEC 14496-3:2009, 4.6.13).
///
/// A band is substituted only if the bits are so scarce that its lines would decode to little more than noise. It must also be noise-like,
/// high in frequency and steady, because a noise band has one energy for the whole window. Bands with lines common to both channels of a
/// pair are excluded (``keepCommonLines(_:_:layout:)``).
package struct NoiseSubstitution: ~Copyable {
    /// The number of consecutive frames in which each band was suitable, up to ``framesToEnter``.
    ///
    /// Negative while an unsuitable band is still sent as noise.
    ///
    /// At the start of a stream one suitable frame is enough.
    private var suitability = FixedArray<Int8>(repeating: Self.framesToEnter - 1, count: PsychoacousticTables.bandCapacity)

    /// Creates the state at the start of a stream.
    package init() {}

    /// The lowest frequency of a noise band, in hertz.
    static let lowestFrequency = 4_000

    /// The bit rate per channel, scaled to 48 kHz, at and above which PNS is not used.
    ///
    /// Measured in Tools.md#the-tools-one-by-one.
    static let highestBitRate: Float = 50_000

    /// The tonality below which a band is noise-like.
    ///
    /// Measured in Tools.md#noise-substitution-and-stereo.
    private static let tonalityLimit: Float = 0.3

    /// The minimum evenness of the level over the window: geometric over arithmetic mean.
    ///
    /// Measured in Tools.md#noise-substitution-and-stereo.
    private static let spectralFlatnessLimit: Float = 0.6

    /// The minimum ratio of expected quantization noise to band energy.
    ///
    /// Measured in NoiseTargets.md#noise-by-frequency.
    private static let noiseToSignalLimit: Float = 0.25

    /// The ratio of the sent noise energy to the energy of the replaced lines: -1.5 dB.
    ///
    /// Measured in NoiseTargets.md#bandwidth-and-the-level-of-noise.
    private static let energyFraction: Float = 0.7

    /// The minimum squared correlation of common lines of two channels: half of their power.
    ///
    /// Measured in Tools.md#noise-substitution-and-stereo.
    private static let commonPower: Float = 0.5

    /// The number of suitable frames before PNS starts in a band, and of unsuitable ones before it ends.
    private static let framesToEnter: Int8 = 3
    private static let framesToLeave: Int8 = 2

    /// Marks the bands of a long window that are sent as noise, with their energies.
    ///
    /// - Parameters:
    ///   - analysis: Energies, tonalities and noise targets of the bands.
    ///   - noiseScale: The expected ratio of noise energy to noise target.
    ///   - spectralFlatness: The evenness of the high-frequency level over the window, 0 to 1.
    ///   - firstBand: The lowest band that may be noise.
    package mutating func decide(
        _ analysis: borrowing BandAnalysis, noiseScale: Float, spectralFlatness: Float, firstBand: Int, layout: borrowing BandLayout,
        into replacements: inout BandReplacements
    ) {
        let isEven = spectralFlatness > Self.spectralFlatnessLimit
        for band in firstBand..<layout.count {
            let energy = analysis.energy[band]
            let isBitStarved = analysis.noise[band] * noiseScale > Self.noiseToSignalLimit * energy && energy > 1
            let isNoiseLike = analysis.tonality[band] < Self.tonalityLimit
            let count = Self.next(suitability[band], isSuitable: isEven && isBitStarved && isNoiseLike)
            suitability[band] = count
            guard count < 0 || count >= Self.framesToEnter else { continue }
            replacements.setNoise(band, energy: energy * Self.energyFraction)
        }
    }

    /// Returns a band's updated count after one more frame.
    private static func next(_ count: Int8, isSuitable: Bool) -> Int8 {
        if isSuitable { return count < 0 ? framesToEnter : min(count + 1, framesToEnter) }
        let count: Int8 = count >= framesToEnter ? -1 : count < 0 ? count - 1 : 0
        return count <= -framesToLeave ? 0 : count
    }

    /// Restores the lines of noise bands in both channels if more than half of the power is common to them.
    ///
    /// Stereo coding sends common content once, whereas the noise of the two channels is independent. Call it before stereo coding.
    package static func keepCommonLines(_ left: inout ChannelSpectrum, _ right: inout ChannelSpectrum, layout: borrowing BandLayout) {
        for band in 0..<layout.count where left.replacements.contains(band) || right.replacements.contains(band) {
            let sums = PortableMath.correlate(left.lines.span, right.lines.span, in: layout.lines(band))
            guard sums.product * sums.product > commonPower * sums.leftEnergy * sums.rightEnergy else { continue }
            left.replacements.keepLines(band)
            right.replacements.keepLines(band)
        }
    }

    /// Clears the history after short windows.
    package mutating func interrupt() { suitability.fill(0) }

    /// Resets to the start of a stream.
    mutating func reset() { suitability.fill(Self.framesToEnter - 1) }

    /// Copies the history from another instance.
    mutating func copy(_ other: borrowing NoiseSubstitution) { suitability.copy(other.suitability) }
}
