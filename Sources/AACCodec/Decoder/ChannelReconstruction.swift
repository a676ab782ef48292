// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The tools that reconstruct the lines of one channel from its stream, with their tables and state.
struct ChannelReconstruction: ~Copyable {
    /// The tables of dequantisation.
    let tables = DequantizationTables()
    /// The TNS filters.
    var tnsSynthesis = TNSSynthesis()
    /// The noise generator.
    var noise = NoiseSynthesis()
    /// The gain of each band of the current channel.
    private var bandGains = FixedArray<Float>(repeating: 0, count: ICSInfo.bandCapacity)

    /// The gain from which lines may have to be limited: that of scale factor 164, a step of the whole 16-bit range.
    private static let largestOrdinaryGain: Float = 65_536
}

extension ChannelReconstruction {
    /// Dequantises the lines of one channel and fills its noise bands, window after window.
    ///
    /// - Parameter sharedNoise: The bands with the noise of the channel before.
    /// - Returns: Whether no line has to be limited.
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
            stream.quantized.span, gains: bandGains.span, info: stream.info, bands: bands, powers: tables.powers.span, into: &spectrum)
        if stream.uses(BandCodebook.noise) {
            noise.synthesize(
                codebooks: stream.codebooks.span, energies: stream.scaleFactors.span,
                division: FrameDivision(info: stream.info, bands: bands), shared: sharedNoise, gains: tables.gains.span, into: &spectrum)
        }
        return largest < Self.largestOrdinaryGain
    }
}
