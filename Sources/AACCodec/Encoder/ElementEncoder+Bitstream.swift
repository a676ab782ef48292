// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

/// The bitstream of an element.
extension ElementEncoder {
    /// Writes the element, preceded by its identifier if the syntax has identifiers.
    ///
    /// - Returns: The element's bit range in the access unit.
    mutating func write(to sink: inout BitWriter, tables: borrowing EncoderTables) -> ElementSpan {
        let syntax = tables.syntax
        leaveOutUnusedBands()
        if syntax.hasElementIDs {
            (kind == .pair ? SyntacticElementID.channelPair : kind == .single ? .singleChannel : .lowFrequency).write(to: &sink)
        }
        let start = sink.bitCount
        guard kind == .pair else {
            if syntax != .enhancedLowDelay { sink.write(UInt32(instanceTag), count: 4) }
            first.coder.stream.write(to: &sink, bands: tables.bands, hasCommonWindow: false, syntax: syntax)
            return ElementSpan(coverage: .singleChannel, bits: start..<sink.bitCount)
        }
        let header = ChannelPairElement.Header(instanceTag: instanceTag, mask: midSide.mask(layout: layout))
        let secondStart = header.writeElement(first.coder.stream, second.coder.stream, to: &sink, bands: tables.bands, syntax: syntax)
        return ElementSpan(coverage: .channelPair(secondChannelBit: secondStart), bits: start..<sink.bitCount)
    }

    /// Sets the number of sent bands to the end of the last band with values, noise or intensity stereo.
    ///
    /// The bands above need no section and no M/S flags.
    ///
    /// Measured in Tools.md#bands-and-flags-that-are-not-sent.
    private mutating func leaveOutUnusedBands() {
        let count = max(
            first.coder.stream.usedBandCount(layout: layout), kind == .pair ? second.coder.stream.usedBandCount(layout: layout) : 0)
        first.coder.stream.info.maxSFB = count
        if kind == .pair { second.coder.stream.info.maxSFB = count }
    }
}

extension IndividualChannelStream {
    /// Returns the end of the last used band, or of all bands with TNS, whose filters depend on it.
    fileprivate func usedBandCount(layout: borrowing BandLayout) -> Int {
        guard tns == nil else { return layout.bandsPerGroup }
        for sfb in (0..<layout.bandsPerGroup).reversed() {
            for group in 0..<layout.groupCount where isUsed(sfb, ofGroup: group, layout: layout) { return sfb + 1 }
        }
        return 0
    }

    private func isUsed(_ sfb: Int, ofGroup group: Int, layout: borrowing BandLayout) -> Bool {
        let codebook = codebooks[group * ICSInfo.bandStride + sfb]
        guard codebook <= BandCodebook.escape else { return true }
        guard codebook != BandCodebook.zero else { return false }
        return layout.lines(group * layout.bandsPerGroup + sfb).contains { quantized[$0] != 0 }
    }
}
