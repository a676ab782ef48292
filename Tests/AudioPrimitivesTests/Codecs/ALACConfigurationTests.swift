// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing

@Suite struct ALACConfigurationTests {
    /// A cookie as written by `sf_write` of libsndfile for 5.1 channels with 24 bits.
    static let surroundCookie: [UInt8] = [
        0x00, 0x00, 0x10, 0x00, 0x00, 0x18, 0x28, 0x0A, 0x0E, 0x06, 0x00, 0xFF, 0x00, 0x01, 0x0B, 0x4B, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0xAC, 0x44, 0x00, 0x00, 0x00, 0x18, 0x63, 0x68, 0x61, 0x6E, 0x00, 0x00, 0x00, 0x00, 0x00, 0x7C, 0x00, 0x06, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00,
    ]

    @Test("Cookie of another program is read and rewritten")
    func surround() throws {
        let configuration = try ALACConfiguration(parsing: Self.surroundCookie)
        #expect(configuration.frameLength == 4096)
        #expect(configuration.bitDepth == 24)
        #expect(configuration.channelCount == 6)
        #expect(configuration.maximumPacketSize == 0x10B4B)
        #expect(configuration.sampleRate == 44100)
        #expect(configuration.channelLayout == ChannelLayout([.center, .left, .right, .sideLeft, .sideRight, .lowFrequency]))
        #expect(configuration.serialized() == Self.surroundCookie)
    }

    @Test("New configuration has the recommended parameters")
    func recommended() throws {
        var configuration = ALACConfiguration(sampleRate: 44100, channelCount: 6, bitDepth: 24)
        configuration.maximumPacketSize = 0x10B4B
        #expect(configuration.serialized() == Self.surroundCookie)
        #expect(ALACConfiguration(sampleRate: 48000, channelCount: 2).serialized().count == 24)
    }

    @Test("Any valid configuration survives writing and reading, in both forms and with trailing bytes", arguments: 0..<50 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var configuration = ALACConfiguration(
            sampleRate: Int.random(in: 1...Int(Int32.max), using: &random), channelCount: Int.random(in: 1...8, using: &random),
            bitDepth: ALACConfiguration.bitDepths[Int.random(in: 0..<4, using: &random)],
            frameLength: Int.random(in: ALACConfiguration.frameLengths, using: &random))
        configuration.historyMultiplier = Int.random(in: 0...255, using: &random)
        configuration.initialHistory = Int.random(in: 0...255, using: &random)
        configuration.parameterLimit = Int.random(in: 0...255, using: &random)
        configuration.maximumRun = Int.random(in: 0...65535, using: &random)
        configuration.maximumPacketSize = Int.random(in: 0...0xFFFF_FFFF, using: &random)
        configuration.averageBitRate = Int.random(in: 0...0xFFFF_FFFF, using: &random)
        configuration.channelLayoutTag = Bool.random(using: &random) ? UInt32.random(in: 0...UInt32.max, using: &random) : nil
        #expect(try ALACConfiguration(parsing: configuration.serialized()) == configuration, "seed \(seed)")
        #expect(try ALACConfiguration(parsing: configuration.serializedAsAtoms()) == configuration, "seed \(seed)")
        #expect(try ALACConfiguration(parsing: configuration.serialized() + [1, 2, 3]) == configuration, "seed \(seed)")
        #expect(configuration.channelLayout?.channelCount == configuration.channelCount, "seed \(seed)")
    }

    @Test("Truncated cookie throws, or has no layout if only that is missing")
    func truncated() throws {
        for count in 0..<24 {
            #expect(throws: CodecError.truncatedConfiguration(availableBits: 8 * count, neededBits: 192)) {
                try ALACConfiguration(parsing: Array(Self.surroundCookie.prefix(count)))
            }
        }
        for count in 24..<40 {
            #expect(try ALACConfiguration(parsing: Array(Self.surroundCookie.prefix(count))).channelLayoutTag == nil)
        }
    }

    @Test("Out-of-range fields throw with their value")
    func outOfRange() {
        /// Expects an error for a cookie with one byte changed.
        func expect(_ error: CodecError, byte: Int, _ value: UInt8) {
            var cookie = Self.surroundCookie
            cookie[byte] = value
            #expect(throws: error) { try ALACConfiguration(parsing: cookie) }
        }
        expect(.unsupportedVersion(1, maximum: 0), byte: 4, 1)
        expect(.invalidSampleRate(0x8000_AC44, allowed: 1...Int(Int32.max)), byte: 20, 0x80)
        expect(.unsupportedBitDepth(17, allowed: [16, 20, 24, 32]), byte: 5, 17)
        expect(.unsupportedChannelCount(0, allowed: Array(1...8)), byte: 9, 0)
        expect(.unsupportedChannelCount(9, allowed: Array(1...8)), byte: 9, 9)
        expect(.invalidFrameLength(0, allowed: ALACConfiguration.frameLengths), byte: 2, 0)
        expect(.invalidFrameLength(0x0100_1000, allowed: ALACConfiguration.frameLengths), byte: 0, 1)
        #expect(throws: CodecError.invalidSampleRate(0, allowed: 1...Int(Int32.max))) {
            try ALACConfiguration(sampleRate: 0, channelCount: 1).validate()
        }
    }
}
