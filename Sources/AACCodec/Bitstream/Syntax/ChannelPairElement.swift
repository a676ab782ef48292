// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import TransformCoding

/// Two channels that may share a window and stereo tools (`channel_pair_element`, ISO/IEC 14496-3:2009, 4.4.2.1).
package struct ChannelPairElement: ~Copyable {
    /// `element_instance_tag`, 0 to 15.
    package var instanceTag = 0

    /// Whether both channels use the first channel's `ics_info` (`common_window`).
    package var hasCommonWindow = false

    /// The M/S bands.
    ///
    /// Used only with a common window.
    package var midSide = MidSideMask()

    /// The reader position of the second channel, in bits.
    ///
    /// Set after reading.
    var secondChannelBit = 0

    /// The left channel.
    package var first: IndividualChannelStream

    /// The right channel.
    package var second: IndividualChannelStream

    /// Creates a silent pair.
    ///
    /// - Parameter readsPowers: Whether to read ``IndividualChannelStream/powers``.
    package init(frameLength: Int, readsPowers: Bool = false) {
        first = IndividualChannelStream(frameLength: frameLength, readsPowers: readsPowers)
        second = IndividualChannelStream(frameLength: frameLength, readsPowers: readsPowers)
    }

    /// Reads the element after its identifier.
    ///
    /// - Parameters:
    ///   - context: The syntax and the error resilience tools.
    ///   - reordering: The workspace for reordered codewords.
    package mutating func read(
        from reader: inout BitReader, bands: ScaleFactorBands, context: IndividualChannelStream.Context,
        reordering: inout ReorderedSpectrum
    ) throws(CodecError) {
        let syntax = context.syntax
        var context = context
        let isEnhanced = syntax == .enhancedLowDelay
        instanceTag = isEnhanced ? 0 : Int(reader.read(4))
        hasCommonWindow = isEnhanced || reader.readFlag()
        midSide = MidSideMask()
        if hasCommonWindow {
            let info = try ICSInfo(reading: &reader, bands: bands, syntax: syntax, isCommon: true)
            first.info = info
            second.info = info
            second.info.longTermPrediction = info.secondLongTermPrediction
            midSide = try MidSideMask(reading: &reader, info: info)
        }
        context.hasCommonWindow = hasCommonWindow
        try first.read(from: &reader, bands: bands, context: context, reordering: &reordering)
        secondChannelBit = reader.bitPosition
        context.allowsIntensity = hasCommonWindow
        try second.read(from: &reader, bands: bands, context: context, reordering: &reordering)
    }

    package mutating func readSingle(
        from reader: inout BitReader, bands: ScaleFactorBands, context: IndividualChannelStream.Context,
        reordering: inout ReorderedSpectrum
    ) throws(CodecError) {
        instanceTag = context.syntax == .enhancedLowDelay ? 0 : Int(reader.read(4))
        hasCommonWindow = false
        midSide = MidSideMask()
        try first.read(from: &reader, bands: bands, context: context, reordering: &reordering)
    }

    /// Writes the element after its identifier.
    package func write(to sink: inout some BitSink, bands: ScaleFactorBands, syntax: Syntax = .lowComplexity) {
        let header = Header(instanceTag: instanceTag, mask: hasCommonWindow ? midSide : nil)
        header.writeElement(first, second, to: &sink, bands: bands, syntax: syntax)
    }
}

extension ChannelPairElement {
    /// The part of an element common to both channels.
    ///
    /// The encoder stores the channels elsewhere.
    struct Header {
        /// `element_instance_tag`, 0 to 15.
        var instanceTag: Int

        /// The M/S mask; `nil` without a common window.
        var mask: MidSideMask?

        /// Writes the element with its channels, after its identifier.
        ///
        /// - Returns: The sink position of the second channel, in bits.
        @discardableResult
        func writeElement(
            _ first: borrowing IndividualChannelStream, _ second: borrowing IndividualChannelStream, to sink: inout some BitSink,
            bands: ScaleFactorBands, syntax: Syntax = .lowComplexity
        ) -> Int {
            if syntax != .enhancedLowDelay {
                sink.write(UInt32(instanceTag), count: 4)
                sink.write(mask != nil)
            }
            if let mask {
                first.info.write(to: &sink, bands: bands, syntax: syntax, isCommon: true)
                mask.write(to: &sink, info: first.info)
            }
            first.write(to: &sink, bands: bands, hasCommonWindow: mask != nil, syntax: syntax)
            let secondChannelBit = sink.bitCount
            second.write(to: &sink, bands: bands, hasCommonWindow: mask != nil, syntax: syntax)
            return secondChannelBit
        }
    }
}
