// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// The first access units of a stream of `Tests/Vectors/LowDelay`, with another decoder's samples.
struct LowDelayVector: CustomTestStringConvertible, Sendable {
    let name: String
    let configuration: AudioSpecificConfig
    let accessUnits: [[UInt8]]
    /// Interleaved 16-bit samples.
    let reference: [Int16]

    var testDescription: String { name }

    /// The first access unit in which decoders agree.
    ///
    /// They choose the first rising slope of AAC-LD and the initial parameter smoothing of AAC-ELD v2 differently.
    var firstComparedUnit: Int { name.hasPrefix("hm_eldv2") ? 8 : 1 }

    static let all = [
        "hm_er_ld_48000_m_480_all", "hm_er_ld_32000_st_512_hcr", "hm_er_eld_48000_st_480_rvlc", "hm_er_eld_24000_m_512_vcb11",
        "ld_8000_m_480_16k", "eld_8000_m_512_16k", "eldsbr1_16000_m_512_24k", "eldsbr2_32000_m_480_24k", "hm_eldsbr2_44100_m_512",
        "hm_eldsbr1_22050_st_512", "eldv2_44100_480_dual_40k", "hm_eldv2_16000_512", "hm_eldv2_48000_512",
    ].map { LowDelayVector($0) }

    /// Reads a stream: the AudioSpecificConfig after its length in one byte, then access units after their lengths in two bytes.
    init(_ name: String) {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let folder = tests.appending(path: "Vectors/LowDelay")
        guard let stream = try? Data(contentsOf: folder.appending(path: "\(name).units")),
            let samples = try? Data(contentsOf: folder.appending(path: "\(name)-decoded.s16")),
            let configuration = try? AudioSpecificConfig(parsing: Array(stream[1..<1 + Int(stream[0])]))
        else { preconditionFailure("cannot read Tests/Vectors/LowDelay/\(name)") }
        var accessUnits: [[UInt8]] = []
        var position = 1 + Int(stream[0])
        while position < stream.count {
            let count = Int(stream[position]) << 8 | Int(stream[position + 1])
            accessUnits.append(Array(stream[position + 2..<position + 2 + count]))
            position += 2 + count
        }
        self.name = name
        self.configuration = configuration
        self.accessUnits = accessUnits
        reference = stride(from: 0, to: samples.count, by: 2).map {
            Int16(bitPattern: UInt16(samples[$0]) | UInt16(samples[$0 + 1]) << 8)
        }
    }
}

@Suite struct LowDelayDecoderTests {
    @Test("Output matches another decoder, apart from its rounding", arguments: LowDelayVector.all)
    func reference(vector: LowDelayVector) throws {
        let decoder = try AACDecoder(vector.configuration)
        let channels = decoder.channelCount
        var buffer = PCMBuffer(sampleRate: decoder.sampleRate, channelCount: channels, frameCapacity: decoder.framesPerPacket)
        var (signal, error) = (0.0, 0.0)
        for (index, accessUnit) in vector.accessUnits.enumerated() {
            let outcome = decoder.decode(accessUnit.span, into: &buffer)
            #expect(outcome.damage == nil)
            guard index >= vector.firstComparedUnit else { continue }
            for channel in 0..<channels {
                for frame in 0..<decoder.framesPerPacket {
                    let expected = Double(vector.reference[(index * decoder.framesPerPacket + frame) * channels + channel])
                    let difference = 32_768 * Double(buffer.samples[channel * buffer.frameCapacity + frame]) - expected
                    signal += expected * expected
                    error += difference * difference
                }
            }
        }
        // The reference has 16 bits; measured values are 63 dB and above.
        #expect(10 * log10(signal / error) > 55)
    }

    @Test("Unsupported features throw an error that names them")
    func refused() throws {
        let seven = try #require(ChannelConfiguration(rawValue: 7))
        #expect(throws: CodecError.unsupportedChannelConfiguration(7)) {
            try AACDecoder(AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: seven, enhancedLowDelay: ELDSpecificConfig()))
        }
        // An AAC-LD access unit with long-term prediction: tag 0, global gain 100, no bands, predictor flag and data.
        let decoder = try AACDecoder(try AudioSpecificConfig(parsing: [0xB9, 0x89, 0x00]))
        var writer = BitWriter()
        writer.write(0, count: 4)
        writer.write(100, count: 8)
        writer.write(0, count: 4 + 6)
        writer.write(3, count: 2)
        #expect(throws: CodecError.unsupportedTool(.longTermPrediction)) { try decoder.decode(AccessUnit(writer.bytes + [0, 0])) }
    }

    @Test("Damaged or missing AAC-ELD v2 parameters keep the previous ones and the access unit")
    func damagedParameters() throws {
        let vector = try #require(LowDelayVector.all.first { $0.name == "hm_eldv2_48000_512" })
        var random = SeededRandom(seed: 36)
        let decoder = try AACDecoder(vector.configuration)
        var buffer = PCMBuffer(sampleRate: decoder.sampleRate, channelCount: 2, frameCapacity: decoder.framesPerPacket)
        for index in 0..<10 * vector.accessUnits.count {
            var accessUnit = vector.accessUnits[index % vector.accessUnits.count]
            // The parameters follow the core's element, which occupies more than half of the access unit.
            for place in accessUnit.count / 2..<accessUnit.count where Int.random(in: 0..<8, using: &random) == 0 {
                accessUnit[place] = UInt8.random(in: 0...255, using: &random)
            }
            _ = decoder.decode(accessUnit.span, into: &buffer)
            #expect(buffer.channelCount == 2 && buffer.samples.allSatisfy { $0.isFinite && $0.magnitude < 64 }, "unit \(index)")
        }
    }

    @Test(
        "Mismatched or unsupported MPEG Surround decodes the mono core",
        arguments: ["33A70900", "47A70800"])
    func unfitSurround(bytes: String) throws {
        let surround = stride(from: 0, to: 8, by: 2).compactMap { UInt8(bytes.dropFirst($0).prefix(2), radix: 16) }
        let mono = try #require(ChannelConfiguration(rawValue: 1))
        let config = ELDSpecificConfig(extensions: [.init(type: ELDSpecificConfig.Extension.lowDelaySurround, bytes: surround)])
        let configuration = AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: mono, enhancedLowDelay: config)
        let decoder = try AACDecoder(configuration)
        // Temporal shaping (a changed bit), and a sample rate that differs from the core's.
        #expect(decoder.channelCount == 1 && decoder.delay == 0 && configuration.leavesOutSurround)
    }

    @Test("Lost access units keep their duration and fade to silence", arguments: LowDelayVector.all)
    func concealment(vector: LowDelayVector) throws {
        let decoder = try AACDecoder(vector.configuration)
        var buffer = PCMBuffer(sampleRate: decoder.sampleRate, channelCount: decoder.channelCount, frameCapacity: decoder.framesPerPacket)
        for accessUnit in vector.accessUnits { _ = decoder.decode(accessUnit.span, into: &buffer) }
        for loss in 0..<24 {
            _ = decoder.conceal(into: &buffer)
            #expect(buffer.frameCount == decoder.framesPerPacket)
            if loss >= 20 { #expect(buffer.samples.allSatisfy { $0.magnitude < 1e-4 }) }
        }
    }
}
