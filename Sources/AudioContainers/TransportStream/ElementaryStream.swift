// SPDX-License-Identifier: Apache-2.0

/// The audio stream with one PID: its PES packet data and the parser of its frames.
struct ElementaryStream: Sendable {
    /// `stream_type` in the program map table.
    let type: UInt8
    let program: UInt16
    private(set) var pid: Int

    /// The ranges of MPEG audio in the transport stream.
    ///
    /// Empty for other streams, whose frames are parsed.
    private(set) var dataRanges: [Range<Int>] = []
    private var parser: FrameParser
    private var isParserChosen = false
    private var map = ElementaryStreamMap()
    private var lastCounter: UInt8?
    /// The bytes of an incomplete PES header, or `nil` inside the data.
    private var header: [UInt8]? = nil
    /// The remaining data of the PES packet: `nil` if it has no length, 0 before the first packet.
    private var bytesLeft: Int? = 0

    init(_ stream: ElementaryStreamDescription, program: UInt16) {
        type = stream.type
        self.program = program
        pid = stream.pid
        switch type {
        case TransportStreamParser.typePrivate:
            parser = FrameParser(opus: OpusElementaryParser(mapping: stream.opusMapping))
            isParserChosen = true
        case TransportStreamParser.typeLOAS: parser = FrameParser(isLOAS: true)
        default: parser = FrameParser(isLOAS: false)
        }
    }

    /// The configuration of the latest access unit, or `nil` before the first unit.
    var configuration: CodecConfiguration? { parser.configuration }

    /// Continues with another PID.
    mutating func change(to pid: Int) {
        self.pid = pid
        lastCounter = nil
        discardHeader()
    }

    /// Adds the payload of a packet.
    ///
    /// - Parameter position: The offset of the payload in the transport stream.
    mutating func append(_ payload: ArraySlice<UInt8>, _ packet: TransportPacket, at position: Int) {
        // A packet can be sent twice.
        if packet.continuityCounter == lastCounter, !packet.isDiscontinuous { return }
        if let lastCounter, packet.continuityCounter != (lastCounter + 1) & 0x0F { continueAfterLoss() }
        lastCounter = packet.continuityCounter
        if packet.startsUnit { header = [] }
        guard var collected = header else { return appendData(payload, at: position) }
        let known = collected.count
        collected += payload
        header = collected
        guard collected.count >= PESHeader.fixedByteCount else { return }
        guard let length = PESHeader.byteCount(collected) else { return discardHeader() }
        guard collected.count >= length else { return }
        guard let found = PESHeader(collected) else { return discardHeader() }
        header = nil
        bytesLeft = found.dataByteCount
        appendData(payload.dropFirst(length - known), at: position + length - known)
    }

    /// Resumes after lost packets.
    ///
    /// An incomplete header is useless, and further data can belong to a PES packet with a lost header.
    private mutating func continueAfterLoss() {
        if header != nil { discardHeader() } else { bytesLeft = nil }
    }

    /// Ignores all data up to the next PES packet.
    private mutating func discardHeader() {
        header = nil
        bytesLeft = 0
    }

    /// Adds data of the current PES packet.
    private mutating func appendData(_ data: ArraySlice<UInt8>, at position: Int) {
        let count = min(data.count, bytesLeft ?? data.count)
        guard count > 0 else { return }
        bytesLeft = bytesLeft.map { $0 - count }
        if TransportStreamParser.typesMPEGAudio.contains(type) { return dataRanges.append(position..<position + count) }
        map.append(count, at: position)
        if !isParserChosen { chooseParser(data) }
        parser.append(data.prefix(count))
    }

    /// Chooses the parser by the first syncword, because some streams signal ADTS as LOAS or vice versa.
    private mutating func chooseParser(_ data: ArraySlice<UInt8>) {
        isParserChosen = true
        let word = data.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        if word & 0xFFF6 == 0xFFF0 { parser = FrameParser(isLOAS: false) }
        if word & 0xFFE0 == 0x56E0 { parser = FrameParser(isLOAS: true) }
    }

    mutating func finish() { parser.finish() }

    /// Returns the next event, with ranges in the transport stream, or `nil` if more bytes are needed or at the end.
    mutating func nextEvent() -> ReaderEvent? {
        switch parser.nextEvent() {
        case .accessUnit(var accessUnit):
            accessUnit.byteRange = map.locate(accessUnit.byteRange)
            return .accessUnit(accessUnit)
        case .skipped(var skipped):
            skipped.byteRange = map.locate(skipped.byteRange)
            return .skipped(skipped)
        case let event: return event
        }
    }
}
