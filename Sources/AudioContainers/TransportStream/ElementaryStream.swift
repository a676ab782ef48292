// SPDX-License-Identifier: Apache-2.0

/// The audio stream in the packets of one PID: the data of its PES packets, with the parser of its frames.
struct ElementaryStream: Sendable {
    /// `stream_type` in the program map table.
    let type: UInt8
    /// The program that the stream belongs to.
    let program: UInt16
    /// The PID of the packets.
    private(set) var pid: Int

    /// The bytes of MPEG audio in the transport stream; empty for other streams, whose frames the parser finds.
    private(set) var dataRanges: [Range<Int>] = []
    private var parser: FrameParser
    private var isParserChosen = false
    private var map = ElementaryStreamMap()
    private var lastCounter: UInt8?
    /// The bytes of an incomplete PES header; nil inside the data.
    private var header: [UInt8]? = nil
    /// The data of the PES packet to come: nil if it has no length, 0 before the first packet.
    private var bytesLeft: Int? = 0

    /// Creates a stream before its first packet.
    init(_ stream: ProgramSection.Stream, program: UInt16) {
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

    /// The configuration of the latest access unit; nil before the first one.
    var configuration: CodecConfiguration? { parser.configuration }

    /// Continues with the packets of another PID.
    mutating func change(to pid: Int) {
        self.pid = pid
        lastCounter = nil
        discardHeader()
    }

    /// Adds the payload of a packet.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - packet: The packet's header.
    ///   - position: The offset of the payload in the transport stream.
    mutating func append(_ payload: ArraySlice<UInt8>, _ packet: TransportPacket, at position: Int) {
        // A packet may be sent twice.
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

    /// Continues after lost packets: an incomplete header is of no use, and other data may be that of a PES packet whose header is lost.
    private mutating func continueAfterLoss() {
        if header != nil { discardHeader() } else { bytesLeft = nil }
    }

    /// Ignores the data up to the next PES packet.
    private mutating func discardHeader() {
        header = nil
        bytesLeft = 0
    }

    /// Adds data of the PES packet.
    private mutating func appendData(_ data: ArraySlice<UInt8>, at position: Int) {
        let count = min(data.count, bytesLeft ?? data.count)
        guard count > 0 else { return }
        bytesLeft = bytesLeft.map { $0 - count }
        if TransportStreamParser.typesMPEGAudio.contains(type) { return dataRanges.append(position..<position + count) }
        map.append(count, at: position)
        if !isParserChosen { chooseParser(data) }
        parser.append(data.prefix(count))
    }

    /// Chooses the parser by the first syncword, since some streams of ADTS are marked as LOAS and some of LOAS as ADTS.
    private mutating func chooseParser(_ data: ArraySlice<UInt8>) {
        isParserChosen = true
        let word = data.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        if word & 0xFFF6 == 0xFFF0 { parser = FrameParser(isLOAS: false) }
        if word & 0xFFE0 == 0x56E0 { parser = FrameParser(isLOAS: true) }
    }

    /// Ends the stream.
    mutating func finish() { parser.finish() }

    /// Returns the next event, with byte ranges in the transport stream; nil if more bytes are needed or at the end.
    mutating func nextEvent() -> ReaderEvent? {
        switch parser.nextEvent() {
        case .accessUnit(var unit):
            unit.byteRange = map.locate(unit.byteRange)
            return .accessUnit(unit)
        case .skipped(var skipped):
            skipped.byteRange = map.locate(skipped.byteRange)
            return .skipped(skipped)
        case let event: return event
        }
    }
}
