// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Extracts access units from the bytes that a caller passes.
///
/// An access unit is available as soon as its last byte is, without waiting for the next one, because callers pass one access unit and
/// expect its samples.
struct UnitQueue {
    /// An access unit with its properties.
    struct Unit {
        /// The raw data blocks.
        var payload: [UInt8]
        /// The stream's configuration, if the transport signals it.
        var configuration: AudioSpecificConfig?
        /// The number of bytes in the transport.
        var byteCount: Int
        /// The number of consecutive raw data blocks.
        var blockCount = 1
        /// The number of bytes after each raw data block: its checksum in ADTS frames with several.
        var trailerByteCount = 0
    }

    /// The outcome of parsing the next bytes.
    enum Outcome {
        /// An access unit.
        case unit(Unit)
        /// More bytes are needed.
        case needsBytes
        /// No access unit. ``skippedByteCount`` foreign or damaged bytes were skipped.
        case unsynchronized
    }

    private let format: Transport.Format
    private var bytes: [UInt8] = []
    private var multiplex: StreamMuxConfig?
    /// The ADIF header: its configuration, and its size until it has been counted with an access unit.
    private var header: (configuration: AudioSpecificConfig, byteCount: Int)?

    /// The number of bytes that the last outcome without access unit skipped.
    private(set) var skippedByteCount = 0

    /// The maximum number of queued bytes.
    static let capacity = 32_768

    init(_ format: Transport.Format) { self.format = format }

    /// The number of bytes that can be appended.
    var space: Int { Self.capacity - bytes.count }

    /// Appends bytes.
    ///
    /// For transports without framing, one call is one access unit.
    mutating func append(_ added: UnsafeBufferPointer<UInt8>) {
        // Leftover bytes of an unframed access unit do not belong to the next one.
        if !isFramed { bytes.removeAll(keepingCapacity: true) }
        unsafe bytes.append(contentsOf: added)
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Sets the StreamMuxConfig of LATM with out-of-band configuration.
    mutating func setMultiplex(_ config: StreamMuxConfig) { multiplex = config }

    /// Whether the length of an access unit is in the stream or found by parsing.
    private var isFramed: Bool { format == .adts || format == .loas || format == .adif }

    /// Dequeues the next access unit, or skips bytes that are not part of one.
    mutating func next() -> Outcome {
        guard !bytes.isEmpty else { return .needsBytes }
        switch format {
        case .adts: return nextADTS()
        case .loas: return nextLOAS()
        case .latmInBand:
            let all = take(bytes.count)
            return element(all, byteCount: all.count)
        case .latmOutOfBand: return nextPayload()
        case .adif: return nextADIF()
        case .raw:
            let all = take(bytes.count)
            return .unit(Unit(payload: all, configuration: nil, byteCount: all.count))
        }
    }

    /// Returns all bytes after the ADIF header.
    ///
    /// They stay queued until ``removeUnit(byteCount:)``, because only a decoder finds the end of the access unit.
    private mutating func nextADIF() -> Outcome {
        if header == nil {
            guard let found = try? ADIFHeader(parsing: bytes), let configuration = try? found.audioSpecificConfig else {
                let isBegun = Array("ADIF".utf8).starts(with: bytes.prefix(4))
                return isBegun && bytes.count < Self.headerLimit ? .needsBytes : skipped(take(1).count)
            }
            header = (configuration, take(found.byteCount).count)
        }
        guard !bytes.isEmpty else { return .needsBytes }
        return .unit(Unit(payload: bytes, configuration: header?.configuration, byteCount: bytes.count))
    }

    /// Larger than any ADIF header: sixteen programs with the longest comments need 4.9 KiB.
    private static let headerLimit = 8192

    /// Larger than any raw data block: 32 channels of 6144 bits.
    static let blockLimit = 24_576

    /// Dequeues an ADIF access unit after its length was found.
    mutating func removeUnit(byteCount: Int) -> Unit {
        let payload = take(byteCount)
        defer { header?.byteCount = 0 }
        return Unit(payload: payload, configuration: header?.configuration, byteCount: payload.count + (header?.byteCount ?? 0))
    }

    /// Dequeues the next ADTS frame.
    private mutating func nextADTS() -> Outcome {
        guard skip(to: { $0 == 0xFF && $1 & 0xF6 == 0xF0 }) else { return .needsBytes }
        guard bytes.count >= ADTSHeader.fixedByteCount else { return .needsBytes }
        guard let header = try? ADTSHeader(parsing: Array(bytes.prefix(16))), header.frameLength > header.byteCount else {
            return skipped(take(1).count)
        }
        guard bytes.count >= header.frameLength else { return .needsBytes }
        // A syncword inside damaged data is not followed by another one.
        let next = header.frameLength
        if bytes.count >= next + 2, bytes[next] != 0xFF || bytes[next + 1] & 0xF6 != 0xF0 {
            return skipped(take(1).count)
        }
        let frame = take(header.frameLength)
        return .unit(
            Unit(
                payload: Array(frame[header.byteCount...]), configuration: header.audioSpecificConfig, byteCount: frame.count,
                blockCount: header.rawDataBlockCount, trailerByteCount: header.hasCRC && header.rawDataBlockCount > 1 ? 2 : 0))
    }

    /// Dequeues the next LOAS frame.
    private mutating func nextLOAS() -> Outcome {
        guard skip(to: { $0 == 0x56 && $1 & 0xE0 == 0xE0 }) else { return .needsBytes }
        guard bytes.count >= 3 else { return .needsBytes }
        let length = 3 + (Int(bytes[1] & 0x1F) << 8 | Int(bytes[2]))
        guard bytes.count >= length else { return .needsBytes }
        if bytes.count >= length + 2, bytes[length] != 0x56 || bytes[length + 1] & 0xE0 != 0xE0 {
            return skipped(take(1).count)
        }
        let frame = take(length)
        return element(Array(frame[3...]), byteCount: length)
    }

    /// Returns the access unit of an AudioMuxElement.
    private mutating func element(_ bytes: [UInt8], byteCount: Int) -> Outcome {
        var reader = BitReader(bytes)
        guard let element = try? AudioMuxElement(reading: &reader, previous: multiplex) else {
            return skipped(byteCount)
        }
        if let config = element.streamMuxConfig { multiplex = config }
        return .unit(
            Unit(
                payload: element.payloads.flatMap { $0 }, configuration: multiplex?.configuration, byteCount: byteCount,
                blockCount: element.payloads.count))
    }

    /// Dequeues an access unit that follows its length (`PayloadLengthInfo`).
    private mutating func nextPayload() -> Outcome {
        let all = take(bytes.count)
        let first = all.firstIndex { $0 != 255 } ?? all.count
        guard first < all.count else { return skipped(all.count) }
        let length = first * 255 + Int(all[first])
        guard first + 1 + length <= all.count else { return skipped(all.count) }
        return .unit(
            Unit(
                payload: Array(all[(first + 1)..<(first + 1 + length)]), configuration: multiplex?.configuration, byteCount: all.count))
    }

    private mutating func skipped(_ byteCount: Int) -> Outcome {
        skippedByteCount = byteCount
        return .unsynchronized
    }

    /// Skips to the first two bytes that a closure accepts.
    ///
    /// Returns whether there are any.
    private mutating func skip(to isStart: (UInt8, UInt8) -> Bool) -> Bool {
        var position = 0
        while position + 1 < bytes.count, !isStart(bytes[position], bytes[position + 1]) { position += 1 }
        _ = take(position)
        return bytes.count >= 2
    }

    /// Dequeues the first bytes.
    private mutating func take(_ count: Int) -> [UInt8] {
        defer { bytes.removeFirst(count) }
        return Array(bytes.prefix(count))
    }
}
