// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
package import TransformEncoding

/// Decides which bands of the right channel are sent as a scaled copy of the left one (intensity stereo, ISO/IEC 14496-3:2009, 4.6.8.2).
///
/// - Amplitude-panned bands keep their waveform as copies, at any bit rate and frequency
///   (``panBands(_:_:energies:noiseScale:interval:layout:)``).
/// - Other bands (``decide(left:right:noiseScale:firstBand:layout:)``) are copied only at low bit rates and at high frequencies, where
///   localization depends on level. Both channels must have nearly the same waveform, so that the copy error is close to the frame's noise.
package struct IntensityStereo: ~Copyable {
    /// Whether each band was a copy in the previous frame.
    private var previous = BandFlags()

    /// The number of frames until bands are searched for panning again.
    private var framesUntilPanning = 0

    var copies = FixedArray<AmplitudePanning>(repeating: AmplitudePanning(), count: BandLayout.maximumCount)

    var bitsSaved = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The position of each band's copy, or 0.
    var positions = FixedArray<Int16>(repeating: 0, count: BandLayout.maximumCount)

    /// Creates a state without history.
    package init() {}

    /// The lowest frequency of copied bands that are not amplitude-panned, in hertz.
    static let lowestFrequency = 5_500

    /// The bit rate per channel, scaled to 48 kHz, at and above which such bands are not copied.
    ///
    /// Measured in Tools.md#the-tools-one-by-one.
    static let highestBitRate: Float = 18_000

    /// The maximum ratio of a copy's error energy to the noise of the band.
    ///
    /// Larger if the band was a copy in the previous frame.
    private static let errorLimit: Float = 2
    private static let errorLimitWhileUsed: Float = 3

    /// The maximum level difference, in steps of 1.5 dB: 30 dB.
    private static let maximumPosition = 20

    /// Marks the bands of a long window that the right channel copies.
    ///
    /// - Parameters:
    ///   - noiseScale: The expected ratio of noise energy to noise target.
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

    /// Returns the position and phase with which the right channel can copy a band, or `nil` if it cannot.
    private static func copy(
        ofBand band: Int, lines: Range<Int>, left: borrowing ChannelSpectrum, right: borrowing ChannelSpectrum, errorLimit: Float
    ) -> (position: Int, isInPhase: Bool)? {
        if left.replacements.contains(band) || right.replacements.contains(band) { return nil }
        let sums = PortableMath.correlate(left.lines.span, right.lines.span, in: lines)
        guard sums.leftEnergy > 1, sums.rightEnergy > 1 else { return nil }
        // The fraction of energy that no scaled copy can represent: 1 - ρ².
        let error = 1 - sums.product * sums.product / (sums.leftEnergy * sums.rightEnergy)
        guard error * sums.rightEnergy < errorLimit * right.noiseTargets[band],
            error * sums.leftEnergy < errorLimit * left.noiseTargets[band]
        else { return nil }
        guard let position = position(leftEnergy: sums.leftEnergy, rightEnergy: sums.rightEnergy) else { return nil }
        return (position, sums.product > 0)
    }

    /// Returns the position closest to a level difference, in steps of 1.5 dB, or `nil` if it is out of range.
    @inline(__always)
    static func position(leftEnergy: Float, rightEnergy: Float) -> Int? {
        let position = Int(2 * PortableMath.log2(leftEnergy / rightEnergy) + 100.5) - 100
        return abs(position) <= maximumPosition ? position : nil
    }

    /// Sends amplitude-panned bands of a pair as one spectrum (``panBands(_:_:energies:noiseScale:layout:)``).
    ///
    /// - Parameter interval: The number of frames between searches while no bands are found.
    mutating func panBands(
        _ left: inout ChannelSpectrum, _ right: inout ChannelSpectrum, energies: (left: Span<Float>, right: Span<Float>), noiseScale: Float,
        interval: Int, layout: borrowing BandLayout
    ) {
        framesUntilPanning -= 1
        guard framesUntilPanning <= 0 else { return }
        let hasCopies = panBands(&left, &right, energies: energies, noiseScale: noiseScale, layout: layout)
        framesUntilPanning = hasCopies ? 1 : interval
    }

    /// Clears the history after short windows.
    mutating func interrupt() {
        previous = BandFlags()
        framesUntilPanning = 0
    }

    /// Copies the history from another instance.
    mutating func copy(_ other: borrowing IntensityStereo) {
        previous = other.previous
        framesUntilPanning = other.framesUntilPanning
    }
}
