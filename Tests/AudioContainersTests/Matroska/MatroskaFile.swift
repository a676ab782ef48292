// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives

enum EBML {
    /// Returns an element.
    ///
    /// - Parameter sizeByteCount: The number of bytes of its size, or `nil` for an unknown size.
    static func element(_ id: UInt32, _ body: [UInt8], sizeByteCount: Int? = 4) -> [UInt8] {
        let name = bytes(UInt64(id), (32 - id.leadingZeroBitCount + 7) / 8)
        return name + (sizeByteCount.map { integer(body.count, $0) } ?? [0xFF]) + body
    }

    /// Returns a variable-size integer.
    static func integer(_ value: Int, _ byteCount: Int) -> [UInt8] { bytes(UInt64(value) | 1 << UInt64(7 * byteCount), byteCount) }

    static func unsigned(_ id: UInt32, _ value: Int) -> [UInt8] { element(id, bytes(UInt64(value), 8)) }

    static func signed(_ id: UInt32, _ value: Int) -> [UInt8] { element(id, bytes(UInt64(bitPattern: Int64(value)), 8)) }

    static func number(_ id: UInt32, _ value: Double) -> [UInt8] { element(id, bytes(value.bitPattern, 8)) }

    static func text(_ id: UInt32, _ value: String) -> [UInt8] { element(id, Array(value.utf8), sizeByteCount: 2) }

    static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }
}

struct MatroskaFile {
    enum Lacing: UInt8 {
        case none = 0
        case xiph = 2
        case fixed = 4
        case ebml = 6
    }

    static let opusCodec = "A_OPUS"
    /// Two channels with a pre-skip of 312.
    static let opusHead: [UInt8] = Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0]

    var header = EBML.unsigned(0x4286, 1) + EBML.unsigned(0x42F7, 1) + EBML.text(0x4282, "webm") + EBML.unsigned(0x4285, 2)
    var info: [UInt8] = EBML.unsigned(0x2AD7B1, 1_000_000)
    var tracks: [[UInt8]] = []
    /// Parts before the clusters.
    var front: [UInt8] = []
    var clusters: [[UInt8]] = []
    /// Parts after the clusters.
    var back: [UInt8] = []
    var hasSegmentSize = true

    /// The default track is Opus.
    init(track: [UInt8]? = nil) { tracks = [track ?? Self.track(codec: Self.opusCodec, privateBytes: Self.opusHead)] }

    static func track(
        _ number: Int = 1, codec: String, privateBytes: [UInt8]? = nil, rate: Double = 48_000, channels: Int = 2, fields: [UInt8] = []
    ) -> [UInt8] {
        let audio = EBML.element(0xE1, EBML.number(0xB5, rate) + EBML.unsigned(0x9F, channels))
        return EBML.element(
            0xAE,
            EBML.unsigned(0xD7, number) + EBML.unsigned(0x73C5, 100 + number) + EBML.unsigned(0x83, 2) + EBML.text(0x86, codec)
                + (privateBytes.map { EBML.element(0x63A2, $0) } ?? []) + fields + audio)
    }

    static func block(_ frames: [[UInt8]], time: Int = 0, track: Int = 1, lacing: Lacing = .none) -> [UInt8] {
        var head = EBML.integer(track, 1) + EBML.bytes(UInt64(bitPattern: Int64(time)), 2) + [0x80 | lacing.rawValue]
        if lacing != .none { head.append(UInt8(frames.count - 1)) }
        switch lacing {
        case .none, .fixed: break
        case .xiph: for frame in frames.dropLast() { head += OggPage.lacing(of: frame.count) }
        case .ebml:
            head += EBML.integer(frames[0].count, 2)
            for (before, after) in zip(frames, frames.dropFirst().dropLast()) {
                head += EBML.integer(after.count - before.count + (1 << 13) - 1, 2)
            }
        }
        return head + frames.flatMap { $0 }
    }

    static func simpleBlock(_ frames: [[UInt8]], time: Int = 0, track: Int = 1, lacing: Lacing = .none) -> [UInt8] {
        EBML.element(0xA3, block(frames, time: time, track: track, lacing: lacing))
    }

    /// Returns a block group with padding in nanoseconds.
    static func group(_ frames: [[UInt8]], time: Int = 0, padding: Int, lacing: Lacing = .none) -> [UInt8] {
        EBML.element(
            0xA0, EBML.element(0xA1, block(frames, time: time, lacing: lacing)) + EBML.unsigned(0x9B, 20) + EBML.signed(0x75A2, padding))
    }

    static func cluster(_ blocks: [[UInt8]], time: Int = 0, hasSize: Bool = true) -> [UInt8] {
        EBML.element(0x1F43_B675, EBML.unsigned(0xE7, time) + blocks.flatMap { $0 }, sizeByteCount: hasSize ? 4 : nil)
    }

    /// Returns Opus packets of 20 ms.
    static func packets(_ sizes: [Int]) -> [[UInt8]] {
        sizes.enumerated().map { index, size in [0xFC] + (1..<size).map { UInt8(truncatingIfNeeded: index * 31 + $0 * 7) } }
    }

    var bytes: [UInt8] {
        let parts =
            EBML.element(0x1549_A966, info) + EBML.element(0x1654_AE6B, tracks.flatMap { $0 }) + front + clusters.flatMap { $0 } + back
        return EBML.element(0x1A45_DFA3, header) + EBML.element(0x1853_8067, parts, sizeByteCount: hasSegmentSize ? 4 : nil)
    }
}

/// Returns all events of a file and its metadata.
func matroskaEvents(_ bytes: [UInt8], audioTrack: Int? = nil) throws -> (events: [ReaderEvent], metadata: ContainerMetadata) {
    var reader = try MatroskaReader(MemorySource(bytes), audioTrack: audioTrack)
    var events: [ReaderEvent] = []
    while let event = try reader.nextEvent() { events.append(event) }
    return (events, reader.metadata)
}
