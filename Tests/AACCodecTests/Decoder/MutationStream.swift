// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

/// A short stream for mutation: from other encoders, or random content that they do not produce.
struct MutationStream: CustomTestStringConvertible, Sendable {
    let name: String
    let configuration: AudioSpecificConfig
    let accessUnits: [[UInt8]]
    /// Whether an access unit's output depends only on itself and the previous one, so that damage has no lasting effect.
    let forgets: Bool

    var testDescription: String { name }

    static let all: [MutationStream] = files + [coupled, described, short960, layout(6), layout(7)] + replicated + lowDelay

    /// AAC-LD and AAC-ELD with all error resilience tools and with low delay SBR.
    private static let lowDelay = LowDelayVector.all.map {
        MutationStream(name: $0.name, configuration: $0.configuration, accessUnits: $0.accessUnits, forgets: false)
    }

    private static let files = [
        ("short-blocks", true), ("middle-side", true), ("intensity", true), ("noise", false), ("tone", true), ("sweep", true),
        ("bursts", true), ("pulses", true), ("long-term-prediction", false),
    ].map { file($0, forgets: $1) }

    /// A stream of `Tests/Vectors`.
    private static func file(_ name: String, forgets: Bool) -> MutationStream {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let bytes = try? Data(contentsOf: tests.appending(path: "Vectors/\(name).aac"))
        guard let bytes, let frames = ADTSFrames([UInt8](bytes)) else { preconditionFailure("cannot read Tests/Vectors/\(name).aac") }
        let type = AudioObjectType(rawValue: Int(bytes[2] >> 6) + 1)
        return MutationStream(
            name: name,
            configuration: core(
                ChannelConfiguration(rawValue: frames.channelConfiguration), type: type,
                rate: SamplingFrequencyIndex.standardRates[frames.frequencyIndex]),
            accessUnits: frames.accessUnits, forgets: forgets)
    }

    /// A configuration that excludes SBR, which a mutation could otherwise start permanently.
    private static func core(
        _ channels: ChannelConfiguration?, type: AudioObjectType = .aacLC, rate: Int = 44_100, uses960: Bool = false
    ) -> AudioSpecificConfig {
        var result = AudioSpecificConfig(
            objectType: type, sampleRate: rate, channelConfiguration: channels, generalAudio: GASpecificConfig(usesShortFrame: uses960))
        result.extensionConfig = .absent
        return result
    }

    /// Pairs with a coupling channel, with the layout in each access unit.
    private static var coupled: MutationStream {
        var random = SeededRandom(seed: 71)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 4, frameLength: 1024)
        var program = ProgramConfigElement(samplingFrequencyCode: 4)
        program.front = [ProgramConfigElement.Element(isPair: true, instanceTag: 0)]
        let accessUnits = (0..<12).map { round in
            var pair = RandomSyntax.quietPair(bands, &random)
            pair.instanceTag = 0
            return CouplingTests.accessUnit(pair, CouplingTests.coupling(round, pair.first.info.windowSequence, &random), program, bands)
        }
        return MutationStream(name: "coupling channels", configuration: core(nil), accessUnits: accessUnits, forgets: false)
    }

    /// A custom layout in each access unit: a centre, two pairs and a low-frequency channel.
    private static var described: MutationStream {
        var random = SeededRandom(seed: 72)
        var program = ProgramConfigElement(samplingFrequencyCode: 4)
        program.front = [.init(isPair: false, instanceTag: 1), .init(isPair: true, instanceTag: 0)]
        program.back = [.init(isPair: true, instanceTag: 3)]
        program.lowFrequencyTags = [2]
        let elements: [(ChannelElement, Int)] = [(.single, 1), (.pair, 0), (.pair, 3), (.lowFrequency, 2)]
        let accessUnits = (0..<12).map { _ in accessUnit(elements, program, &random) }
        return MutationStream(name: "program config element", configuration: core(nil), accessUnits: accessUnits, forgets: false)
    }

    private static var short960: MutationStream {
        var random = SeededRandom(seed: 73)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 4, frameLength: 960)
        let accessUnits = (0..<12).map { _ in AACDecoderTests.accessUnit(RandomSyntax.quietPair(bands, &random), bands) }
        return MutationStream(
            name: "frames of 960", configuration: core(ChannelConfiguration(rawValue: 2), uses960: true), accessUnits: accessUnits,
            forgets: false)
    }

    private static func layout(_ number: Int) -> MutationStream {
        var random = SeededRandom(seed: 74 + UInt64(number))
        let configuration = ChannelConfiguration(rawValue: number)
        let elements = (configuration?.elements ?? []).enumerated().map { ($1, $0) }
        let accessUnits = (0..<10).map { _ in accessUnit(elements, nil, &random) }
        return MutationStream(name: "configuration \(number)", configuration: core(configuration), accessUnits: accessUnits, forgets: false)
    }

    private static func accessUnit(
        _ elements: [(ChannelElement, Int)], _ program: ProgramConfigElement?, _ random: inout SeededRandom
    ) -> [UInt8] {
        let bands = ScaleFactorBands(samplingFrequencyIndex: 4, frameLength: 1024)
        var writer = BitWriter()
        if let program {
            writer.write(UInt32(SyntacticElementID.programConfig.rawValue), count: 3)
            program.write(to: &writer, alignedTo: 0)
        }
        for (element, tag) in elements {
            var pair = RandomSyntax.quietPair(bands, &random)
            pair.instanceTag = tag
            let id: SyntacticElementID = element == .pair ? .channelPair : element == .single ? .singleChannel : .lowFrequency
            writer.write(UInt32(id.rawValue), count: 3)
            if element == .pair {
                pair.write(to: &writer, bands: bands)
            } else {
                writer.write(UInt32(tag), count: 4)
                pair.first.write(to: &writer, bands: bands, hasCommonWindow: false)
            }
        }
        writer.write(UInt32(SyntacticElementID.end.rawValue), count: 3)
        return writer.bytes
    }

    /// SBR of a pair and of a single channel, with and without checksums, and all kinds of parametric stereo.
    private static var replicated: [MutationStream] {
        let kinds: [(name: String, channelCount: Int, options: RandomHighEfficiencyStream.Options)] = [
            ("band replication, pair", 2, .init(frameCount: 12, headerPeriod: 4)),
            ("band replication, checked", 1, .init(frameCount: 12, headerPeriod: 3, isChecked: true)),
            ("parametric stereo", 1, .init(frameCount: 12, stereoModes: [0, 1, 4])),
            ("parametric stereo with phases", 1, .init(frameCount: 12, stereoModes: [2, 5, 1], hasPhases: true)),
        ]
        return kinds.enumerated().map { index, kind in
            let stream = RandomHighEfficiencyStream(
                seed: 80 + UInt64(index), channelCount: kind.channelCount, coreRate: 22_050, options: kind.options)
            let configuration = AudioSpecificConfig(
                sampleRate: 22_050, channelConfiguration: ChannelConfiguration(rawValue: kind.channelCount))
            return MutationStream(name: kind.name, configuration: configuration, accessUnits: stream.accessUnits, forgets: false)
        }
    }
}
