// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
package import TransformEncoding

/// Decides which bands are sent as noise of their energy, without lines (perceptual noise substitution, ISO/IEC 14496-3:2009, 4.6.13).
///
/// A band is substituted only where its lines would be coded as little more than noise for lack of bits, where it is noise-like, high in
/// frequency, and of even level: a noise band has one energy for the whole window. In a pair it keeps its lines if the channels have them in
/// common (``keepCommonLines(_:_:layout:)``).
package struct NoiseSubstitution: ~Copyable {
    /// The number of consecutive frames in which each band was suitable for noise, up to ``framesToEnter``; negative while the band is
    /// still sent as noise and is no longer suitable.
    ///
    /// At the start of a stream the first suitable frame is enough.
    private var suitability = FixedArray<Int8>(repeating: Self.framesToEnter - 1, count: PsychoacousticTables.bandCapacity)

    /// Creates the initial value.
    package init() {}

    /// The lowest frequency of a noise band, in hertz.
    static let lowestFrequency = 4_000

    /// The bit rate of a channel, scaled to 48 kHz, from which on noise is not used.
    ///
    /// Measured in Tools.md#the-tools-one-by-one.
    static let highestBitRate: Float = 50_000

    /// The tonality below which a band is noise-like.
    ///
    /// Measured in Tools.md#noise-substitution-and-stereo.
    private static let tonalityLimit: Float = 0.3

    /// The least evenness of the level over the window: geometric over arithmetic mean.
    ///
    /// Measured in Tools.md#noise-substitution-and-stereo.
    private static let evennessLimit: Float = 0.6

    /// The least quantisation noise expected in a band, as a part of its energy.
    ///
    /// Measured in NoiseTargets.md#noise-by-frequency.
    private static let noiseToSignalLimit: Float = 0.25

    /// The energy of noise over that of the lines in its place: -1.5 dB.
    ///
    /// Measured in NoiseTargets.md#bandwidth-and-the-level-of-noise.
    private static let energyShare: Float = 0.7

    /// The least squared correlation of the lines of two channels that are in common: half of their power.
    ///
    /// Measured in Tools.md#noise-substitution-and-stereo.
    private static let commonPower: Float = 0.5

    /// Suitable frames before a band is sent as noise, and unsuitable ones before it is sent with lines again.
    private static let framesToEnter: Int8 = 3
    private static let framesToLeave: Int8 = 2

    /// Marks the bands of a long window that are sent as noise, with their energies.
    ///
    /// - Parameters:
    ///   - analysis: Energies, tonalities and noise targets of the bands.
    ///   - noiseScale: The factor from noise targets to the noise that coding will leave.
    ///   - evenness: The evenness of the level of the treble over the window, 0 to 1.
    ///   - firstBand: The lowest band that may be noise.
    package mutating func decide(
        _ analysis: borrowing BandAnalysis, noiseScale: Float, evenness: Float, firstBand: Int, layout: borrowing BandLayout,
        into replacements: inout BandReplacements
    ) {
        let isEven = evenness > Self.evennessLimit
        for band in firstBand..<layout.count {
            let energy = analysis.energy[band]
            let lacksBits = analysis.noise[band] * noiseScale > Self.noiseToSignalLimit * energy && energy > 1
            let isNoiseLike = analysis.tonality[band] < Self.tonalityLimit
            let count = Self.next(suitability[band], isSuitable: isEven && lacksBits && isNoiseLike)
            suitability[band] = count
            guard count < 0 || count >= Self.framesToEnter else { continue }
            replacements.setNoise(band, energy: energy * Self.energyShare)
        }
    }

    /// Returns the count of a band after one more frame, for its count before.
    private static func next(_ count: Int8, isSuitable: Bool) -> Int8 {
        if isSuitable { return count < 0 ? framesToEnter : min(count + 1, framesToEnter) }
        let count: Int8 = count >= framesToEnter ? -1 : count < 0 ? count - 1 : 0
        return count <= -framesToLeave ? 0 : count
    }

    /// Sends bands that are noise with lines again, in both channels of a pair, where more than half of the power is common to them.
    ///
    /// Stereo coding sends what is common once, and the noise of the channels is independent.
    ///
    /// - Parameters:
    ///   - left: The left channel, before stereo coding.
    ///   - right: The right channel.
    package static func keepCommonLines(_ left: inout ChannelSpectrum, _ right: inout ChannelSpectrum, layout: borrowing BandLayout) {
        for band in 0..<layout.count where left.replacements.contains(band) || right.replacements.contains(band) {
            let sums = PortableMath.correlate(left.lines.span, right.lines.span, in: layout.lines(band))
            guard sums.product * sums.product > commonPower * sums.leftEnergy * sums.rightEnergy else { continue }
            left.replacements.keepLines(band)
            right.replacements.keepLines(band)
        }
    }

    /// Discards the history, after short windows.
    package mutating func interrupt() { suitability.fill(0) }

    /// Returns to the start of a stream.
    mutating func reset() { suitability.fill(Self.framesToEnter - 1) }

    /// Copies the history of another one.
    mutating func copy(_ other: borrowing NoiseSubstitution) { suitability.copy(other.suitability) }
}
