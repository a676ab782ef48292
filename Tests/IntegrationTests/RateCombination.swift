// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import TestSupport

/// A signal, a format and two rates.
///
/// The higher rate is most of what the format allows.
struct RateCombination: CustomStringConvertible {
    /// Both rates.
    enum Rate: CaseIterable { case lower, higher }

    /// The seed that determines everything else.
    let seed: UInt64
    let signal: ProgrammeSignal
    /// Whether both channels of a pair are equal.
    let hasEqualChannels: Bool
    let channels: [[Float]]
    private let configuration: AACEncoderConfiguration
    /// Both rates as fractions of the highest rate.
    private let shares: (lower: Double, higher: Double)
    /// The rate control of the higher rate.
    private let mode: Int

    /// Chooses everything by a seed.
    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        self.seed = seed
        signal = random.element(of: ProgrammeSignal.allCases)
        let profile = random.element(of: [
            AACProfile.lowComplexity, .lowComplexity, .lowDelay, .highEfficiency, .highEfficiencyV2, .enhancedLowDelay,
        ])
        let sampleRate = random.element(
            of: profile == .lowComplexity ? [16_000, 22_050, 32_000, 44_100, 48_000] : [32_000, 44_100, 48_000])
        let channelCount = profile == .highEfficiencyV2 ? 2 : random.element(of: [1, 2, 2, 2])
        var configuration = AACEncoderConfiguration(sampleRate: sampleRate, channelCount: channelCount)
        configuration.profile = profile
        configuration.settings.effort = random.element(of: AACEncoderConfiguration.Effort.allCases)
        let replication = random.element(of: [LowDelaySBR.off, .singleRate, .dualRate])
        if profile == .enhancedLowDelay { configuration.settings.lowDelaySBR = replication }
        configuration.settings.frameLength = random.element(of: profile.isLowDelay ? [512, 480] : [1024, 1024, 960])
        self.configuration = configuration
        hasEqualChannels = random.integer(in: 0..<4) > 0
        shares = (random.double(in: 0.2...0.5), min(1, random.double(in: 0.6...1.05)))
        mode = random.integer(in: 0..<6)
        let count = 16 * configuration.framesPerPacket + random.integer(in: 0..<1000)
        let first = signal.samples(count, sampleRate: sampleRate, using: &random)
        let second = hasEqualChannels ? first : signal.samples(count, sampleRate: sampleRate, using: &random)
        channels = channelCount == 1 ? [first] : [first, second]
    }

    func configuration(_ rate: Rate) -> AACEncoderConfiguration {
        var result = configuration
        let range = result.bitRates
        let share = rate == .lower ? shares.lower : shares.higher
        let bitRate = max(range.lowerBound, Int(Double(range.upperBound) * share))
        switch mode {
        case 0: result.rateControl = .variable(quality: rate == .lower ? 40 + 100 * shares.lower : 90 + 10 * shares.higher)
        case 1, 2: result.rateControl = .average(bitRate: bitRate)
        default: result.rateControl = .constant(bitRate: bitRate)
        }
        return result
    }

    /// Whether FFmpeg reproduces the encoded signal: without SBR, whose filters differ in FFmpeg, and without the long window.
    var isDecodedByFFmpeg: Bool { configuration.profile == .lowComplexity || configuration.profile == .lowDelay }

    var description: String {
        let higher = configuration(.higher)
        return "seed \(seed): \(signal), \(channels.count) channels\(hasEqualChannels ? ", equal" : ""), \(higher.sampleRate) Hz, "
            + "\(higher.profile), \(higher.settings.frameLength), \(higher.settings.lowDelaySBR), \(higher.settings.effort), \(configuration(.lower).rateControl), "
            + "\(higher.rateControl)"
    }
}
