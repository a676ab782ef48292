// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// One channel of a frame (`individual_channel_stream`, ISO/IEC 14496-3:2009, 4.4.2.7).
///
/// Arrays of bands are indexed by `group * ICSInfo.bandStride + sfb`.
struct IndividualChannelStream {
    /// The start of the differences of scale factors and noise energies, 0 to 255 (`global_gain`).
    var globalGain = 0

    /// The division of the frame.
    var info = ICSInfo()

    /// The codebook of each band, see ``BandCodebook``.
    var codebooks = [128 of UInt8](repeating: 0)

    /// A bit for each codebook in use, the lowest for codebook 0; known after reading.
    var usedCodebooks: UInt16 = 0

    /// By the codebook of the band: the scale factor, 0 to 255 (1 to 11), the noise energy (13), or the intensity position (14, 15).
    var scaleFactors = [128 of Int16](repeating: 0)

    /// Pulses, in long windows only.
    var pulse: PulseData?

    /// Temporal noise shaping.
    var tns: TNSData?

    /// Quantised lines, -8191 to 8191, in the order of transmission: group, band, window, line.
    var quantized = [1024 of Int16](repeating: 0)

    /// Creates a silent channel.
    init() {}

    /// Whether a band has the codebook; known after reading.
    @inline(__always)
    func uses(_ codebook: UInt8) -> Bool { usedCodebooks >> UInt16(codebook) & 1 != 0 }

    /// Whether there is temporal noise shaping.
    @inline(__always)
    var hasTNS: Bool { tns != nil }

    /// The parts of the syntax that depend on the element and the object type.
    struct Context {
        /// Whether the division of the frame precedes both channels of a pair.
        var hasCommonWindow = false
        /// Whether intensity codebooks are allowed: in the second channel of a pair with common windows.
        var allowsIntensity = false
        /// The prediction of the object type.
        var prediction = ICSInfo.PredictionKind.none
        /// The highest order of a TNS filter in long windows.
        var maximumTNSOrder = TNSLimits.longOrder
    }

    /// Reads the stream; with common windows ``info`` has to be set before.
    mutating func read(
        from reader: inout BitReader, bands: ScaleFactorBands, context: Context
    ) throws(AACError) {
        globalGain = Int(reader.read(8))
        if !context.hasCommonWindow {
            info = try ICSInfo(reading: &reader, bands: bands, prediction: context.prediction)
        }
        var bandCodebooks = codebooks.mutableSpan
        usedCodebooks = try SectionData.read(into: &bandCodebooks, info: info, allowsIntensity: context.allowsIntensity, from: &reader)
        var bandValues = scaleFactors.mutableSpan
        try ScaleFactorData.read(into: &bandValues, codebooks: codebooks.span, info: info, globalGain: globalGain, from: &reader)
        pulse = nil
        if reader.readFlag() {
            guard !info.isShort else { throw .pulsesInShortWindows }
            pulse = try PulseData(reading: &reader, bands: bands)
        }
        tns = nil
        if reader.readFlag() {
            tns = try TNSData(reading: &reader, isShort: info.isShort, maximumLongOrder: context.maximumTNSOrder)
        }
        guard !reader.readFlag() else { throw .unsupportedTool(.gainControl) }
        var lines = quantized.mutableSpan
        try SpectralData.read(into: &lines, codebooks: codebooks.span, info: info, bands: bands, from: &reader)
        guard !reader.hasOverrun else { throw .truncated(bitCount: reader.bitCount) }
    }

    /// Adds the pulses to the lines; a decoder does so once.
    mutating func applyPulses(bands: ScaleFactorBands) throws(AACError) {
        guard let pulse else { return }
        var lines = quantized.mutableSpan
        try pulse.apply(to: &lines, bands: bands)
    }

    /// Writes the stream; with common windows ``info`` is left to the pair.
    ///
    /// It is mutating, so that the span of a member is taken without a copy of the member; nothing changes.
    mutating func write(
        to sink: inout some BitSink, bands: ScaleFactorBands, hasCommonWindow: Bool, prediction: ICSInfo.PredictionKind = .none
    ) {
        sink.write(UInt32(globalGain), count: 8)
        if !hasCommonWindow { info.write(to: &sink, bands: bands, prediction: prediction) }
        SectionData.write(codebooks.span, info: info, to: &sink)
        ScaleFactorData.write(scaleFactors.span, codebooks: codebooks.span, info: info, globalGain: globalGain, to: &sink)
        sink.write(pulse != nil)
        pulse?.write(to: &sink)
        sink.write(tns != nil)
        tns?.write(to: &sink, isShort: info.isShort)
        sink.write(false)
        SpectralData.write(quantized.span, codebooks: codebooks.span, info: info, bands: bands, to: &sink)
    }
}
