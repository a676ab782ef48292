// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio

/// Finds the access units of the first stream of AAC or Opus in an MPEG transport stream, given in chunks of any size (ISO/IEC 13818-1:2019, 2.4).
///
/// Packets of 188 bytes are read, also with an arrival time before each (192 bytes) or an error correction code after it (204 bytes). The stream
/// is the first one of type ADTS or LOAS, or of Opus, in a program map table, and is followed to another PID when a later table names one.
package struct TransportStreamParser: StreamParser {
    /// The stream type of AAC in ADTS.
    static let typeADTS: UInt8 = 0x0F
    /// The stream type of AAC in LOAS.
    static let typeLOAS: UInt8 = 0x11
    /// The stream type of data whose kind its descriptors tell, as of Opus.
    static let typePrivate: UInt8 = 0x06
    /// The stream types of MPEG audio, layers 1 to 3.
    static let typesMPEGAudio: ClosedRange<UInt8> = 3...4

    private var progress = StreamProgress()
    /// The distance of packets in bytes; nil until packets are found, and after they are lost.
    private var stride: Int?
    private var association = SectionAssembler()
    /// The sections of program map tables, by PID.
    private var maps: [Int: SectionAssembler] = [:]
    private var stream: ElementaryStream?
    private var isFinished = false
    /// Whether the stream is one of MPEG audio, whose frames are not searched.
    private let isForMPEGAudio: Bool
    /// Whether a program map table has listed MPEG audio.
    private(set) var listsMPEGAudio = false
    /// Whether a program map table has listed a stream that is read.
    var hasStream: Bool { stream != nil }

    /// The configuration of the latest access unit; nil before the first one.
    package var configuration: CodecConfiguration? { stream?.configuration }

    /// Creates a parser at the start of a stream.
    package init() { self.init(isForMPEGAudio: false) }

    /// Creates a parser that finds either frames, or only the bytes of an MPEG audio stream.
    init(isForMPEGAudio: Bool) { self.isForMPEGAudio = isForMPEGAudio }

    /// The bytes of a stream of MPEG audio so far, as ranges of the transport stream.
    var dataRanges: [Range<Int>] { stream?.dataRanges ?? [] }

    /// Appends the next bytes of the stream; traps after ``finish()``.
    package mutating func append(_ bytes: some Collection<UInt8>) { progress.window.append(bytes) }

    /// Ends the stream, so that the last frames can be found.
    package mutating func finish() { progress.window.finish() }

    /// Returns the next event; nil if more bytes are needed or, after ``finish()``, at the end.
    package mutating func nextEvent() -> ReaderEvent? {
        while true {
            if let event = progress.events.takeFirst() { return event }
            if let event = stream?.nextEvent() { return event }
            guard step() else { return nil }
        }
    }

    /// Advances by a packet or by bytes that are none; returns false if that needs more bytes or nothing is left.
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

    /// Moves to the next three packets at the same distance; returns false if that needs more bytes or nothing is left.
    private mutating func findPackets() -> Bool {
        let window = progress.window
        let needed = 2 * (TransportPacket.strides.last ?? 0) + 1
        // The first packet may follow an arrival time of four bytes.
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
            // The arrival time before the first packet is no loss.
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

    /// Ends the elementary stream after the last packet, once; returns whether there may be events.
    private mutating func finishStream() -> Bool {
        guard progress.window.isFinished, !isFinished else { return false }
        isFinished = true
        progress.lose(progress.window.count, .unrecognized)
        progress.reportLost()
        stream?.finish()
        return true
    }

    /// Takes the last events of a stream that another one replaces.
    private mutating func endStream() {
        stream?.finish()
        while let event = stream?.nextEvent() { progress.report(event) }
    }

    /// Handles the packet at the start of the window.
    private mutating func take(_ packet: TransportPacket) {
        guard !packet.payload.isEmpty else { return }
        let payload = progress.window[packet.payload]
        if packet.pid == 0 {
            let sections = association.append(payload, startsUnit: packet.startsUnit)
            for section in sections where section.tableID == ProgramSection.associationTable {
                for pid in section.mapPIDs where maps[pid] == nil { maps[pid] = SectionAssembler() }
            }
        } else if maps[packet.pid] != nil {
            let sections = maps[packet.pid]?.append(payload, startsUnit: packet.startsUnit) ?? []
            for section in sections where section.tableID == ProgramSection.mapTable { choose(from: section) }
        } else if packet.pid == stream?.pid {
            stream?.append(payload, packet, at: progress.window.offset + packet.payload.lowerBound)
        }
    }

    /// Chooses the first AAC stream of a program map table, unless the present stream is in it or belongs to another program.
    private mutating func choose(from table: ProgramSection) {
        let streams = table.elementaryStreams
        if let stream {
            let isListed = streams.contains { $0.pid == stream.pid && $0.type == stream.type }
            guard stream.program == table.identifier, !isListed else { return }
        }
        if streams.contains(where: { Self.typesMPEGAudio.contains($0.type) }) { listsMPEGAudio = true }
        guard let found = streams.first(where: isWanted) else { return }
        if stream?.type != found.type {
            endStream()
            stream = ElementaryStream(found, program: table.identifier)
        } else {
            stream?.change(to: found.pid)
        }
    }

    /// Whether a stream is of a kind that is searched.
    private func isWanted(_ stream: ProgramSection.Stream) -> Bool {
        if isForMPEGAudio { return Self.typesMPEGAudio.contains(stream.type) }
        return stream.type == Self.typeADTS || stream.type == Self.typeLOAS
            || (stream.type == Self.typePrivate && stream.opusMapping != nil)
    }
}
