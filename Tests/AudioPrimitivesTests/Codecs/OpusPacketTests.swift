// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Testing

@Suite struct OpusPacketTests {
    /// The frame lengths of the 32 configurations in tenths of milliseconds (RFC 6716, Table 2), entered by hand.
    private static let frameTenths =
        [100, 200, 400, 600, 100, 200, 400, 600, 100, 200, 400, 600, 100, 200, 100, 200]
        + [25, 50, 100, 200, 25, 50, 100, 200, 25, 50, 100, 200, 25, 50, 100, 200]

    @Test("Durations of all table-of-contents bytes match RFC 6716", arguments: 0..<32)
    func durations(configuration: Int) throws {
        let contents = UInt8(configuration << 3)
        let length = Self.frameTenths[configuration] * 48 / 10
        for (code, frames) in [(0, 1), (1, 2), (2, 2)] as [(UInt8, Int)] {
            let packet = try OpusPacket([contents | code])
            #expect(packet.frameLength == length && packet.duration == length * frames && !packet.isStereo)
            #expect(try OpusPacket([contents | 4 | code]).isStereo)
        }
        for count in 0..<64 {
            let bytes: [UInt8] = [contents | 3, UInt8(count) | 0xC0]
            if count == 0 || count * length > 5760 {
                #expect(throws: CodecError.invalidOpusFrameCount(count)) { try OpusPacket(bytes) }
            } else {
                #expect(try OpusPacket(bytes).duration == count * length)
            }
        }
    }

    @Test("Modes and bandwidths match RFC 6716")
    func bandwidths() throws {
        let packets = try (0..<32).map { try OpusPacket([UInt8($0 << 3)]) }
        #expect(packets.map(\.mode) == (0..<32).map { $0 < 12 ? .silk : $0 < 16 ? .hybrid : .celt })
        let expected = [4000, 6000, 8000].flatMap { [$0, $0, $0, $0] } + [12_000, 12_000, 20_000, 20_000]
        #expect(packets.map(\.bandwidth) == expected + [4000, 8000, 12_000, 20_000].flatMap { [$0, $0, $0, $0] })
    }

    @Test("Truncated packets throw")
    func truncated() {
        #expect(throws: CodecError.truncated(byteCount: 0)) { try OpusPacket([]) }
        #expect(throws: CodecError.truncated(byteCount: 1)) { try OpusPacket([0xFF]) }
    }
}
