// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio
package import TransformCoding

/// One channel of a frame (`individual_channel_stream`, ISO/IEC 14496-3:2009, 4.4.2.7).
///
/// Band arrays are indexed by `group * ICSInfo.bandStride + sfb`.
package struct IndividualChannelStream: ~Copyable {
    /// The start value of scale factor and noise energy differences, 0 to 255 (`global_gain`).
    package var globalGain = 0

    /// The reader position of `global_gain`, in bits.
    ///
    /// Set after reading.
    var globalGainBit = 0

    /// The reader position of `rev_global_gain`, in bits; `nil` without reversible codes.
    var reverseGainBit: Int?

    /// The windows, groups and sent bands.
    package var info = ICSInfo()

    /// The codebook of each band; see ``BandCodebook``.
    package var codebooks = FixedArray<UInt8>(repeating: 0, count: ICSInfo.bandCapacity)

    /// One bit per codebook in use, the lowest for codebook 0.
    ///
    /// Set after reading.
    package var usedCodebooks: UInt16 = 0

    /// The scale factor, 0 to 255 (codebooks 1 to 11), noise energy (13), or intensity position (14 and 15).
    package var scaleFactors = FixedArray<Int16>(repeating: 0, count: ICSInfo.bandCapacity)

    /// Pulse data.
    ///
    /// Only in long windows.
    package var pulse: PulseData?

    package var tns: TNSData?

    /// Quantized lines, -8191 to 8191, in bitstream order: group, band, window, line.
    ///
    /// Not set by reading if ``hasPowers``.
    package var quantized: FixedArray<Int16>

    /// sign(q) |q|^(4/3) of the lines q, in the order of ``quantized``; empty in an encoder.
    private(set) var powers: FixedArray<Float>

    /// Whether reading has set ``powers`` instead of ``quantized``.
    private(set) var hasPowers = false

    /// Creates a silent channel.
    ///
    /// - Parameter readsPowers: Whether to read ``powers`` if no tool needs quantized lines.
    package init(frameLength: Int, readsPowers: Bool = false) {
        quantized = FixedArray(repeating: 0, count: frameLength)
        powers = FixedArray(repeating: 0, count: readsPowers ? frameLength : 0)
    }

    /// Returns whether any band uses the codebook.
    ///
    /// Valid after reading.
    package func uses(_ codebook: UInt8) -> Bool { usedCodebooks >> UInt16(codebook) & 1 != 0 }

    /// The properties of the access unit that determine the syntax of the stream.
    package struct Context {
        var syntax: Syntax
        /// The error resilience tools of AAC-LD and AAC-ELD.
        var resilience: ErrorResilience
        /// Whether a common `ics_info` precedes both channels of a pair.
        package var hasCommonWindow = false
        /// Whether intensity codebooks are allowed: in the second channel of a pair with a common window.
        package var allowsIntensity = false
        /// Whether quantized lines are read even where ``IndividualChannelStream/powers`` are enough.
        var needsQuantizedLines = false

        /// Creates the context of a single channel.
        package init(syntax: Syntax, resilience: ErrorResilience = ErrorResilience()) {
            self.syntax = syntax
            self.resilience = resilience
        }
    }

    /// Reads the stream.
    ///
    /// With a common window, set ``info`` first.
    ///
    /// - Parameter reordering: The workspace for reordered codewords.
    package mutating func read(
        from reader: inout BitReader, bands: ScaleFactorBands, context: Context, reordering: inout ReorderedSpectrum
    ) throws(CodecError) {
        let (syntax, resilience) = (context.syntax, context.resilience)
        globalGainBit = reader.bitPosition
        globalGain = Int(reader.read(8))
        if !context.hasCommonWindow { info = try ICSInfo(reading: &reader, bands: bands, syntax: syntax, isCommon: false) }
        var virtual: SIMD64<UInt8>? = resilience.hasVirtualCodebooks ? SIMD64() : nil
        do {
            var target = codebooks.mutableSpan
            usedCodebooks = try SectionData.read(
                into: &target, virtual: &virtual, info: info, allowsIntensity: context.allowsIntensity, from: &reader)
        }
        let hasNoise = uses(BandCodebook.noise)
        var values = scaleFactors.mutableSpan
        var reversible: ReversibleScaleFactors?
        if resilience.hasReversibleScaleFactors {
            reverseGainBit = reader.bitPosition + ReversibleScaleFactors.reverseGainOffset
            reversible = ReversibleScaleFactors(reading: &reader, hasNoise: hasNoise)
        } else {
            try ScaleFactorData.read(into: &values, codebooks: codebooks.span, info: info, globalGain: globalGain, from: &reader)
        }
        pulse = nil
        if syntax != .enhancedLowDelay, reader.readFlag() {
            guard !info.isShort else { throw .pulsesInShortWindows }
            pulse = try PulseData(reading: &reader, bands: bands)
        }
        tns = nil
        let hasTNS = reader.readFlag()
        // In AAC-LD the gain control flag and other fields precede the TNS filters. AAC-ELD has no gain control flag.
        if hasTNS, syntax != .lowDelay { tns = try syntax.readTNS(from: &reader, isShort: info.isShort) }
        if syntax != .enhancedLowDelay, reader.readFlag() { throw .unsupportedTool(.gainControl) }
        let order = resilience.hasReorderedSpectrum ? ReorderedSpectrum.Side(reading: &reader) : nil
        try reversible?.read(into: &values, codebooks: codebooks.span, info: info, globalGain: globalGain, from: &reader)
        if hasTNS, syntax == .lowDelay { tns = try syntax.readTNS(from: &reader, isShort: false) }
        let sections = order == nil ? SIMD64() : virtual ?? sentCodebooks
        hasPowers = powers.count > 0 && !context.needsQuantizedLines && order == nil && virtual == nil && pulse == nil
        if hasPowers {
            var lines = powers.mutableSpan
            try SpectralData.read(into: &lines, zero: 0, codebooks: codebooks.span, info: info, bands: bands, from: &reader)
        } else {
            var lines = quantized.mutableSpan
            if let order {
                try reordering.read(into: &lines, order, sections: sections, info: info, bands: bands, from: &reader)
            } else {
                try SpectralData.read(into: &lines, zero: 0, codebooks: codebooks.span, info: info, bands: bands, from: &reader)
            }
            if let virtual { try VirtualCodebook.check(lines.span, virtual, info: info, bands: bands) }
        }
        guard !reader.hasOverrun else { throw .truncated(byteCount: reader.bitCount / 8) }
    }

    private var sentCodebooks: SIMD64<UInt8> {
        var sent = SIMD64<UInt8>()
        for band in 0..<info.maxSFB { sent[band] = codebooks[band] }
        return sent
    }

    /// Adds the pulses to the lines.
    ///
    /// Call it once per frame.
    package mutating func applyPulses(bands: ScaleFactorBands) throws(CodecError) {
        guard let pulse else { return }
        var lines = quantized.mutableSpan
        try pulse.apply(to: &lines, bands: bands)
    }

    /// Writes the stream.
    ///
    /// With a common window, the pair writes ``info``.
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
        // In AAC-LD the gain control flag precedes the TNS filters, otherwise it follows them. AAC-ELD has no gain control flag.
        if syntax == .lowDelay { sink.write(false) }
        tns?.write(to: &sink, isShort: info.isShort, orderBitCount: Syntax.tnsOrderBitCount)
        if syntax.hasElementIDs { sink.write(false) }
        SpectralData.write(quantized.span, codebooks: codebooks.span, info: info, bands: bands, to: &sink)
    }
}
