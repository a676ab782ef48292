// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
public import MPEG4Audio

/// Finds access units in an ADTS stream, given in chunks of any size.
///
/// A frame counts only when another sound header, a tag or the end of the stream follows it, so that a false syncword in a
/// payload or a damaged length costs no more than the frames it touches. The events do not depend on the chunks.
/// At most two frames and the latest chunk are kept. No input can make it trap.
public struct ADTSReader: AudioStreamReader {
    private var window = StreamWindow()
    private var pending: [ReaderEvent] = []
    /// Bytes of a tag that are still to come.
    private var tagBytesLeft = 0
    private var tag: SkippedBytes?
    /// Where bytes that belong to nothing began.
    private var lostSince: Int?
    private var lostReason = SkippedBytes.Reason.unrecognized
    /// The header that the latest frame had.
    private var reference: ADTSHeader?
    private var time: MediaTime?
    private var programConfig: ProgramConfigElement?

    /// The configuration of the latest unit.
    public private(set) var configuration: AudioSpecificConfig?

    /// Makes a reader at the start of a stream.
    public init() {}

    /// Takes the next bytes of the stream; traps after ``finish()``.
    public mutating func append(_ bytes: some Collection<UInt8>) { window.append(bytes) }

    /// Says that the stream is over.
    public mutating func finish() { window.finish() }

    /// The next event; nil if more bytes are needed or, after ``finish()``, there is nothing more.
    public mutating func next() -> ReaderEvent? {
        while pending.isEmpty {
            guard step() else { return nil }
        }
        return pending.removeFirst()
    }

    /// Goes on by one frame, tag or byte; false if that needs more bytes or nothing is left.
    private mutating func step() -> Bool {
        if tag != nil { return skipTag() }
        if window.count == 0 {
            if window.isFinished { reportLost() }
            return !pending.isEmpty
        }
        let plain = window.distance { Self.canBegin($0) }
        if plain > 0 {
            lose(plain, .unrecognized)
            return true
        }
        switch StreamTag.search(in: window, at: 0) {
        case .needsMore: return false
        case .found(let found):
            reportLost()
            tag = SkippedBytes(byteRange: window.offset..<window.offset + found.byteCount, reason: found.reason)
            tagBytesLeft = found.byteCount
            return true
        case .none: break
        }
        switch ADTSFrameCheck.check(window, at: 0, reference: reference) {
        case .needsMore: return false
        case .sound(let header): takeFrame(header)
        case .unsound(let reason): lose(1, reason)
        }
        return true
    }

    private mutating func skipTag() -> Bool {
        let count = min(tagBytesLeft, window.count)
        window.advance(by: count)
        tagBytesLeft -= count
        guard tagBytesLeft == 0 || window.isFinished, let tag else { return false }
        pending.append(.skipped(SkippedBytes(byteRange: tag.byteRange.lowerBound..<window.offset, reason: tag.reason)))
        self.tag = nil
        return true
    }

    private mutating func lose(_ count: Int, _ reason: SkippedBytes.Reason) {
        if lostSince == nil {
            lostSince = window.offset
            lostReason = reason
        }
        window.advance(by: count)
    }

    /// Whether a frame or a tag can begin with a byte: a syncword, `ID3`, `APETAGEX` or `TAG`.
    private static func canBegin(_ byte: UInt8) -> Bool { byte == 0xFF || byte == 0x49 || byte == 0x41 || byte == 0x54 }

    private mutating func reportLost() {
        guard let start = lostSince else { return }
        pending.append(.skipped(SkippedBytes(byteRange: start..<window.offset, reason: lostReason)))
        lostSince = nil
    }

    private mutating func takeFrame(_ header: ADTSHeader) {
        guard let blocks = ADTSFrameCheck.blocks(of: header, in: window) else {
            reportLost()
            lose(header.frameLength, .damagedBlockPositions)
            return reportLost()
        }
        reportLost()
        if reference.map({ !$0.isConsistent(with: header) }) ?? true { programConfig = nil }
        reference = header
        if header.channelConfiguration == 0, let first = blocks.first, let found = Self.programConfig(in: window[first]) {
            programConfig = found
        }
        announce(header)
        for (index, block) in blocks.enumerated() {
            appendUnit(block, isFirst: index == 0, isLast: index == blocks.count - 1, blockCount: blocks.count, header)
        }
        window.advance(by: header.frameLength)
    }

    private mutating func announce(_ header: ADTSHeader) {
        var found = header.audioSpecificConfig
        if let programConfig { found.specificConfig = .generalAudio(GASpecificConfig(programConfig: programConfig)) }
        guard found != configuration else { return }
        configuration = found
        time = MediaTime(ADTSReader.rescaled(time, to: found.sampleRate), found.sampleRate)
        pending.append(.configuration(found))
    }

    private mutating func appendUnit(_ block: Range<Int>, isFirst: Bool, isLast: Bool, blockCount: Int, _ header: ADTSHeader) {
        let blocksInside = blockCount == 1 ? header.rawDataBlockCount : 1
        let start = time ?? MediaTime(0, header.samplingFrequencyIndex.hertz)
        let duration = 1024 * blocksInside
        let crcBytes = header.hasCRC && header.rawDataBlockCount > 1 ? 2 : 0
        let first = isFirst ? 0 : block.lowerBound
        var unit = CodedUnit(
            accessUnit: AccessUnit(payload: Array(window[block]), presentationTime: start, duration: duration),
            byteRange: window.offset + first..<window.offset + (isLast ? header.frameLength : block.upperBound + crcBytes))
        unit.rawDataBlockCount = blocksInside
        unit.adtsHeader = header
        if header.hasCRC {
            let place = crcBytes == 0 ? ADTSHeader.fixedByteCount : block.upperBound
            unit.checksum = UInt16(window[place]) << 8 | UInt16(window[place + 1])
        }
        time = start.advanced(byFrames: duration)
        pending.append(.accessUnit(unit))
    }

    /// The PCE that a raw data block begins with.
    private static func programConfig(in block: ArraySlice<UInt8>) -> ProgramConfigElement? {
        // A PCE is at most 49 bytes of fields and 256 of comment long.
        var reader = BitReader(block.prefix(306))
        guard reader.read(3) == 5 else { return nil }
        return try? ProgramConfigElement(reading: &reader, alignedTo: 0)
    }

    private static func rescaled(_ time: MediaTime?, to rate: Int) -> Int64 {
        guard let time else { return 0 }
        let product = time.value.multipliedReportingOverflow(by: Int64(rate))
        return product.overflow ? 0 : product.partialValue / Int64(time.timescale)
    }
}

extension MediaTime {
    /// A time in ticks of one sample frame.
    fileprivate init(_ value: Int64, _ rate: Int) { self.init(value: value, timescale: Int32(rate)) }
}
