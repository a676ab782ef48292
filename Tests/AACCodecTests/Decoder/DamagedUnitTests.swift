// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

@Suite struct DamagedUnitTests {
    @Test func damagedAccessUnitsNeverTrap() throws {
        var random = SeededRandom(seed: 2024)
        for round in 0..<150 {
            let bands = ScaleFactorBands(samplingFrequencyIndex: 4, frameLength: 1024)
            let decoder = try AACDecoderTests.decoder()
            var buffer = AACDecoderTests.emptyBuffer
            for _ in 0..<2 {
                // Loud pairs: scale factors up to 255, all codebooks.
                var accessUnit = AACDecoderTests.accessUnit(RandomSyntax.pair(bands, &random), bands)
                for _ in 0..<Int.random(in: 0...6, using: &random) {
                    accessUnit[Int.random(in: 0..<accessUnit.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
                }
                if round % 3 == 0 { accessUnit.removeLast(Int.random(in: 0...accessUnit.count, using: &random)) }
                _ = decoder.decode(accessUnit.span, into: &buffer)
                #expect(buffer.hasOnlyNumbers, "round \(round)")
            }
        }
    }

    @Test("A program config element after channel elements has no effect")
    func lateProgram() throws {
        // Two single channels, a program of one, and SBR data.
        let accessUnit: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0, 0x28, 0x28, 0x20, 0, 0, 0, 0, 0xC5, 0xA0, 0x01, 0xC0]
        let decoder = try AACDecoder(AudioSpecificConfig(objectType: .aacLC, sampleRate: 44_100, channelConfiguration: nil))
        var buffer = AACDecoderTests.emptyBuffer
        for _ in 0..<3 { #expect(decoder.decode(accessUnit.span, into: &buffer).damage == nil) }
        #expect(buffer.channelCount == 2)
    }

    @Test func randomBytesNeverTrap() throws {
        var random = SeededRandom(seed: 2025)
        let configurations: [Int?] = [nil, 1, 2, 6, 7]
        for round in 0..<300 {
            let configuration = configurations[round % configurations.count].flatMap { ChannelConfiguration(rawValue: $0) }
            let type: AudioObjectType = [.aacLC, .aacMain, .aacLTP][round % 3]
            let decoder = try AACDecoder(AudioSpecificConfig(objectType: type, sampleRate: 48_000, channelConfiguration: configuration))
            var buffer = AACDecoderTests.emptyBuffer
            let accessUnit = (0..<Int.random(in: 0...700, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = decoder.decode(accessUnit.span, into: &buffer)
            #expect(buffer.hasOnlyNumbers, "round \(round)")
        }
    }
}
