// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// The coding tools that the encoder uses for each kind of signal, as a decoder finds them in the stream.
@Suite struct CodingDecisionTests {
    private static let sampleRate = 48_000
    private static let frameCount = 60_000

    // MARK: Signals

    /// Returns a 997 Hz sine at -9 dB.
    private static func tone(hertz: Double = 997) -> [Float] {
        (0..<frameCount).map { Float(0.35 * sin(2 * Double.pi * hertz * Double($0) / Double(sampleRate))) }
    }

    /// Returns white noise at -14 dB peak.
    private static func noise(seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        return random.samples(frameCount, amplitude: 0.2)
    }

    /// Returns silence with decaying noise clicks every 12 000 sample frames, like castanets.
    private static func clicks(seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        return (0..<frameCount).map { index in
            let time = Float((index + 5_300) % 12_000)
            return 0.7 * exp(-time / 90) * Float.random(in: -1...1, using: &random)
        }
    }

    /// Returns pulses that decay within a few milliseconds, `hertz` per second.
    private static func pulses(hertz: Int) -> [Float] {
        (0..<frameCount).map { index in
            let time = Float(index % (sampleRate / hertz))
            return 0.5 * exp(-time / 60) * sin(0.35 * time)
        }
    }

    // MARK: Stream contents

    /// Encodes channels and returns the tools of each access unit, except the first and last, where the signal starts and ends.
    private static func tools(
        of channels: [[Float]], profile: AACProfile = .lowComplexity, bitRate: Int,
        change: (inout AACEncoderConfiguration) -> Void = { _ in }
    ) throws -> [[ElementTools]] {
        var configuration = AACEncoderConfiguration(
            sampleRate: sampleRate, channelCount: channels.count, rateControl: .constant(bitRate: bitRate))
        configuration.profile = profile
        change(&configuration)
        let stream = try EncodedStream(channels, configuration)
        let decoder = try AACDecoder(AACEncoder(configuration).audioSpecificConfig)
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: 2, frameCapacity: 2048)
        let tools = try stream.accessUnits.map { accessUnit in
            try #require(decoder.decode(accessUnit.span, into: &buffer).damage == nil)
            return decoder.codingTools
        }
        try #require(tools.count > 12)
        return Array(tools.dropFirst(5).dropLast(3))
    }

    /// Returns the number of transmitted bands of the first channel, in all window groups.
    private static func bandCount(_ accessUnits: [[ElementTools]]) -> Int {
        accessUnits.joined().reduce(0) { $0 + $1.channels[0].bandCount * max(1, $1.channels[0].groupLengths.count) }
    }

    /// Returns the fraction of a pair's bands that use M/S.
    private static func midSideShare(_ accessUnits: [[ElementTools]]) -> Double {
        Double(accessUnits.joined().reduce(0) { $0 + $1.midSideBandCount }) / Double(max(1, bandCount(accessUnits)))
    }

    /// Returns the fraction of the first channel's bands that are noise.
    private static func noiseFraction(_ accessUnits: [[ElementTools]]) -> Double {
        Double(accessUnits.joined().reduce(0) { $0 + $1.channels[0].noiseBandCount }) / Double(max(1, bandCount(accessUnits)))
    }

    /// Returns the number of access units with short windows in a channel.
    private static func shortCount(_ accessUnits: [[ElementTools]]) -> Int {
        accessUnits.count { $0.contains { $0.channels.contains { $0.windowSequence == .eightShort } } }
    }

    // MARK: Stereo

    @Test("Equal and opposite channels use M/S in every band", arguments: [64_000, 128_000, 256_000])
    func equalChannels(bitRate: Int) throws {
        let left = Self.noise(seed: 1)
        for sign in [1, -1] as [Float] {
            #expect(Self.midSideShare(try Self.tools(of: [left, left.map { sign * $0 }], bitRate: bitRate)) == 1, "sign \(sign)")
        }
    }

    @Test("Unrelated channels use L/R", arguments: [128_000, 256_000])
    func independentChannels(bitRate: Int) throws {
        let accessUnits = try Self.tools(of: [Self.tone(), Self.noise(seed: 2)], bitRate: bitRate)
        #expect(Self.midSideShare(accessUnits) == 0)
        #expect(accessUnits.joined().allSatisfy { $0.channels[1].intensityBandCount == 0 })
    }

    @Test("A panned signal uses intensity stereo in every band", arguments: [32_000, 64_000, 128_000])
    func pannedSignal(bitRate: Int) throws {
        let noise = Self.noise(seed: 3)
        let accessUnits = try Self.tools(of: [noise, noise.map { 0.3 * $0 }], bitRate: bitRate) {
            $0.settings.usesNoiseSubstitution = false
        }
        #expect(accessUnits.joined().allSatisfy { $0.channels[1].intensityBandCount == $0.channels[1].bandCount })
    }

    // MARK: Windows

    @Test("A steady tone uses only long windows", arguments: [24_000, 64_000, 128_000])
    func toneWindows(bitRate: Int) throws {
        let accessUnits = try Self.tools(of: [Self.tone()], bitRate: bitRate)
        #expect(accessUnits.allSatisfy { $0[0].channels[0].windowSequence == .onlyLong })
    }

    @Test("Castanet clicks use short windows, the surrounding silence long windows", arguments: [48_000, 128_000])
    func clickWindows(bitRate: Int) throws {
        let sequences = try Self.tools(of: [Self.clicks(seed: 4)], bitRate: bitRate).map { $0[0].channels[0].windowSequence }
        // Five clicks, each in one or two access units.
        #expect((4...10).contains(sequences.count { $0 == .eightShort }))
        #expect(sequences.count { $0 == .onlyLong } > 25)
    }

    @Test("Both channels of a pair share windows at a common transient")
    func commonWindows() throws {
        let accessUnits = try Self.tools(of: [Self.clicks(seed: 5), Self.clicks(seed: 6)], bitRate: 128_000)
        #expect(accessUnits.allSatisfy { $0[0].hasCommonWindow })
    }

    @Test("Low voice pulses use long windows, separately audible pulses short windows", arguments: [48_000, 96_000])
    func pulseWindows(bitRate: Int) throws {
        let voice = try Self.tools(of: [Self.pulses(hertz: 200)], bitRate: bitRate)
        #expect(Self.shortCount(voice) == 0)
        let train = try Self.tools(of: [Self.pulses(hertz: 50)], bitRate: bitRate)
        #expect(Self.shortCount(train) == train.count)
    }

    // MARK: Noise, its shape in time, bandwidth

    @Test("PNS is used only at low bit rates")
    func noiseSubstitution() throws {
        let shares = try [24_000, 48_000, 64_000, 160_000].map {
            Self.noiseFraction(try Self.tools(of: [Self.noise(seed: 7)], bitRate: $0))
        }
        #expect(shares[0] > 0.2 && shares[1] > 0.02 && shares[1] < shares[0])
        #expect(shares[2] == 0 && shares[3] == 0)
    }

    @Test("TNS is used for isolated transients, not for tones or voice", arguments: [48_000, 128_000])
    func noiseShaping(bitRate: Int) throws {
        /// Returns the number of access units with a filter.
        func filterCount(_ signal: [Float]) throws -> Int {
            try Self.tools(of: [signal], bitRate: bitRate).count { !$0[0].channels[0].tnsOrders.isEmpty }
        }
        #expect(try filterCount(Self.pulses(hertz: 4)) > 0)
        #expect(try filterCount(Self.pulses(hertz: 200)) == 0)
        #expect(try filterCount(Self.tone()) == 0)
    }

    @Test("Transmitted bands end at the bandwidth")
    func bandwidth() throws {
        let counts = try [4_000, 8_000, 16_000].map { hertz in
            let accessUnits = try Self.tools(of: [Self.noise(seed: 8)], bitRate: 128_000) { $0.settings.bandwidth = hertz }
            return accessUnits.map { $0[0].channels[0].bandCount }.max() ?? 0
        }
        // 48 kHz long-window bands that start below the bandwidth (ISO/IEC 14496-3:2009, 4.5.4).
        #expect(counts == [23, 30, 41])
    }

    @Test("Silence uses five bytes")
    func silence() throws {
        let accessUnits = try Self.tools(of: [[Float](repeating: 0, count: Self.frameCount)], bitRate: 64_000)
        #expect(accessUnits.allSatisfy { $0[0].bitCount <= 40 && $0[0].channels[0].windowSequence == .onlyLong })
    }

    // MARK: SBR and parametric stereo

    @Test("SBR adds a sinusoid for a tone above the core band, none for noise")
    func sinusoids() throws {
        let tone = zip(Self.tone(hertz: 9_000), Self.noise(seed: 9)).map { 0.5 * $0 + 0.02 * $1 }
        let accessUnits = try Self.tools(of: [tone], profile: .highEfficiency, bitRate: 32_000)
        #expect(accessUnits.allSatisfy { ($0[0].sbr?.channels.first?.sineCount ?? 0) > 0 })
        let noise = try Self.tools(of: [Self.noise(seed: 10)], profile: .highEfficiency, bitRate: 32_000)
        #expect(noise.allSatisfy { $0[0].sbr?.channels.first?.sineCount == 0 })
    }

    @Test("SBR uses a variable grid at a transient, one envelope for steady noise")
    func timeGrids() throws {
        let clicks = try Self.tools(of: [Self.clicks(seed: 11)], profile: .highEfficiency, bitRate: 32_000)
        #expect(clicks.count { $0[0].sbr?.channels.first?.frameClass != .fixFix } >= 4)
        let noise = try Self.tools(of: [Self.noise(seed: 12)], profile: .highEfficiency, bitRate: 32_000)
        #expect(noise.allSatisfy { $0[0].sbr?.channels.first?.frameClass == .fixFix && $0[0].sbr?.channels.first?.envelopeCount == 1 })
    }

    @Test("Parametric stereo is sent for different channels, rarely for equal ones")
    func parametricStereo() throws {
        /// Returns the number of access units with parametric stereo envelopes, and of all access units.
        func sentCount(_ right: [Float]) throws -> (sent: Int, all: Int) {
            let accessUnits = try Self.tools(of: [Self.noise(seed: 13), right], profile: .highEfficiencyV2, bitRate: 32_000)
            return (accessUnits.count { ($0[0].sbr?.stereo?.envelopeCount ?? 0) > 0 }, accessUnits.count)
        }
        let different = try sentCount(Self.noise(seed: 14))
        #expect(different.sent == different.all)
        let equal = try sentCount(Self.noise(seed: 13))
        #expect(equal.sent <= equal.all / 8)
    }
}
