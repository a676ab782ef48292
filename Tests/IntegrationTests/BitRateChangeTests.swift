// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// Bit rates that change between access units.
@Suite struct BitRateChangeTests {
    /// A profile with its sample rate and range of bit rates.
    struct Case: CustomTestStringConvertible {
        var profile: AACProfile
        var sampleRate = 48_000
        var channelCount = 2
        var rates: ClosedRange<Int>

        var testDescription: String { "\(profile), \(sampleRate) Hz, \(channelCount) channels" }

        /// Returns the configuration with a rate control.
        func configuration(_ rateControl: AACEncoderConfiguration.RateControl) -> AACEncoderConfiguration {
            var configuration = AACEncoderConfiguration(sampleRate: sampleRate, channelCount: channelCount, rateControl: rateControl)
            configuration.profile = profile
            configuration.settings.effort = .fast
            return configuration
        }
    }

    static let cases = [
        Case(profile: .lowComplexity, rates: 24_000...320_000), Case(profile: .lowComplexity, channelCount: 1, rates: 8_000...200_000),
        Case(profile: .lowComplexity, channelCount: 6, rates: 96_000...400_000),
        Case(profile: .highEfficiency, rates: 20_000...128_000), Case(profile: .highEfficiencyV2, rates: 14_000...64_000),
    ]
    #if DEBUG
    static let seconds = 2
    #else
    static let seconds = 10
    #endif

    /// A stream with bit rate changes.
    struct ChangingStream {
        let stream: EncodedStream
        /// The bit rate of each access unit.
        let rates: [Int]

        /// Encodes with the bit rate that `rate` returns before each block.
        init(
            _ signal: [[Float]], _ configuration: AACEncoderConfiguration, blockLength: Int, rate: (Int) throws -> Int?
        ) throws {
            var rates: [Int] = []
            var last = 0
            stream = try EncodedStream(configuration) { encoder, body in
                var position = 0
                while position < signal[0].count {
                    let end = min(position + blockLength, signal[0].count)
                    if let rate = try rate(position) { try encoder.setBitRate(rate) }
                    let block = signal.map { Array($0[position..<end]) }
                    try encoder.encode(EncodedStream.buffer(block, sampleRate: configuration.sampleRate)) { accessUnit in
                        rates.append(try #require(encoder.bitRate))
                        try body(accessUnit)
                    }
                    position = end
                }
                last = try #require(encoder.bitRate)
            }
            self.rates = rates + [Int](repeating: last, count: stream.accessUnits.count - rates.count)
        }

        /// The access units before which the bit rate changed.
        var changes: [Int] { (1..<rates.count).filter { rates[$0] != rates[$0 - 1] } }
    }

    /// Returns music-like signals.
    private static func signal(_ test: Case, seconds: Int = seconds, seed: UInt64) -> [[Float]] {
        (0..<test.channelCount).map {
            TestSignal.changing(seconds * test.sampleRate, sampleRate: test.sampleRate, seed: seed * 10 + UInt64($0))
        }
    }

    /// Decodes with this package.
    ///
    /// Fails the test for a damaged access unit.
    private static func decode(_ stream: EncodedStream) throws -> [[Float]] {
        let decoder = try AACDecoder(AACEncoder(stream.configuration).audioSpecificConfig)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 0)
        var channels: [[Float]] = []
        for (index, accessUnit) in stream.accessUnits.enumerated() {
            let outcome = decoder.decode(accessUnit.span, into: &buffer)
            #expect(outcome.damage == nil, "unit \(index)")
            if channels.isEmpty { channels = [[Float]](repeating: [], count: buffer.channelCount) }
            for channel in channels.indices { channels[channel] += buffer.channel(channel) }
        }
        return channels
    }

    @Test(
        "Random rate changes produce valid access units, all decodable, the same number as without changes",
        arguments: selectedCases(cases, [true, false]))
    func randomChanges(test: Case, isConstant: Bool) throws {
        var streams: [EncodedStream] = []
        for seed in 1...3 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let signal = Self.signal(test, seed: seed)
            let first = Int.random(in: test.rates, using: &random)
            let configuration = test.configuration(isConstant ? .constant(bitRate: first) : .average(bitRate: first))
            let changing = try ChangingStream(signal, configuration, blockLength: 777) { _ in
                Int.random(in: 0..<8, using: &random) == 0 ? Int.random(in: test.rates, using: &random) : nil
            }
            let stream = changing.stream
            let steady = try EncodedStream(signal, configuration)
            #expect(stream.accessUnits.count == steady.accessUnits.count && stream.gapless == steady.gapless, "seed \(seed)")
            #expect(changing.changes.count > 3)
            if test.profile == .lowComplexity { try ConfigurationMatrixTests.expectCleanSyntax(stream) }
            _ = try Self.decode(stream)
            if isConstant { Self.expectLegalBuffer(changing, test, seed: seed) }
            streams.append(stream)
        }
        let decodings = try ReferenceDecoding.byFFmpeg(streams.map(\.adts), channelCount: test.channelCount)
        #expect(decodings[0].messages.isEmpty, "\(decodings[0].messages)")
    }

    /// Expects that a decoder buffer filled at each access unit's rate neither underflows nor overflows.
    private static func expectLegalBuffer(_ changing: ChangingStream, _ test: Case, seed: UInt64) {
        let coreChannels = test.profile == .highEfficiencyV2 ? 1 : min(test.channelCount, 5)
        let coreRate = test.profile == .lowComplexity ? test.sampleRate : test.sampleRate / 2
        let size = Double(6144 * coreChannels)
        func nominal(_ accessUnit: Int) -> Double { Double(changing.rates[accessUnit]) * 1024 / Double(coreRate) }
        // The encoder starts with half of the buffer capacity that remains besides one access unit.
        let start = Double(changing.stream.configuration.bitRate) * 1024 / Double(coreRate)
        var fullness = (size - start) / 2 + start
        for (index, accessUnit) in changing.stream.accessUnits.enumerated() {
            fullness -= Double(8 * accessUnit.count)
            #expect(fullness >= -8, "seed \(seed), unit \(index)")
            // Between two access units the first one's rate applies. Access units are whole bytes; the rate is not.
            fullness += nominal(index)
            #expect(fullness <= size + 8, "seed \(seed), unit \(index)")
        }
    }

    @Test(
        "Each segment has the rate that was set", .enabled(if: seconds > 1, "needs a release build"),
        arguments: selectedCases(cases, [true, false]))
    func meanRates(test: Case, isConstant: Bool) throws {
        let (low, high) = (test.rates.lowerBound, test.rates.upperBound)
        let rates = [high / 2, low * 3 / 2, high * 3 / 4, (low + high) / 4, low * 2, high]
        let stretch = 16 * test.sampleRate
        let signal = Self.signal(test, seconds: 16 * rates.count, seed: 5)
        let configuration = test.configuration(isConstant ? .constant(bitRate: rates[0]) : .average(bitRate: rates[0]))
        let changing = try ChangingStream(signal, configuration, blockLength: stretch / 100) { rates[$0 / stretch] }
        let framesPerAccessUnit = test.profile == .lowComplexity ? 1024 : 2048
        for (index, rate) in rates.enumerated() {
            // Omits the first two seconds. Measured: within 1.2 % at a constant rate, 3 % at an average rate.
            let first = (index * stretch + 2 * test.sampleRate) / framesPerAccessUnit
            let end = (index + 1) * stretch / framesPerAccessUnit
            let bits = 8 * changing.stream.accessUnits[first..<end].reduce(0) { $0 + $1.count }
            let mean = Double(bits) * Double(test.sampleRate) / Double((end - first) * framesPerAccessUnit)
            #expect(abs(mean / Double(rate) - 1) < 0.05, "\(rate): \(mean)")
        }
    }

    @Test(
        "Rate changes cause no clicks: the error around them equals that of a steady rate",
        .enabled(if: seconds > 1, "needs a release build"), arguments: [true, false])
    func errorAroundChanges(isConstant: Bool) throws {
        let test = Self.cases[0]
        let (low, high) = (32_000, 160_000)
        let signal = Self.signal(test, seconds: 30, seed: 7)
        func control(_ rate: Int) -> AACEncoderConfiguration.RateControl {
            isConstant ? .constant(bitRate: rate) : .average(bitRate: rate)
        }
        let changing = try ChangingStream(signal, test.configuration(control(high)), blockLength: 1024) {
            $0 / 1024 % 41 == 40 ? ($0 / (1024 * 41) % 2 == 0 ? low : high) : nil
        }
        let steady = try EncodedStream(signal, test.configuration(control(low)))
        let (decoded, reference) = (try Self.decode(changing.stream), try Self.decode(steady))
        var ratios: [Double] = []
        var sums = (0.0, 0.0)
        for accessUnit in changing.changes {
            var errors = (0.0, 0.0)
            for index in accessUnit * 1024..<(accessUnit + 1) * 1024 {
                for channel in 0..<2 where index >= 2112 && index - 2112 < signal[0].count {
                    let source = signal[channel][index - 2112]
                    errors.0 += Double(pow(decoded[channel][index] - source, 2))
                    errors.1 += Double(pow(reference[channel][index] - source, 2))
                }
            }
            ratios.append(10 * log10(errors.0 / errors.1))
            sums.0 += errors.0
            sums.1 += errors.1
        }
        // Measured, relative to the steady rate: mean +1.2 dB at a constant rate, +0.6 dB at an average rate; maximum +5.9 dB. A lost or
        // reset block has +20 dB.
        #expect(10 * log10(sums.0 / sums.1) < 2.5 && ratios.count > 30 && ratios.allSatisfy { $0 < 9 }, "\(ratios)")
    }

    @Test("A cutoff jump leaves no energy below it", .enabled(if: seconds > 1, "needs a release build"))
    func cutoff() throws {
        // Noise from 13 to 19 kHz, above the bandwidth at 32 kbit/s and below that at 160 kbit/s.
        var random = SeededRandom(seed: 21)
        let base = Self.lowPassed(random.samples(10 * 48_000, amplitude: 0.9), cutoff: 3_000.0 / 48_000)
        let band = base.indices.map { base[$0] * Float(cos(2 * Double.pi * Double($0 % 3) / 3)) }
        let configuration = Self.cases[0].configuration(.average(bitRate: 160_000))
        let changing = try ChangingStream([band, band], configuration, blockLength: 1024) {
            $0 / 1024 % 41 == 40 ? ($0 / (1024 * 41) % 2 == 0 ? 32_000 : 160_000) : nil
        }
        let decoded = try Self.decode(changing.stream)[0]
        /// Returns the energy around an access unit, below 8 kHz and in total.
        func energies(_ accessUnit: Int) -> (low: Double, all: Double) {
            let range = (accessUnit - 1) * 1024..<(accessUnit + 2) * 1024
            let low = Self.lowPassed(Array(decoded[range]), cutoff: 8_000.0 / 48_000)[512..<2560]
            return (low.reduce(0) { $0 + Double($1 * $1) }, decoded[range].reduce(0) { $0 + Double($1 * $1) })
        }
        let changes = changing.changes.filter { $0 + 22 < changing.stream.accessUnits.count }
        let around = changes.map(energies)
        let steady = changes.map { energies($0 + 20) }
        let sum = around.reduce(0) { $0 + $1.all }
        let levels = [around, steady].map { 10 * log10($0.reduce(0) { $0 + $1.low } / sum) }
        // Measured: -98 dB around changes, -99 dB elsewhere.
        #expect(levels.allSatisfy { $0 < -90 } && changes.count == 10, "\(levels)")
    }

    /// Returns the signal after a 255-tap low-pass filter without delay.
    ///
    /// `cutoff` is relative to the sample rate.
    private static func lowPassed(_ samples: [Float], cutoff: Double) -> [Float] {
        let taps = (-127...127).map { n in
            let angle = Double.pi * Double(n) / 128
            let window = 0.42 + 0.5 * cos(angle) + 0.08 * cos(2 * angle)
            return Float(n == 0 ? 2 * cutoff : window * sin(2 * Double.pi * cutoff * Double(n)) / (Double.pi * Double(n)))
        }
        return samples.indices.map { index in
            var sum: Float = 0
            for tap in max(0, 127 - index)..<min(255, samples.count + 127 - index) { sum += taps[tap] * samples[index + tap - 127] }
            return sum
        }
    }

    @Test("Unsupported rates, and rates at constant quality, have no effect")
    func refusals() throws {
        for test in Self.cases {
            let signal = Self.signal(test, seconds: 1, seed: 3).map { Array($0[..<20_000]) }
            let range = AACEncoderConfiguration.bitRates(
                sampleRate: test.sampleRate, channelCount: test.channelCount, profile: test.profile)
            let configuration = test.configuration(.average(bitRate: test.rates.upperBound))
            let steady = try EncodedStream(signal, configuration)
            let refusing = try EncodedStream(configuration) { encoder, body in
                for rate in [range.lowerBound - 1, range.upperBound + 1, 0, -1, .max, .min] {
                    #expect(throws: CodecError.unsupportedBitRate(rate, allowed: range)) { try encoder.setBitRate(rate) }
                    #expect(encoder.bitRate == test.rates.upperBound)
                }
                try encoder.encode(EncodedStream.buffer(signal, sampleRate: test.sampleRate), body)
            }
            #expect(refusing.accessUnits == steady.accessUnits)
            let variable = try AACEncoder(test.configuration(.variable(quality: 50)))
            #expect(throws: CodecError.variableBitRate) { try variable.setBitRate(test.rates.upperBound) }
            #expect(variable.bitRate == nil)
        }
    }
}

extension AACEncoderConfiguration {
    /// The constant or average bit rate; 0 at constant quality.
    fileprivate var bitRate: Int {
        switch rateControl {
        case .constant(let bitRate), .average(let bitRate): bitRate
        case .variable: 0
        }
    }
}
