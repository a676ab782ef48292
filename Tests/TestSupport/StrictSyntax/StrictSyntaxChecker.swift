// SPDX-License-Identifier: Apache-2.0

/// Reads AAC-LC raw data blocks and throws at the first syntax violation.
///
/// Written from the standard's syntax tables, independently of the library's parser and with separate tables, so that writer and reader
/// cannot share an error. It is stricter than a decoder: it rejects some streams that decoders must accept.
public struct StrictSyntaxChecker: Sendable {
    /// Raw data block elements by `id_syn_ele`.
    enum Element {
        static let single = 0
        static let pair = 1
        static let lowFrequency = 3
        static let data = 4
        static let fill = 6
        static let end = 7
    }

    /// The standard's tables.
    let tables: ReferenceTables
    /// Codebooks 1 to 11.
    let spectralTrees: [CodeTree]
    /// The scale factor codebook.
    let scaleFactorTree: CodeTree
    /// `samplingFrequencyIndex`.
    let frequencyIndex: Int
    /// The elements of the channel configuration, in order.
    private let expectedElements: [Int]
    /// The window sequence of each channel in the previous access unit; empty before the first access unit.
    private var previousSequences: [Int] = []

    /// Creates a checker for a stream with this `samplingFrequencyIndex` and `channelConfiguration` (1 to 7, 11, 12, 14).
    public init(frequencyIndex: Int, channelConfiguration: Int) throws {
        tables = try ReferenceTables.load()
        spectralTrees = tables.spectral.map { CodeTree(codes: $0.codes, lengths: $0.lengths) }
        scaleFactorTree = CodeTree(codes: tables.scaleFactor.codes, lengths: tables.scaleFactor.lengths)
        self.frequencyIndex = frequencyIndex
        let (s, p, l) = (Element.single, Element.pair, Element.lowFrequency)
        let layouts = [
            1: [s], 2: [p], 3: [s, p], 4: [s, p, s], 5: [s, p, p], 6: [s, p, p, l], 7: [s, p, p, p, l],
            11: [s, p, p, s, l], 12: [s, p, p, p, l], 14: [s, p, p, l, p],
        ]
        expectedElements = layouts[channelConfiguration] ?? []
    }

    /// Checks the next access unit of the stream.
    public mutating func check(_ bytes: [UInt8]) throws(SyntaxViolation) -> CheckedAccessUnit {
        var reader = StrictBitReader(bytes)
        var accessUnit = CheckedAccessUnit()
        var elementCount = 0
        var tags: Set<Int> = []
        while true {
            let identifier = try reader.bits(3)
            if identifier == Element.end { break }
            switch identifier {
            case Element.data: try skipData(&reader)
            case Element.fill: accessUnit.fillBitCount += try skipFill(&reader)
            case Element.single, Element.pair, Element.lowFrequency:
                guard elementCount < expectedElements.count, expectedElements[elementCount] == identifier else {
                    throw .unexpectedElement(index: elementCount, identifier: identifier)
                }
                elementCount += 1
                let tag = try reader.bits(4)
                guard tags.insert(16 * identifier + tag).inserted else { throw .repeatedTag(identifier: identifier, tag: tag) }
                try readChannels(identifier, &reader, into: &accessUnit)
            default: throw .unexpectedElement(index: elementCount, identifier: identifier)
            }
        }
        guard elementCount == expectedElements.count else {
            throw .missingElements(expected: expectedElements.count, found: elementCount)
        }
        accessUnit.bitCount = reader.position
        while reader.position % 8 != 0 {
            guard try reader.bit() == 0 else { throw .trailingData(bitPosition: reader.position - 1) }
        }
        guard reader.position == 8 * bytes.count else { throw .trailingData(bitPosition: reader.position) }
        try checkSize(accessUnit)
        try checkSuccession(accessUnit)
        return accessUnit
    }

    /// Checks the size: the decoder buffer holds 6144 bits per channel, excluding LFE channels.
    private func checkSize(_ accessUnit: CheckedAccessUnit) throws(SyntaxViolation) {
        let limit = 6144 * (accessUnit.channels.count - expectedElements.count { $0 == Element.lowFrequency })
        guard accessUnit.bitCount <= limit else { throw .tooManyBits(found: accessUnit.bitCount, limit: limit) }
    }

    /// Checks that the slopes of consecutive windows match (ISO/IEC 14496-3:2009, 4.6.11.3.2).
    private mutating func checkSuccession(_ accessUnit: CheckedAccessUnit) throws(SyntaxViolation) {
        let sequences = accessUnit.channels.map(\.windowSequence)
        for (channel, (previous, current)) in zip(previousSequences, sequences).enumerated() {
            let fallsShort = previous == 1 || previous == 2
            let risesShort = current == 2 || current == 3
            guard fallsShort == risesShort else { throw .windowSuccession(channel: channel, from: previous, to: current) }
        }
        previousSequences = sequences
    }

    /// Reads the channels of an element.
    private func readChannels(
        _ identifier: Int, _ reader: inout StrictBitReader, into accessUnit: inout CheckedAccessUnit
    ) throws(SyntaxViolation) {
        guard identifier == Element.pair else {
            var channel = CheckedChannel()
            try readChannel(&channel, &reader, hasCommonWindow: false, isSecondOfCommonWindow: false)
            if identifier == Element.lowFrequency { try checkLowFrequency(channel) }
            accessUnit.channels.append(channel)
            return
        }
        var first = CheckedChannel()
        var second = CheckedChannel()
        let hasCommonWindow = try reader.flag()
        if hasCommonWindow {
            try readInfo(&first, &reader)
            second = first
            let mask = try reader.bits(2)
            let bandCount = first.groupLengths.count * first.maxSFB
            switch mask {
            case 0: break
            case 1:
                for _ in 0..<bandCount {
                    accessUnit.midSideBandCount += try reader.bit()
                }
            case 2: accessUnit.midSideBandCount += bandCount
            default: throw .reservedMask
            }
        }
        try readChannel(&first, &reader, hasCommonWindow: hasCommonWindow, isSecondOfCommonWindow: false)
        try readChannel(&second, &reader, hasCommonWindow: hasCommonWindow, isSecondOfCommonWindow: hasCommonWindow)
        accessUnit.channels += [first, second]
    }

    /// Checks the restrictions of LFE channels: long sine windows, the lowest twelve lines, no TNS, no PNS.
    private func checkLowFrequency(_ channel: CheckedChannel) throws(SyntaxViolation) {
        guard channel.windowSequence == 0, channel.windowShape == 0, channel.tnsFilterCount == 0,
            channel.noiseBandCount == 0, channel.quantized.dropFirst(12).allSatisfy({ $0 == 0 })
        else { throw .lowFrequencyChannel }
    }

    /// Skips `data_stream_element()`.
    private func skipData(_ reader: inout StrictBitReader) throws(SyntaxViolation) {
        _ = try reader.bits(4)
        let isAligned = try reader.flag()
        var count = try reader.bits(8)
        if count == 255 { count += try reader.bits(8) }
        while isAligned && reader.position % 8 != 0 {
            _ = try reader.bit()
        }
        for _ in 0..<count {
            _ = try reader.bits(8)
        }
    }

    /// Skips `fill_element()` and returns its size in bits.
    private func skipFill(_ reader: inout StrictBitReader) throws(SyntaxViolation) -> Int {
        let start = reader.position
        var count = try reader.bits(4)
        if count == 15 { count += try reader.bits(8) - 1 }
        for _ in 0..<count {
            _ = try reader.bits(8)
        }
        return 3 + reader.position - start
    }
}
