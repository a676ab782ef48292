// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// The channel streams of AAC-LD and AAC-ELD, with the error-resilient coding tools (ISO/IEC 14496-3:2009, 4.4.2.3 and 4.6.20).
extension IndividualChannelStream {
    /// Reads a stream of AAC-LD or AAC-ELD; with common windows ``info`` has to be set before.
    ///
    /// - Parameter reordering: The workspace of reordered codewords.
    mutating func readLowDelay(
        from reader: inout BitReader, bands: ScaleFactorBands, context: Context, resilience: ErrorResilience,
        reordering: inout ReorderedSpectrum
    ) throws(AACError) {
        let isEnhanced = context.syntax == .enhancedLowDelay
        globalGain = Int(reader.read(8))
        if !context.hasCommonWindow {
            info = try ICSInfo(readingLowDelay: &reader, bands: bands, syntax: context.syntax, isCommon: false)
        }
        let sections = try readSections(from: &reader, isVirtual: resilience.hasVirtualCodebooks, allowsIntensity: context.allowsIntensity)
        var reversible: ReversibleScaleFactors?
        if resilience.hasReversibleScaleFactors {
            reversible = ReversibleScaleFactors(reading: &reader, hasNoise: uses(BandCodebook.noise))
        } else {
            var values = scaleFactors.mutableSpan
            try ScaleFactorData.read(into: &values, codebooks: codebooks.span, info: info, globalGain: globalGain, from: &reader)
        }
        pulse = nil
        if !isEnhanced, reader.readFlag() { pulse = try PulseData(reading: &reader, bands: bands) }
        tns = nil
        let hasTNS = reader.readFlag()
        // In AAC-LD the flag of gain control and other fields stand between the flag of the filters and these.
        if isEnhanced {
            if hasTNS { try readFilters(from: &reader, syntax: context.syntax) }
        } else {
            guard !reader.readFlag() else { throw .unsupportedTool(.gainControl) }
        }
        let order = resilience.hasReorderedSpectrum ? ReorderedSpectrum.Side(reading: &reader) : nil
        if let reversible {
            var values = scaleFactors.mutableSpan
            try reversible.read(into: &values, codebooks: codebooks.span, info: info, globalGain: globalGain, from: &reader)
        }
        if !isEnhanced, hasTNS { try readFilters(from: &reader, syntax: context.syntax) }
        guard !reader.hasOverrun else { throw .truncated(bitCount: reader.bitCount) }
        do {
            var lines = quantized.mutableSpan
            if let order {
                try reordering.read(into: &lines, order, sections: sections, info: info, bands: bands, from: &reader)
            } else {
                try SpectralData.read(into: &lines, codebooks: codebooks.span, info: info, bands: bands, from: &reader)
            }
        }
        if resilience.hasVirtualCodebooks { try checkMagnitudes(sections, bands: bands) }
        guard !reader.hasOverrun else { throw .truncated(bitCount: reader.bitCount) }
    }

    /// Reads ``tns``.
    private mutating func readFilters(from reader: inout BitReader, syntax: Syntax) throws(AACError) {
        tns = try syntax.readTNS(from: &reader, isShort: false)
    }

    /// Reads the codebooks of all bands, and returns them as sent: virtual ones are 16 to 31, and 11 in ``codebooks``.
    private mutating func readSections(
        from reader: inout BitReader, isVirtual: Bool, allowsIntensity: Bool
    ) throws(AACError) -> SIMD64<UInt8> {
        var sections = SIMD64<UInt8>()
        guard isVirtual else {
            var target = codebooks.mutableSpan
            usedCodebooks = try SectionData.read(into: &target, info: info, allowsIntensity: allowsIntensity, from: &reader)
            for band in 0..<info.maxSFB { sections[band] = codebooks[band] }
            return sections
        }
        usedCodebooks = 0
        var band = 0
        while band < info.maxSFB {
            let sent = UInt8(reader.read(5))
            if sent == BandCodebook.reserved { throw .reservedCodebook }
            let codebook = sent >= VirtualCodebook.first ? BandCodebook.escape : sent
            if codebook >= BandCodebook.intensityOutOfPhase && !allowsIntensity { throw .misplacedIntensity(codebook: Int(codebook)) }
            usedCodebooks |= 1 << UInt16(codebook)
            var end = band
            if codebook == BandCodebook.escape {
                // Always one band, without a length.
                end += 1
            } else {
                var increment: Int
                repeat {
                    increment = Int(reader.read(5))
                    end += increment
                } while increment == 31 && end <= info.maxSFB
            }
            guard end > band else { throw .emptySection }
            guard end <= info.maxSFB else { throw .sectionTooLong(end: end, bandCount: info.maxSFB) }
            for sfb in band..<end {
                codebooks[sfb] = codebook
                sections[sfb] = sent
            }
            band = end
        }
        return sections
    }

    /// Checks the largest magnitude that each virtual codebook promises.
    private func checkMagnitudes(_ sections: SIMD64<UInt8>, bands: ScaleFactorBands) throws(AACError) {
        for band in 0..<info.maxSFB where sections[band] >= VirtualCodebook.first {
            let limit = VirtualCodebook.largestMagnitude(sections[band])
            for line in Int(bands.longOffsets[band])..<Int(bands.longOffsets[band + 1]) where quantized[line].magnitude > limit {
                throw .quantizedValueOutOfRange(Int(quantized[line]))
            }
        }
    }
}

/// The virtual codebooks 16 to 31: codebook 11 with a promise of the largest magnitude (ISO/IEC 14496-3:2009, 4.5.2.3.2).
enum VirtualCodebook {
    /// The number of the first one.
    static let first: UInt8 = 16

    /// Returns the largest magnitude of a virtual codebook.
    static func largestMagnitude(_ number: UInt8) -> UInt16 { magnitudes[Int(number & 15)] }

    /// The largest magnitudes of codebooks 16 to 31.
    private static let magnitudes: [UInt16] = [15, 31, 47, 63, 95, 127, 159, 191, 223, 255, 319, 383, 511, 767, 1023, 2047]
}

extension ICSInfo {
    /// Reads the structure of AAC-LD, or the number of bands, which is all of it in AAC-ELD.
    init(readingLowDelay reader: inout BitReader, bands: ScaleFactorBands, syntax: Syntax, isCommon: Bool) throws(AACError) {
        self.init()
        if syntax == .enhancedLowDelay {
            maxSFB = Int(reader.read(6))
        } else {
            guard !reader.readFlag() else { throw .reservedBitSet }
            let sequence = Int(reader.read(2))
            guard sequence == 0 else { throw .blockSwitching(sequence: sequence) }
            windowShape = reader.readFlag() ? .kaiserBesselDerived : .sine
            maxSFB = Int(reader.read(6))
            // Set without data it predicts nothing.
            if reader.readFlag(), reader.readFlag() || isCommon && reader.readFlag() { throw .unsupportedTool(.longTermPrediction) }
        }
        guard maxSFB <= bands.longCount else { throw .tooManyBands(maxSFB, available: bands.longCount) }
    }
}

extension ChannelPairElement {
    /// Reads a pair of AAC-LD or AAC-ELD.
    mutating func readLowDelay(
        from reader: inout BitReader, bands: ScaleFactorBands, syntax: Syntax, resilience: ErrorResilience,
        reordering: inout ReorderedSpectrum
    ) throws(AACError) {
        let isEnhanced = syntax == .enhancedLowDelay
        instanceTag = isEnhanced ? 0 : Int(reader.read(4))
        hasCommonWindow = isEnhanced || reader.readFlag()
        midSide = MidSideMask()
        if hasCommonWindow {
            let info = try ICSInfo(readingLowDelay: &reader, bands: bands, syntax: syntax, isCommon: true)
            first.info = info
            second.info = info
            midSide = try MidSideMask(reading: &reader, info: info)
        }
        var context = IndividualChannelStream.Context(syntax: syntax, hasCommonWindow: hasCommonWindow)
        try first.readLowDelay(from: &reader, bands: bands, context: context, resilience: resilience, reordering: &reordering)
        secondChannelBit = reader.bitPosition
        context.allowsIntensity = hasCommonWindow
        try second.readLowDelay(from: &reader, bands: bands, context: context, resilience: resilience, reordering: &reordering)
    }

    /// Reads an element of one channel of AAC-LD or AAC-ELD as the first channel.
    mutating func readSingleLowDelay(
        from reader: inout BitReader, bands: ScaleFactorBands, syntax: Syntax, resilience: ErrorResilience,
        reordering: inout ReorderedSpectrum
    ) throws(AACError) {
        instanceTag = syntax == .enhancedLowDelay ? 0 : Int(reader.read(4))
        hasCommonWindow = false
        midSide = MidSideMask()
        let context = IndividualChannelStream.Context(syntax: syntax)
        try first.readLowDelay(from: &reader, bands: bands, context: context, resilience: resilience, reordering: &reordering)
    }
}
