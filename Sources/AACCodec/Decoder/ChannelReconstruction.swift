// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The tools that reconstruct the lines of one channel, with their tables and state.
struct ChannelReconstruction: ~Copyable {
    let tables = DequantizationTables()
    var tnsSynthesis = TNSSynthesis()
    /// The PNS generator.
    var noise = NoiseSynthesis()
    private var bandGains = FixedArray<Float>(repeating: 0, count: ICSInfo.bandCapacity)

    /// The gain above which lines may need limiting: scale factor 164, a step of the whole 16-bit range.
    private static let maximumOrdinaryGain: Float = 65_536
}

extension ChannelReconstruction {
    /// Dequantizes the lines of one channel and fills its noise bands, in window order.
    ///
    /// - Parameter sharedNoise: The bands that repeat the previous channel's noise.
    /// - Returns: Whether no line needs limiting.
    mutating func reconstruct(
        _ stream: borrowing IndividualChannelStream, sharedNoise: BandFlags, bands: ScaleFactorBands,
        into spectrum: inout MutableSpan<Float>
    ) -> Bool {
        let largest: Float
        do {
            var gains = bandGains.mutableSpan
            largest = SpectrumDequantizer.fillGains(
                &gains, codebooks: stream.codebooks.span, scaleFactors: stream.scaleFactors.span, info: stream.info,
                table: tables.gains.span)
        }
        SpectrumDequantizer.synthesize(
            stream, gains: bandGains.span, bands: bands, powers: tables.powers.span, into: &spectrum)
        if stream.uses(BandCodebook.noise) {
            noise.synthesize(
                codebooks: stream.codebooks.span, energies: stream.scaleFactors.span,
                division: FrameDivision(info: stream.info, bands: bands), shared: sharedNoise, gains: tables.gains.span, into: &spectrum)
        }
        return largest < Self.maximumOrdinaryGain
    }
}
