// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

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
        /// No unit, but so many bytes of something else or of damage, which were skipped.
        case unsynchronized(byteCount: Int)
    }

    private let format: Transport.Format
    private var bytes: [UInt8] = []
    private var multiplex: StreamMuxConfig?

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

    /// Whether a unit's length is in the stream.
    private var isFramed: Bool { format == .adts || format == .loas }

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
        case .raw, .adif:
            let all = take(bytes.count)
            return .unit(Unit(payload: all, configuration: nil, byteCount: all.count))
        }
    }

    /// Removes the next frame of ADTS.
    private mutating func nextADTS() -> Outcome {
        guard skip(to: { $0 == 0xFF && $1 & 0xF6 == 0xF0 }) else { return .needsBytes }
        guard bytes.count >= ADTSHeader.fixedByteCount else { return .needsBytes }
        guard let header = try? ADTSHeader(parsing: Array(bytes.prefix(16))), header.frameLength > header.byteCount else {
            return .unsynchronized(byteCount: take(1).count)
        }
        guard bytes.count >= header.frameLength else { return .needsBytes }
        // A syncword in the middle of damage is followed by no other one.
        let next = header.frameLength
        if bytes.count >= next + 2, bytes[next] != 0xFF || bytes[next + 1] & 0xF6 != 0xF0 {
            return .unsynchronized(byteCount: take(1).count)
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
            return .unsynchronized(byteCount: take(1).count)
        }
        let frame = take(length)
        return element(Array(frame[3...]), byteCount: length)
    }

    /// Returns the unit of an AudioMuxElement.
    private mutating func element(_ bytes: [UInt8], byteCount: Int) -> Outcome {
        var reader = BitReader(bytes)
        guard let element = try? AudioMuxElement(reading: &reader, previous: multiplex) else {
            return .unsynchronized(byteCount: byteCount)
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
        guard first < all.count else { return .unsynchronized(byteCount: all.count) }
        let length = first * 255 + Int(all[first])
        guard first + 1 + length <= all.count else { return .unsynchronized(byteCount: all.count) }
        return .unit(
            Unit(
                payload: Array(all[(first + 1)..<(first + 1 + length)]), configuration: multiplex?.configuration, byteCount: all.count))
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
