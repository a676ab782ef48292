// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives

/// The frames of one stream in a packet (RFC 6716 3.2).
///
/// The system decoder only takes packets of one stream, all with the same duration. So each frame becomes a packet.
struct OpusStreamPacket: Hashable, Sendable {
    /// The table-of-contents byte for a single frame.
    let contents: UInt8

    /// The number of sample frames at 48 kHz per frame.
    let frameLength: Int

    /// Each frame as a packet.
    let packets: [[UInt8]]

    /// The duration in sample frames at 48 kHz.
    var duration: Int { frameLength * packets.count }

    /// Splits a packet into its streams.
    ///
    /// - Throws: `CodecError.invalidOpusPacket` if the packet is invalid, or if the durations of the streams differ.
    static func split(_ packet: Span<UInt8>, streamCount: Int) throws(CodecError) -> [OpusStreamPacket] {
        let bytes = packet.indices.map { packet[$0] }
        var position = 0
        var streams: [OpusStreamPacket] = []
        do throws(CodecError) {
            // All but the last stream are delimited (RFC 7845 3).
            for index in 0..<streamCount {
                streams.append(try OpusStreamPacket(bytes, at: &position, isDelimited: index < streamCount - 1))
            }
        } catch {
            throw .invalidOpusPacket(byteCount: bytes.count)
        }
        guard streams.allSatisfy({ $0.duration == streams[0].duration }) else { throw .invalidOpusPacket(byteCount: bytes.count) }
        return streams
    }

    /// Parses the frames of one stream.
    ///
    /// - Parameters:
    ///   - position: The index of the stream's first byte, advanced to the next stream.
    ///   - isDelimited: Whether the length of the stream is coded (RFC 6716, Appendix B). If not, it extends to the end of the packet.
    private init(_ bytes: [UInt8], at position: inout Int, isDelimited: Bool) throws(CodecError) {
        let header = try OpusPacket(bytes[position...])
        let count = header.frameCount
        let code = bytes[position] & 3
        contents = bytes[position] & 0xFC
        frameLength = header.frameLength
        var reader = Reader(bytes: bytes, position: position + 1)
        let flags = code == 3 ? try reader.byte() : code == 2 ? 0x80 : 0
        let padding = flags & 0x40 != 0 ? try reader.padding() : 0
        let isVariable = flags & 0x80 != 0
        var sizes: [Int] = []
        for _ in 0..<(isVariable ? count - 1 : 0) + (isDelimited ? 1 : 0) { sizes.append(try reader.size()) }
        let rest = bytes.count - reader.position - padding
        if !isDelimited {
            let last = isVariable ? rest - sizes.reduce(0, +) : rest / count
            guard isVariable || rest % count == 0 else { throw .truncated(byteCount: bytes.count) }
            sizes.append(last)
        }
        if !isVariable { sizes = Array(repeating: sizes[0], count: count) }
        let total = sizes.reduce(0, +)
        guard total <= rest, sizes.allSatisfy({ (0...1275).contains($0) }) else { throw .truncated(byteCount: bytes.count) }
        var start = reader.position
        var packets: [[UInt8]] = []
        for size in sizes {
            packets.append([contents] + bytes[start..<start + size])
            start += size
        }
        self.packets = packets
        position = start + padding
    }

    /// A reader of the packet header after the first byte.
    private struct Reader {
        let bytes: [UInt8]
        var position: Int

        mutating func byte() throws(CodecError) -> UInt8 {
            guard position < bytes.count else { throw .truncated(byteCount: bytes.count) }
            position += 1
            return bytes[position - 1]
        }

        /// Reads a frame size (RFC 6716 3.2.1).
        mutating func size() throws(CodecError) -> Int {
            let first = Int(try byte())
            return first < 252 ? first : first + 4 * Int(try byte())
        }

        /// Reads the number of padding bytes (RFC 6716 3.2.5).
        mutating func padding() throws(CodecError) -> Int {
            var total = 0
            while true {
                let next = Int(try byte())
                guard next == 255 else { return total + next }
                total += 254
            }
        }
    }
}
#endif
