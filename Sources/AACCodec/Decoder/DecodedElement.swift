// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// One parsed channel element of an access unit.
struct DecodedElement: ~Copyable {
    /// The channel pair.
    ///
    /// Single-channel elements use its first channel.
    var pair: ChannelPairElement

    /// The bit range of the element, after its identifier.
    var bits = 0..<0

    /// The bit range of the SBR payload that follows, including the extension type; empty if absent.
    var sbrPayload = 0..<0

    /// Creates a silent element.
    init(frameLength: Int) { pair = ChannelPairElement(frameLength: frameLength, readsPowers: true) }
}

extension DecodedElement {
    /// Returns the `ics_info` of one channel.
    func info(isSecond: Bool) -> ICSInfo { isSecond ? pair.second.info : pair.first.info }

    func noiseShaping(isSecond: Bool) -> TNSData? { isSecond ? pair.second.tns : pair.first.tns }

    /// Whether the second channel has intensity stereo bands.
    var usesIntensity: Bool { pair.second.uses(BandCodebook.intensityInPhase) || pair.second.uses(BandCodebook.intensityOutOfPhase) }

    /// Dequantizes the lines of one channel and fills its noise bands.
    ///
    /// - Returns: Whether no line needs limiting.
    func reconstruct(
        isSecond: Bool, by tools: inout ChannelReconstruction, bands: ScaleFactorBands, into lines: inout MutableSpan<Float>
    ) -> Bool {
        isSecond
            ? tools.reconstruct(pair.second, sharedNoise: pair.sharedNoise, bands: bands, into: &lines)
            : tools.reconstruct(pair.first, sharedNoise: BandFlags(), bands: bands, into: &lines)
    }

    /// Converts M/S bands of the pair to L/R.
    ///
    /// - Parameter offsets: The indices of both channels' first lines.
    func undoMidSide(offsets: (left: Int, right: Int), bands: ScaleFactorBands, in lines: inout MutableSpan<Float>) {
        MidSideSynthesis.synthesize(
            pair.midSide, codebooks: (pair.first.codebooks.span, pair.second.codebooks.span),
            division: FrameDivision(info: pair.first.info, bands: bands), offsets: offsets, in: &lines)
    }

    /// Fills the intensity bands of the right channel.
    ///
    /// - Parameter offsets: The indices of both channels' first lines.
    /// - Returns: Whether a right line may be larger than its left one.
    func applyIntensity(
        offsets: (left: Int, right: Int), bands: ScaleFactorBands, gains: Span<Float>, in lines: inout MutableSpan<Float>
    ) -> Bool {
        IntensitySynthesis.synthesize(
            (pair.second.codebooks.span, pair.second.scaleFactors.span), mask: pair.midSide,
            division: FrameDivision(info: pair.first.info, bands: bands), gains: gains, offsets: offsets, in: &lines)
    }
}

extension ChannelPairElement {
    /// The bands in which both channels have the same noise (ISO/IEC 14496-3:2009, 4.6.13.3).
    fileprivate var sharedNoise: BandFlags {
        var flags = BandFlags()
        guard midSide.kind != .none && first.uses(BandCodebook.noise) && second.uses(BandCodebook.noise) else { return flags }
        for band in 0..<ICSInfo.bandCapacity where first.codebooks[band] == BandCodebook.noise {
            flags[band] = midSide.contains(band)
        }
        return flags
    }
}
