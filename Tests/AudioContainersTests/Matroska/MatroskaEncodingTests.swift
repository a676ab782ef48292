// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Testing

/// Content encodings: transformations of the frames.
@Suite struct MatroskaEncodingTests {
    /// Returns a file whose frames are stored with encodings.
    static func file(_ encodings: [[UInt8]], _ frames: [[UInt8]]) -> [UInt8] {
        let fields = EBML.element(0x6D80, encodings.flatMap { $0 })
        var file = MatroskaFile(track: MatroskaFile.track(codec: "A_OPUS", privateBytes: MatroskaFile.opusHead, fields: fields))
        file.clusters = [MatroskaFile.cluster(frames.map { MatroskaFile.simpleBlock([$0]) })]
        return file.bytes
    }

    static func compression(_ algorithm: Int, settings: [UInt8] = [], order: Int = 0) -> [UInt8] {
        EBML.element(
            0x6240, EBML.unsigned(0x5031, order) + EBML.element(0x5034, EBML.unsigned(0x4254, algorithm) + EBML.element(0x4255, settings)))
    }

    /// Returns bytes as zlib data with a stored block.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        let length = [UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
        var (first, second) = (1, 0)
        for byte in bytes {
            first = (first + Int(byte)) % 65_521
            second = (second + first) % 65_521
        }
        return [0x78, 0x01, 0x01] + length + bytes + EBML.bytes(UInt64(second << 16 | first), 4)
    }

    @Test("Restores stripped headers")
    func headerStripping() throws {
        let (events, _) = try matroskaEvents(Self.file([Self.compression(3, settings: [0xFC, 7])], [[1, 2], [3]]))
        #expect(events.accessUnits.map(\.accessUnit.payload) == [[0xFC, 7, 1, 2], [0xFC, 7, 3]])
    }

    @Test("Applies several encodings from the last to the first")
    func order() throws {
        let encodings = [Self.compression(3, settings: [0xFC], order: 0), Self.compression(0, order: 1)]
        #expect(
            try matroskaEvents(Self.file(encodings, [Self.stored([1, 2])])).events.accessUnits.first?.accessUnit.payload == [0xFC, 1, 2])
    }

    /// `zlib.compress` of Python, with fixed and with dynamic codes.
    static let text: [UInt8] = [0xFC] + Array(String(repeating: "Matroska, Matroska and Matroska again: ", count: 6).utf8)
    static let fixedCodes: [UInt8] = [
        0x78, 0xDA, 0xFB, 0xE3, 0x9B, 0x58, 0x52, 0x94, 0x5F, 0x9C, 0x9D, 0xA8, 0xA3, 0x00, 0x63, 0x29, 0x24, 0xE6, 0xA5, 0x20, 0x71, 0xD2,
        0x13, 0x33, 0xF3, 0xAC, 0x14, 0x86, 0x81, 0x32, 0x00, 0x9C, 0xE5, 0x54, 0xF7,
    ]
    /// Skewed random digits.
    static let digits: [UInt8] = {
        var state: UInt32 = 1
        return [0xFC]
            + (0..<200).map { _ in
                state = (state &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
                return 48 + UInt8((state >> 8 & 0xFF).nonzeroBitCount)
            }
    }()
    static let dynamicCodes: [UInt8] = [
        0x78, 0xDA, 0x1D, 0x8E, 0xD1, 0x11, 0x44, 0x31, 0x08, 0x02, 0x6B, 0x0A, 0x02, 0xF6, 0xDF, 0xD7, 0xFB, 0xB8, 0xF5, 0xCC, 0x4C, 0x26,
        0x51, 0x84, 0xFD, 0x3A, 0xCE, 0x3A, 0xD4, 0x44, 0x9E, 0xDE, 0xDF, 0x6A, 0x94, 0x4A, 0xC3, 0x89, 0xD3, 0x99, 0x4E, 0xAD, 0x6B, 0xB6,
        0xF1, 0x9B, 0xB8, 0x88, 0x51, 0xA2, 0xA0, 0xC2, 0x94, 0xBE, 0x65, 0x5E, 0x68, 0x8C, 0xA3, 0xAE, 0x41, 0xA7, 0x8B, 0x5A, 0x2C, 0x23,
        0x7E, 0x58, 0xDC, 0x84, 0x1C, 0xF2, 0x64, 0x6F, 0xB9, 0xDB, 0x77, 0x09, 0xD8, 0x1A, 0x86, 0xF3, 0x3E, 0x73, 0x72, 0xB7, 0x7F, 0x96,
        0x66, 0x67, 0x08, 0x84, 0xC8, 0x62, 0xC9, 0x10, 0xF9, 0xB8, 0xB2, 0x82, 0x11, 0x0C, 0x12, 0x7F, 0xC4, 0x9B, 0x29, 0xB6,
    ]

    @Test("Decompresses zlib, and skips a frame with any wrong byte")
    func zlib() throws {
        let expected = [Self.text, Self.digits, Self.text]
        let stored = [Self.fixedCodes, Self.dynamicCodes, Self.stored(Self.text)]
        #expect(try matroskaEvents(Self.file([Self.compression(0)], stored)).events.accessUnits.map(\.accessUnit.payload) == expected)
        for frame in stored {
            for index in frame.indices {
                var damaged = frame
                damaged[index] ^= 0x55
                let events = try matroskaEvents(Self.file([Self.compression(0)], [damaged, Self.fixedCodes])).events
                // Most bits of the second header byte mean nothing.
                guard index > 1 else { continue }
                #expect(events.accessUnits.map(\.accessUnit.payload) == [Self.text], "byte \(index)")
                #expect(events.skips.map(\.reason) == [.damagedUnit])
            }
        }
    }

    @Test("Refuses encryption and other compression by name")
    func unsupported() throws {
        let encryption = EBML.element(0x6240, EBML.unsigned(0x5033, 1) + EBML.element(0x5035, []))
        for (encoding, code) in [(encryption, "enca"), (Self.compression(1), "bz2 "), (Self.compression(2), "lzo ")] {
            #expect(throws: ContainerError.unsupportedCodec(FourCharCode(code))) { try matroskaEvents(Self.file([encoding], [[1]])) }
        }
    }
}
