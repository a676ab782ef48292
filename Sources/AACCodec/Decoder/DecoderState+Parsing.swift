// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// A layout that a program config element replaced during parsing of an access unit.
struct ReplacedLayout {
    var layout: ElementLayout
    var program: ProgramConfigElement?
    /// Whether the layout was still undefined.
    var isOpen: Bool
}

private enum FillElementTarget {
    /// None, or an element without SBR.
    case none
    /// An element of the layout, by its index.
    case element(Int)
    /// A coupling channel, by its index.
    case coupling(Int)
}

extension DecoderState {
    /// Restores the layout from before a damaged access unit.
    mutating func restoreLayout() {
        if let replacedLayout {
            layout = replacedLayout.layout
            program = replacedLayout.program
            isLayoutOpen = replacedLayout.isOpen
        }
        replacedLayout = nil
        if isLayoutOpen { layout = ElementLayout() }
    }

    /// Reads a general audio block (`raw_data_block`, ISO/IEC 14496-3:2009, 4.4.2.1).
    mutating func readRawDataBlock() throws(CodecError) {
        let start = reader.bitPosition
        if isLayoutOpen { layout = ElementLayout() }
        var read: UInt32 = 0
        var owner = FillElementTarget.none
        coupling.count = 0
        dynamicRange.count = 0
        coupling.hasIgnored = false
        hasAncillaryData = false
        spanCount = 0
        while true {
            let id = SyntacticElementID(rawValue: UInt8(reader.read(SyntacticElementID.bitCount)))
            guard !reader.hasOverrun else { throw .truncated(byteCount: reader.bitCount / 8) }
            let first = reader.bitPosition
            var coverage = ElementSpan.Coverage.singleChannel
            switch id {
            case .singleChannel: owner = .element(try readChannels(.single, read: &read))
            case .channelPair:
                let index = try readChannels(.pair, read: &read)
                coverage = .channelPair(secondChannelBit: elements[index].pair.secondChannelBit - start)
                owner = .element(index)
            case .lowFrequency: owner = .element(try readChannels(.lowFrequency, read: &read))
            case .couplingChannel: owner = try readCouplingChannel().map { .coupling($0) } ?? .none
            case .dataStream:
                coverage = .whole
                _ = try DataStreamElement(reading: &reader)
                hasAncillaryData = true
            case .programConfig:
                coverage = .whole
                try readProgramConfig(blockStart: start, isFirst: read == 0)
            case .fill:
                coverage = .none
                try readFill(of: owner)
            case .end, nil:
                try finishBlock(read: read)
                return
            }
            recordSpan(coverage, first - start..<reader.bitPosition - start)
        }
    }

    private mutating func recordSpan(_ coverage: ElementSpan.Coverage, _ bits: Range<Int>) {
        guard spanCount < spans.count else { return }
        spans[spanCount] = ElementSpan(coverage: coverage, bits: bits)
        spanCount += 1
    }

    /// Reads a channel element, applies its pulses, and returns its index in the layout.
    ///
    /// - Parameter read: The layout elements read so far, one bit each.
    private mutating func readChannels(_ element: ChannelElement, read: inout UInt32) throws(CodecError) -> Int {
        let tag = Int(reader.peek(4))
        let id = element == .single ? 0 : element == .pair ? 1 : 3
        if isLayoutOpen { layout.append(element, instanceTag: -1) }
        guard let index = layout.index(of: element, instanceTag: tag, except: read) else {
            throw .unexpectedElement(id: id, tag: tag)
        }
        guard read >> UInt32(index) & 1 == 0 else { throw .duplicateElement(id: id, tag: tag) }
        read |= 1 << UInt32(index)
        allocateElement(index)
        try readElement(at: index)
        return index
    }

    var context: IndividualChannelStream.Context {
        var context = IndividualChannelStream.Context(syntax: syntax, resilience: resilience)
        context.needsQuantizedLines = needsQuantizedLines
        return context
    }

    /// Reads an element of the layout after its identifier, and adds its pulses.
    mutating func readElement(at index: Int) throws(CodecError) {
        let first = reader.bitPosition
        elements[index].sbrPayload = 0..<0
        if layout.slots[index].element == .pair {
            try elements[index].pair.read(from: &reader, bands: bands, context: context, reordering: &reordering)
            try elements[index].pair.first.applyPulses(bands: bands)
            try elements[index].pair.second.applyPulses(bands: bands)
        } else {
            try elements[index].pair.readSingle(from: &reader, bands: bands, context: context, reordering: &reordering)
            try elements[index].pair.first.applyPulses(bands: bands)
        }
        elements[index].bits = first..<reader.bitPosition
    }

    /// Reads a fill element, and stores the bit range of an SBR payload for its owner.
    private mutating func readFill(of owner: FillElementTarget) throws(CodecError) {
        let fill = try FillElement(reading: &reader)
        if fill.type == .dynamicRange { readDynamicRange(fill.payload) }
        guard fill.type == .spectralBandReplication || fill.type == .checkedSpectralBandReplication else { return }
        switch owner {
        case .none: return
        case .element(let index):
            // Ignores a second payload of an element, and the payload of an LFE element.
            if elements[index].sbrPayload.isEmpty && layout.slots[index].element != .lowFrequency {
                elements[index].sbrPayload = fill.payload
            }
        case .coupling(let index):
            if coupling.sbrPayloads[index].isEmpty { coupling.sbrPayloads[index] = fill.payload }
        }
    }

    /// Reads the gains of a payload that starts with its extension type, and restores the reader position.
    private mutating func readDynamicRange(_ payload: Range<Int>) {
        let position = reader.bitPosition
        reader.skip(payload.lowerBound + 4 - position)
        if let info = DynamicRangeInfo(reading: &reader, end: payload.upperBound) { dynamicRange.append(info) }
        reader.skip(position - reader.bitPosition)
    }

    /// Reads a program config element, and adopts its layout if the stream configuration does not define one.
    ///
    /// - Parameters:
    ///   - blockStart: The reader position that byte alignment is relative to, in bits.
    ///   - isFirst: Whether no channel element precedes it. Otherwise it has no effect.
    private mutating func readProgramConfig(blockStart: Int, isFirst: Bool) throws(CodecError) {
        let found: ProgramConfigElement
        do throws(CodecError) {
            found = try ProgramConfigElement(reading: &reader, alignedTo: blockStart)
        } catch {
            throw .truncated(byteCount: reader.bitCount / 8)
        }
        guard isFirst, acceptsProgram, found != program else { return }
        let newLayout = try ElementLayout(found)
        replacedLayout = replacedLayout ?? ReplacedLayout(layout: layout, program: program, isOpen: isLayoutOpen)
        layout = newLayout
        program = found
        isLayoutOpen = false
    }

    /// Checks that the block contained all elements of the layout, one bit each in `read`, and skips to the byte boundary.
    private mutating func finishBlock(read: UInt32) throws(CodecError) {
        guard !layout.slots.isEmpty else { throw .missingChannelLayout }
        let found = read.nonzeroBitCount
        guard found == layout.slots.count else { throw .missingChannels(found: found, expected: layout.slots.count) }
        isLayoutOpen = false
        reader.alignToByte()
    }
}
