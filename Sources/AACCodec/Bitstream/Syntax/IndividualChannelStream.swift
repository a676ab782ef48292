// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import TransformCoding

/// One channel of a frame (`individual_channel_stream`, ISO/IEC 14496-3:2009, 4.4.2.7).
///
/// Arrays of bands are indexed by `group * ICSInfo.bandStride + sfb`.
package struct IndividualChannelStream: ~Copyable {
    /// The start of the differences of scale factors and noise energies, 0 to 255 (`global_gain`).
    package var globalGain = 0

    /// The division of the frame.
    package var info = ICSInfo()

    /// The codebook of each band, see ``BandCodebook``.
    package var codebooks = FixedArray<UInt8>(repeating: 0, count: ICSInfo.bandCapacity)

    /// A bit for each codebook in use, the lowest for codebook 0; known after reading.
    package var usedCodebooks: UInt16 = 0

    /// By the codebook of the band: the scale factor, 0 to 255 (1 to 11), the noise energy (13), or the intensity position (14, 15).
    package var scaleFactors = FixedArray<Int16>(repeating: 0, count: ICSInfo.bandCapacity)

    /// Pulses, in long windows only.
    package var pulse: PulseData?

    /// Temporal noise shaping.
    package var tns: TNSData?

    /// Quantised lines, -8191 to 8191, in the order of transmission: group, band, window, line.
    package var quantized: FixedArray<Int16>

    /// Makes a silent channel.
    ///
    /// - Parameter frameLength: The lines of a frame.
    package init(frameLength: Int) { quantized = FixedArray(repeating: 0, count: frameLength) }

    /// Whether a band has the codebook; known after reading.
    func uses(_ codebook: UInt8) -> Bool { usedCodebooks >> UInt16(codebook) & 1 != 0 }

    /// Whether there is temporal noise shaping.
    var hasTNS: Bool { tns != nil }

    /// The properties of the unit on which the parts of the stream depend.
    package struct Context {
        /// The syntax of the unit.
        var syntax: Syntax
        /// Whether the division of the frame precedes both channels of a pair.
        var hasCommonWindow = false
        /// Whether intensity codebooks are allowed: in the second channel of a pair with common windows.
        var allowsIntensity = false

        /// Creates a value from its parts.
        package init(syntax: Syntax, hasCommonWindow: Bool = false, allowsIntensity: Bool = false) {
            self.syntax = syntax
            self.hasCommonWindow = hasCommonWindow
            self.allowsIntensity = allowsIntensity
        }
    }

    /// Reads the stream; with common windows ``info`` has to be set before.
    package mutating func read(
        from reader: inout BitReader, bands: ScaleFactorBands, context: Context
    ) throws(AACError) {
        globalGain = Int(reader.read(8))
        if !context.hasCommonWindow {
            info = try ICSInfo(reading: &reader, bands: bands, syntax: context.syntax, isCommon: false)
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
            tns = try context.syntax.readTNS(from: &reader, isShort: info.isShort)
        }
        guard !reader.readFlag() else { throw .unsupportedTool(.gainControl) }
        var lines = quantized.mutableSpan
        try SpectralData.read(into: &lines, codebooks: codebooks.span, info: info, bands: bands, from: &reader)
        guard !reader.hasOverrun else { throw .truncated(bitCount: reader.bitCount) }
    }

    /// Adds the pulses to the lines; a decoder does so once.
    package mutating func applyPulses(bands: ScaleFactorBands) throws(AACError) {
        guard let pulse else { return }
        var lines = quantized.mutableSpan
        try pulse.apply(to: &lines, bands: bands)
    }

    /// Writes the stream; with common windows ``info`` is left to the pair.
    package func write(
        to sink: inout some BitSink, bands: ScaleFactorBands, hasCommonWindow: Bool, syntax: Syntax = .lowComplexity
    ) {
        sink.write(UInt32(globalGain), count: 8)
        if !hasCommonWindow { info.write(to: &sink, bands: bands, syntax: syntax, isCommon: false) }
        SectionData.write(codebooks.span, info: info, to: &sink)
        ScaleFactorData.write(scaleFactors.span, codebooks: codebooks.span, info: info, globalGain: globalGain, to: &sink)
        if syntax != .enhancedLowDelay {
            sink.write(pulse != nil)
            pulse?.write(to: &sink)
        }
        sink.write(tns != nil)
        // In AAC-LD the flag of gain control precedes the filters, else it follows them; AAC-ELD has none.
        if syntax == .lowDelay { sink.write(false) }
        tns?.write(to: &sink, isShort: info.isShort, orderBitCount: Syntax.tnsOrderBitCount)
        if syntax.hasElementIDs { sink.write(false) }
        SpectralData.write(quantized.span, codebooks: codebooks.span, info: info, bands: bands, to: &sink)
    }
}
