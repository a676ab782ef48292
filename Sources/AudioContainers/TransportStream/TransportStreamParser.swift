// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio

/// A parser that finds the access units of the first AAC or Opus stream in an MPEG transport stream, passed in chunks of any size (ISO/IEC
/// 13818-1:2019, 2.4).
///
/// Packets have 188 bytes, optionally with a preceding arrival time (192) or a trailing error correction code (204). The parser selects the
/// first ADTS, LOAS or Opus stream of a program map table, or the chosen one, and follows it to another PID if a later table moves it.
package struct TransportStreamParser: StreamParser {
    /// `stream_type` of AAC in ADTS.
    static let typeADTS: UInt8 = 0x0F
    /// `stream_type` of AAC in LOAS.
    static let typeLOAS: UInt8 = 0x11
    /// `stream_type` of private data identified by descriptors, such as Opus.
    static let typePrivate: UInt8 = 0x06
    /// `stream_type` values of MPEG audio, layers I to III.
    static let typesMPEGAudio: ClosedRange<UInt8> = 3...4

    private var progress = StreamProgress()
    /// The packet distance in bytes, or `nil` without synchronisation.
    private var stride: Int?
    private var association = SectionAssembler()
    /// Assemblers of the program map tables, by PID.
    private var maps: [Int: SectionAssembler] = [:]
    private var stream: ElementaryStream?
    private var isFinished = false
    /// Whether to find an MPEG audio stream, without parsing its frames.
    private let isForMPEGAudio: Bool
    /// The stream to select, or `nil` for the first supported one.
    private let choice: TransportStreamChoice?
    /// The tables so far, if only they are read.
    private(set) var tables: TransportStreamTables?

    /// The configuration of the latest access unit, or `nil` before the first unit.
    package var configuration: CodecConfiguration? { stream?.configuration }

    package init() { self.init(choice: nil) }

    /// Creates a parser of the first supported stream, or of a chosen one.
    package init(choice: TransportStreamChoice?) { self.init(choice: choice, isForMPEGAudio: false) }

    /// Creates a parser that finds either access units or the bytes of an MPEG audio stream.
    init(choice: TransportStreamChoice?, isForMPEGAudio: Bool) {
        self.choice = choice
        self.isForMPEGAudio = isForMPEGAudio
    }

    /// Creates a parser that only collects tables.
    init(tables: TransportStreamTables) {
        self.init()
        self.tables = tables
    }

    /// The ranges of an MPEG audio stream in the transport stream so far.
    var dataRanges: [Range<Int>] { stream?.dataRanges ?? [] }

    /// Appends the next bytes of the stream, and traps after ``finish()``.
    package mutating func append(_ bytes: some Collection<UInt8>) { progress.window.append(bytes) }

    /// Marks the end of the stream, which completes the last frames.
    package mutating func finish() { progress.window.finish() }

    /// Returns the next event, or `nil` if more bytes are needed or, after ``finish()``, at the end.
    package mutating func nextEvent() -> ReaderEvent? {
        while true {
            if let event = progress.events.removeFirst() { return event }
            if let event = stream?.nextEvent() { return event }
            guard step() else { return nil }
        }
    }

    /// Consumes a packet, or skips bytes.
    ///
    /// Returns `false` if more bytes are needed or at the end.
    private mutating func step() -> Bool {
        guard let stride else { return findPackets() }
        let window = progress.window
        // The next packet confirms this one.
        let isLast = window.isFinished && !window.has(stride + 1)
        guard isLast ? window.has(TransportPacket.byteCount) : window.has(stride + 1) else { return finishStream() }
        guard window[0] == TransportPacket.syncByte, isLast || window[stride] == TransportPacket.syncByte else {
            self.stride = nil
            return true
        }
        progress.reportLost()
        if let packet = TransportPacket(window) { take(packet) }
        progress.window.advance(by: min(stride, window.count))
        return true
    }

    /// Moves to the next three equidistant packets.
    ///
    /// Returns `false` if more bytes are needed or at the end.
    private mutating func findPackets() -> Bool {
        let window = progress.window
        let needed = 2 * (TransportPacket.strides.last ?? 0) + 1
        // A four-byte arrival time can precede the first packet.
        guard window.isFinished || window.offset > 0 || window.has(4 + needed) else { return false }
        for distance in 0..<window.count where window[distance] == TransportPacket.syncByte {
            guard window.isFinished || window.has(distance + needed) else {
                progress.lose(distance, .unrecognized)
                return false
            }
            let found = TransportPacket.strides.first { stride in
                [stride, 2 * stride].allSatisfy { !window.has(distance + $0 + 1) || window[distance + $0] == TransportPacket.syncByte }
            }
            guard let found, window.has(distance + TransportPacket.byteCount) else { continue }
            // The arrival time before the first packet is not a loss.
            if distance == found - TransportPacket.byteCount, window.offset == 0 {
                progress.window.advance(by: distance)
            } else {
                progress.lose(distance, .unrecognized)
            }
            stride = found
            return true
        }
        progress.lose(window.count, .unrecognized)
        return finishStream()
    }

    /// Ends the elementary stream once, after the last packet, and returns whether there may be events.
    private mutating func finishStream() -> Bool {
        guard progress.window.isFinished, !isFinished else { return false }
        isFinished = true
        progress.lose(progress.window.count, .unrecognized)
        progress.reportLost()
        stream?.finish()
        return true
    }

    /// Reports the last events of a stream that is being replaced.
    private mutating func endStream() {
        stream?.finish()
        while let event = stream?.nextEvent() { progress.report(event) }
    }

    /// Processes the packet at the start of the window.
    private mutating func take(_ packet: TransportPacket) {
        guard !packet.payload.isEmpty else { return }
        let payload = progress.window[packet.payload]
        if packet.pid == 0 {
            let sections = association.append(payload, startsUnit: packet.startsUnit)
            for section in sections where section.tableID == ProgramSection.associationTable {
                tables?.append(section)
                for (_, pid) in section.programs where maps[pid] == nil { maps[pid] = SectionAssembler() }
            }
        } else if maps[packet.pid] != nil {
            let sections = maps[packet.pid]?.append(payload, startsUnit: packet.startsUnit) ?? []
            for section in sections where section.tableID == ProgramSection.mapTable { choose(from: section) }
        } else if packet.pid == stream?.pid {
            stream?.append(payload, packet, at: progress.window.offset + packet.payload.lowerBound)
        }
    }

    /// Selects a stream of a program map table, unless the current stream is in it or belongs to another program.
    private mutating func choose(from table: ProgramSection) {
        guard tables == nil else {
            tables?.append(table)
            return
        }
        let streams = table.elementaryStreams
        if let stream {
            let isListed = streams.contains { $0.pid == stream.pid && $0.type == stream.type }
            guard stream.program == table.identifier, !isListed else { return }
        }
        guard let found = wanted(of: streams, program: table.identifier) else { return }
        if stream?.type != found.type {
            endStream()
            stream = ElementaryStream(found, program: table.identifier)
        } else {
            stream?.change(to: found.pid)
        }
    }

    /// Returns the first supported stream, or the chosen one, or after it has moved the first one in its language.
    private func wanted(of streams: [ElementaryStreamDescription], program: UInt16) -> ElementaryStreamDescription? {
        let supported = streams.filter { isForMPEGAudio ? $0.isMPEGAudio : $0.hasAccessUnits }
        guard let choice else { return supported.first }
        guard choice.program == program else { return nil }
        let sameLanguage = supported.first { stream != nil && $0.language == choice.language }
        return supported.first { $0.pid == choice.pid } ?? sameLanguage
    }
}
