// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What the tools that make lines need beside the stream.
struct ChannelReconstruction: ~Copyable {
    let tables = DequantizationTables()
    let tnsSynthesis = TNSSynthesis()
    var noise = NoiseSynthesis()
    private var bandGains = [128 of Float](repeating: 0)

    /// Makes the tables.
    init() {}

    /// Gains so large that lines may need a limit: scale factors from 164 on, a step of a whole 16-bit range.
    private static let largestOrdinaryGain: Float = 65_536
}

extension ChannelReconstruction {
    /// Makes the lines of one channel but for what it has in common with another.
    ///
    /// Returns whether they are of ordinary size.
    mutating func reconstruct(
        _ stream: inout IndividualChannelStream, sharedNoise: BandFlags, bands: ScaleFactorBands, into spectrum: inout MutableSpan<Float>
    ) -> Bool {
        let largest: Float
        do {
            var gains = bandGains.mutableSpan
            largest = SpectrumDequantizer.fillGains(
                &gains, codebooks: stream.codebooks.span, scaleFactors: stream.scaleFactors.span, info: stream.info, tables: tables)
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
