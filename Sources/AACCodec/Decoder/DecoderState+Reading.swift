// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio

/// A layout that gave way to a new one while a unit was read.
struct DisplacedLayout {
    var layout: ElementLayout
    var program: ProgramConfigElement?
    var isOpen: Bool
}

/// What a fill element belongs to: the element before it.
private enum FillOwner {
    /// Nothing that has band replication.
    case none
    /// The element at a place of the layout.
    case element(Int)
    /// A coupling channel.
    case coupling(Int)
}

extension DecoderState {
    /// Takes a new layout back, when the unit that brought it turns out to be damaged.
    mutating func restoreLayout() {
        if let displaced {
            layout = displaced.layout
            program = displaced.program
            isLayoutOpen = displaced.isOpen
        }
        displaced = nil
        if isLayoutOpen { layout = ElementLayout() }
    }

    /// Reads one raw data block from the reader's position (`raw_data_block`, ISO/IEC 14496-3:2009, 4.4.2.1).
    ///
    /// Nothing but ``elements``, and the layout if the block says so, changes. The reader is left at the byte border behind the block.
    mutating func readBlock() throws(AACError) {
        let start = reader.bitPosition
        if isLayoutOpen { layout = ElementLayout() }
        var taken: UInt32 = 0
        var owner = FillOwner.none
        coupling.count = 0
        spanCount = 0
        while true {
            let id = SyntacticElementID(rawValue: UInt8(reader.read(SyntacticElementID.bitCount)))
            guard !reader.hasOverrun else { throw .truncated(bitCount: reader.bitCount) }
            let first = reader.bitPosition
            var coverage = ElementSpan.Coverage.singleChannel
            switch id {
            case .singleChannel: owner = .element(try readChannels(.single, taken: &taken))
            case .channelPair:
                let place = try readChannels(.pair, taken: &taken)
                coverage = .channelPair(secondChannelBit: elements[place].pair.secondChannelBit - start)
                owner = .element(place)
            case .lowFrequency: owner = .element(try readChannels(.lowFrequency, taken: &taken))
            case .couplingChannel: owner = try readCouplingChannel().map { .coupling($0) } ?? .none
            case .dataStream:
                coverage = .whole
                _ = try DataStreamElement(reading: &reader)
            case .programConfig:
                coverage = .whole
                try readProgramConfig(blockStart: start)
            case .fill:
                coverage = .none
                try readFill(of: owner)
            case .end, nil:
                try finishBlock(taken: taken)
                return
            }
            noteSpan(coverage, first - start..<reader.bitPosition - start)
        }
    }

    private mutating func noteSpan(_ coverage: ElementSpan.Coverage, _ bits: Range<Int>) {
        guard spanCount < spans.count else { return }
        spans[spanCount] = ElementSpan(coverage: coverage, bits: bits)
        spanCount += 1
    }

    /// Reads an element with channels into its place.
    private mutating func readChannels(_ element: ChannelElement, taken: inout UInt32) throws(AACError) -> Int {
        let first = reader.bitPosition
        let tag = Int(reader.peek(4))
        let id = element == .single ? 0 : element == .pair ? 1 : 3
        if isLayoutOpen { layout.append(element, instanceTag: -1) }
        guard let place = layout.place(of: element, instanceTag: tag, taken: taken) else {
            throw .unexpectedElement(id: id, tag: tag)
        }
        guard taken >> UInt32(place) & 1 == 0 else { throw .duplicateElement(id: id, tag: tag) }
        taken |= 1 << UInt32(place)
        elements[place].bandReplication = 0..<0
        if element == .pair {
            try elements[place].pair.read(from: &reader, bands: bands, profile: profile)
        } else {
            try elements[place].pair.readSingle(from: &reader, bands: bands, profile: profile)
        }
        try elements[place].pair.first.applyPulses(bands: bands)
        if element == .pair { try elements[place].pair.second.applyPulses(bands: bands) }
        elements[place].bits = first..<reader.bitPosition
        return place
    }

    private mutating func readFill(of owner: FillOwner) throws(AACError) {
        let fill = try FillElement(reading: &reader)
        guard fill.type == .spectralBandReplication || fill.type == .checkedSpectralBandReplication else { return }
        switch owner {
        case .none: return
        case .element(let place):
            // A second payload for an element is ignored, as is one for low-frequency effects.
            if elements[place].bandReplication.isEmpty && layout.slots[place].element != .lowFrequency {
                elements[place].bandReplication = fill.payload
            }
        case .coupling(let index):
            if coupling.bandReplication[index].isEmpty { coupling.bandReplication[index] = fill.payload }
        }
    }

    /// Takes the layout from a program config element if the configuration has none of its own.
    private mutating func readProgramConfig(blockStart: Int) throws(AACError) {
        let found: ProgramConfigElement
        do throws(MPEG4AudioError) {
            found = try ProgramConfigElement(reading: &reader, alignedTo: blockStart)
        } catch {
            throw .truncated(bitCount: reader.bitCount)
        }
        guard isLayoutOpen || layout.usesTags, found != program else { return }
        let layoutFound = try ElementLayout(found)
        displaced = displaced ?? DisplacedLayout(layout: layout, program: program, isOpen: isLayoutOpen)
        layout = layoutFound
        program = found
        isLayoutOpen = false
    }

    private mutating func finishBlock(taken: UInt32) throws(AACError) {
        guard layout.slotCount > 0 else { throw .missingChannelLayout }
        let found = taken.nonzeroBitCount
        guard found == layout.slotCount else { throw .missingChannels(found: found, expected: layout.slotCount) }
        isLayoutOpen = false
        reader.alignToByte()
    }
}

extension ChannelPairElement {
    /// Reads a single channel into the first half.
    mutating func readSingle(
        from reader: inout BitReader, bands: ScaleFactorBands, profile: CodingProfile
    ) throws(AACError) {
        instanceTag = Int(reader.read(4))
        hasCommonWindow = false
        midSide = MidSideMask()
        let context = IndividualChannelStream.Context(
            prediction: profile.prediction(hasCommonWindow: false), maximumTNSOrder: profile.maximumTNSOrder)
        try first.read(from: &reader, bands: bands, context: context)
    }
}
