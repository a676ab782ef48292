// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import TransformCoding

/// Two channels that share a window or stereo tools (`channel_pair_element`, ISO/IEC 14496-3:2009, 4.4.2.1).
package struct ChannelPairElement: ~Copyable {
    /// Distinguishes elements of a kind, 0 to 15 (`element_instance_tag`).
    package var instanceTag = 0

    /// Whether both channels have the information of the first one.
    package var hasCommonWindow = false

    /// The bands that are middle and side; only with common windows.
    package var midSide = MidSideMask()

    /// The bit of the reader at which the second channel began; known after reading.
    var secondChannelBit = 0

    /// The left channel.
    package var first: IndividualChannelStream

    /// The right channel.
    package var second: IndividualChannelStream

    /// Makes a silent pair.
    ///
    /// - Parameter frameLength: The lines of a frame.
    package init(frameLength: Int) {
        first = IndividualChannelStream(frameLength: frameLength)
        second = IndividualChannelStream(frameLength: frameLength)
    }

    /// Reads the element after its identifier.
    ///
    /// - Parameters:
    ///   - context: The syntax and the tools against errors.
    ///   - reordering: The workspace of reordered codewords.
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

    /// Reads an element of one channel as the first channel.
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
    /// The part of an element that belongs to both channels; the encoder keeps the channels elsewhere.
    struct Header {
        /// Distinguishes elements of a kind, 0 to 15 (`element_instance_tag`).
        var instanceTag: Int

        /// The mask of middle and side; nil without common windows.
        var mask: MidSideMask?

        /// Writes the element with its channels, after its identifier.
        ///
        /// - Returns: The bit of the sink at which the second channel begins.
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
