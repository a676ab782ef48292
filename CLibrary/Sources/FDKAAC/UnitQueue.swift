// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Bytes that a caller has passed, and the access units in them.
///
/// A unit is found as soon as its last byte is there, without waiting for the next one, since callers pass a unit and expect its samples.
struct UnitQueue {
    /// An access unit and what is known with it.
    struct Unit {
        /// The raw data blocks.
        var payload: [UInt8]
        /// The configuration of the stream, where the transport tells it.
        var configuration: AudioSpecificConfig?
        /// The number of bytes in the transport.
        var byteCount: Int
        /// The number of raw data blocks, one after the other.
        var blockCount = 1
    }

    /// The kinds of the next bytes.
    enum Outcome {
        /// A unit.
        case unit(Unit)
        /// Too few bytes.
        case needsBytes
        /// No unit, but ``skippedByteCount`` bytes of something else or of damage, which were skipped.
        case unsynchronized
    }

    private let format: Transport.Format
    private var bytes: [UInt8] = []
    private var multiplex: StreamMuxConfig?
    /// The header of ADIF: its configuration, and its size until a unit has been counted with it.
    private var header: (configuration: AudioSpecificConfig, byteCount: Int)?

    /// The bytes that the last outcome without a unit has skipped.
    private(set) var skippedByteCount = 0

    /// The most bytes that wait.
    static let capacity = 32_768

    /// Makes an empty queue.
    init(_ format: Transport.Format) { self.format = format }

    /// The number of bytes that can be added.
    var space: Int { Self.capacity - bytes.count }

    /// Adds bytes; a call is one unit where the transport has no framing.
    mutating func append(_ added: UnsafeBufferPointer<UInt8>) {
        // What a unit without framing left behind belongs to no other one.
        if !isFramed { bytes.removeAll(keepingCapacity: true) }
        unsafe bytes.append(contentsOf: added)
    }

    /// Discards all bytes.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Sets the multiplex of LATM without configurations in the stream.
    mutating func setMultiplex(_ config: StreamMuxConfig) { multiplex = config }

    /// Whether a unit's length is in the stream, or found by parsing it.
    private var isFramed: Bool { format == .adts || format == .loas || format == .adif }

    /// Removes the next unit, or what is none.
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

    /// Returns all bytes after the header of ADIF, which remain until ``removeUnit(byteCount:)``, since only a decoder finds the unit's end.
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

    /// More bytes than the header of ADIF has: sixteen programs with the longest comments take 4.9 KiB.
    private static let headerLimit = 8192

    /// More bytes than a raw data block has: 32 channels of 6144 bits.
    static let blockLimit = 24_576

    /// Removes a unit of ADIF, whose length has been found.
    mutating func removeUnit(byteCount: Int) -> Unit {
        let payload = take(byteCount)
        defer { header?.byteCount = 0 }
        return Unit(payload: payload, configuration: header?.configuration, byteCount: payload.count + (header?.byteCount ?? 0))
    }

    /// Removes the next frame of ADTS.
    private mutating func nextADTS() -> Outcome {
        guard skip(to: { $0 == 0xFF && $1 & 0xF6 == 0xF0 }) else { return .needsBytes }
        guard bytes.count >= ADTSHeader.fixedByteCount else { return .needsBytes }
        guard let header = try? ADTSHeader(parsing: Array(bytes.prefix(16))), header.frameLength > header.byteCount else {
            return skipped(take(1).count)
        }
        guard bytes.count >= header.frameLength else { return .needsBytes }
        // A syncword in the middle of damage is followed by no other one.
        let next = header.frameLength
        if bytes.count >= next + 2, bytes[next] != 0xFF || bytes[next + 1] & 0xF6 != 0xF0 {
            return skipped(take(1).count)
        }
        let frame = take(header.frameLength)
        return .unit(
            Unit(
                payload: Array(frame[header.byteCount...]), configuration: header.audioSpecificConfig, byteCount: frame.count,
                blockCount: header.rawDataBlockCount))
    }

    /// Removes the next frame of LOAS.
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

    /// Returns the unit of an AudioMuxElement.
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

    /// Removes a unit after its length (`PayloadLengthInfo`).
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

    /// Records how many bytes were skipped, and returns that there is no unit.
    private mutating func skipped(_ byteCount: Int) -> Outcome {
        skippedByteCount = byteCount
        return .unsynchronized
    }

    /// Skips to the first two bytes that a closure accepts; returns whether there are any.
    private mutating func skip(to isStart: (UInt8, UInt8) -> Bool) -> Bool {
        var position = 0
        while position + 1 < bytes.count, !isStart(bytes[position], bytes[position + 1]) { position += 1 }
        _ = take(position)
        return bytes.count >= 2
    }

    /// Removes the first bytes.
    private mutating func take(_ count: Int) -> [UInt8] {
        defer { bytes.removeFirst(count) }
        return Array(bytes.prefix(count))
    }
}
