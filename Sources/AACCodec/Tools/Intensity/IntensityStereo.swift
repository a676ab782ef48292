// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
package import TransformEncoding

/// Decides which bands of the right channel are sent as a scaled copy of the left one (intensity stereo, ISO/IEC 14496-3:2009, 4.6.8.2).
///
/// - Bands that are panned by amplitude alone keep their waveform as copies, at any bit rate and frequency
///   (``copyPannedBands(_:_:energies:noiseScale:interval:layout:)``).
/// - Others (``decide(left:right:noiseScale:firstBand:layout:)``) are copies only at low bit rates, at high frequencies, where direction is
///   judged by level, and where both channels have nearly the same waveform, so that the error of the copies is near the noise of the frame.
package struct IntensityStereo: ~Copyable {
    /// Whether each band was a copy in the frame before.
    private var previous = BandFlags()

    /// The number of frames until bands are searched for panning again, since the latest had none.
    private var framesUntilPanning = 0

    /// The copies of bands that may be panned by amplitude.
    var copies = FixedArray<PannedCopy>(repeating: PannedCopy(), count: BandLayout.maximumCount)

    /// The bits that the copy of each band saves.
    var bitsSaved = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The position of the copy of each band, 0 if there is none.
    var positions = FixedArray<Int16>(repeating: 0, count: BandLayout.maximumCount)

    /// Creates the initial value.
    package init() {}

    /// The lowest frequency of a band that is copied though it is not panned by amplitude, in hertz.
    static let lowestFrequency = 5_500

    /// The bit rate of a channel, scaled to 48 kHz, from which on no such band is copied.
    ///
    /// Measured in Tools.md#the-tools-one-by-one.
    static let highestBitRate: Float = 18_000

    /// The largest energy of the error of a copy over the noise of the band; larger where the band was a copy before.
    private static let errorLimit: Float = 2
    private static let errorLimitWhileUsed: Float = 3

    /// The largest difference of level, in steps of 1.5 dB: 30 dB.
    private static let largestPosition = 20

    /// Marks the bands of a long window that the right channel copies.
    ///
    /// - Parameters:
    ///   - noiseScale: The factor from noise targets to the noise that coding will leave.
    ///   - firstBand: The lowest band that may be a copy.
    package mutating func decide(
        left: borrowing ChannelSpectrum, right: inout ChannelSpectrum, noiseScale: Float, firstBand: Int, layout: borrowing BandLayout
    ) {
        for band in firstBand..<layout.count {
            let limit = (previous[band] ? Self.errorLimitWhileUsed : Self.errorLimit) * noiseScale
            let copy = Self.copy(ofBand: band, lines: layout.lines(band), left: left, right: right, errorLimit: limit)
            if let copy { right.replacements.setIntensity(band, position: copy.position, isInPhase: copy.isInPhase) }
            previous[band] = copy != nil
        }
    }

    /// Returns the position and phase with which the right channel can copy a band; nil if it can't.
    private static func copy(
        ofBand band: Int, lines: Range<Int>, left: borrowing ChannelSpectrum, right: borrowing ChannelSpectrum, errorLimit: Float
    ) -> (position: Int, isInPhase: Bool)? {
        if left.replacements.contains(band) || right.replacements.contains(band) { return nil }
        let sums = PortableMath.correlate(left.lines.span, right.lines.span, in: lines)
        guard sums.leftEnergy > 1, sums.rightEnergy > 1 else { return nil }
        // The part of the energy that no scaled copy has: 1 - ρ².
        let error = 1 - sums.product * sums.product / (sums.leftEnergy * sums.rightEnergy)
        guard error * sums.rightEnergy < errorLimit * right.noiseTargets[band],
            error * sums.leftEnergy < errorLimit * left.noiseTargets[band]
        else { return nil }
        guard let position = position(leftEnergy: sums.leftEnergy, rightEnergy: sums.rightEnergy) else { return nil }
        return (position, sums.product > 0)
    }

    /// Returns the position nearest to a difference of level, in steps of 1.5 dB; nil if it is too large.
    @inline(__always)
    static func position(leftEnergy: Float, rightEnergy: Float) -> Int? {
        let position = Int(2 * PortableMath.log2(leftEnergy / rightEnergy) + 100.5) - 100
        return abs(position) <= largestPosition ? position : nil
    }

    /// Sends the bands of a pair that are panned by amplitude as one spectrum (``copyPannedBands(_:_:energies:noiseScale:layout:)``).
    ///
    /// - Parameter interval: Of so many frames without such bands, one is searched.
    mutating func copyPannedBands(
        _ left: inout ChannelSpectrum, _ right: inout ChannelSpectrum, energies: (left: Span<Float>, right: Span<Float>), noiseScale: Float,
        interval: Int, layout: borrowing BandLayout
    ) {
        framesUntilPanning -= 1
        guard framesUntilPanning <= 0 else { return }
        let hasCopies = copyPannedBands(&left, &right, energies: energies, noiseScale: noiseScale, layout: layout)
        framesUntilPanning = hasCopies ? 1 : interval
    }

    /// Discards the history, after short windows.
    mutating func interrupt() {
        previous = BandFlags()
        framesUntilPanning = 0
    }

    /// Copies the history of another one.
    mutating func copy(_ other: borrowing IntensityStereo) {
        previous = other.previous
        framesUntilPanning = other.framesUntilPanning
    }
}
