// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AACCodec
import AppleModel
import AudioContainers
import AudioConversion
import AudioPrimitives
import MPEG4Audio

/// Bit rates, modes, channels and profiles.
let settingScenarios: [Scenario] = [
    Scenario(name: "encoder-bit-rate", expectation: "an unsupported bit rate is an error that lists the applicable bit rates") {
        report in
        for hasSingle in [false, true] {
            machine.converters.hasSingleBitRates = hasSingle
            let error = creationError { try Encoding(.lowComplexity, .constant(bitRate: 192_000), channelCount: 1) }
            guard case .unsupportedBitRate(192_000, let allowed)? = error else {
                report.check(false, "192 kbit/s in mono: \(String(describing: error))")
                continue
            }
            report.check(allowed == 24_000...160_000, "\(allowed)")
            report.note(error?.description ?? "")
        }
        machine.converters.hasSingleBitRates = false
        attempt(&report) { report in
            let one = try Encoding()
            do {
                try one.encoder.setBitRate(1_000_000)
                report.check(false, "1 Mbit/s is accepted")
            } catch let error as CodecError {
                report.check(error == .unsupportedBitRate(1_000_000, allowed: 48_000...320_000), "\(error)")
            }
            report.check(one.encoder.bitRate == 64_000, "a refused bit rate changed it")
            try one.encoder.setBitRate(96_000)
            report.check(one.encoder.bitRate == 96_000, "the bit rate did not change")
            // A system that substitutes the nearest bit rate reports it.
            machine.converters.replacesBitRates = true
            let other = try Encoding(.lowComplexity, .constant(bitRate: 192_000), channelCount: 1)
            report.check(other.encoder.bitRate == 160_000, "\(String(describing: other.encoder.bitRate))")
        }
    },
    Scenario(
        name: "encoder-modes", expectation: "constant, average and variable bit rates set the mode before the bit rate, and the quality"
    ) { report in
        attempt(&report) { report in
            let modes: [(AACEncoderConfiguration.RateControl, UInt32, UInt32?)] = [
                (.constant(bitRate: 96_000), 0, nil), (.average(bitRate: 96_000), 1, nil), (.variable(quality: 0), 3, 0),
                (.variable(quality: 80), 3, 102), (.variable(quality: 100), 3, 127), (.variable(quality: 500), 3, 127),
            ]
            for (rateControl, mode, quality) in modes {
                let one = try Encoding(.lowComplexity, rateControl)
                report.check(
                    machine.converters.rateControlMode == mode,
                    "\(rateControl): mode \(String(describing: machine.converters.rateControlMode))")
                report.check(
                    machine.converters.variableQuality == quality,
                    "\(rateControl): \(String(describing: machine.converters.variableQuality))")
                report.check(
                    one.encoder.bitRate == (mode == 3 ? nil : 96_000), "\(rateControl): \(String(describing: one.encoder.bitRate))")
                report.check((one.errors(setting: 64_000) == 0) == (mode != 3), "\(rateControl): the bit rate of a variable one is set")
            }
            // HE-AAC has no variable bit rate; an encoder without rate control modes uses its own mode.
            report.check(creationError { try Encoding(.highEfficiency, .variable(quality: 50)) } != nil, "HE-AAC with a variable bit rate")
            machine.converters.hasRateControlMode = false
            for rateControl in [AACEncoderConfiguration.RateControl.constant(bitRate: 96_000), .average(bitRate: 96_000)] {
                report.check(try Encoding(.lowComplexity, rateControl).encoder.bitRate == 96_000, "\(rateControl) without modes")
            }
            let error = creationError { try Encoding(.lowComplexity, .variable(quality: 50)) }
            report.check(
                error == .systemCodec(step: "variable bit rate", status: ConverterStatus.property),
                "\(String(describing: error))")
        }
    },
    Scenario(name: "encoder-hardware", expectation: "without a hardware encoder, creation throws; with one, its codec is used") {
        report in
        let error = creationError { try Encoding(isHardware: true) }
        report.check(
            error == .systemCodec(step: "AudioConverterNewSpecific", status: ConverterStatus.format), "\(String(describing: error))")
        machine.converters.manufacturers = [0x6170_6877]
        attempt(&report) { report in
            var one = try Encoding(isHardware: true)
            try one.encode(3000)
            try one.finish()
            one.check(&report)
        }
        report.check(creationError { try Encoding() } != nil, "software without its encoder")
    },
    Scenario(name: "encoder-room", expectation: "each packet has the space that the system requires, whatever its error for less") {
        report in
        for status in [ConverterStatus.badPropertySize, ConverterStatus.invalidOutputSize] {
            machine.converters.roomStatus = status
            attempt(&report) { report in
                var one = try Encoding()
                try one.encode(10_000)
                try one.finish()
                one.check(&report)
                report.check(one.units.allSatisfy { $0.payload.count <= one.encoder.maximumPacketByteCount }, "the size of a packet")
            }
        }
    },
    Scenario(name: "encoder-channels", expectation: "3 to 8 channels in the order of WAV reach the encoder's channels") { report in
        for channelCount in [3, 4, 5, 6, 8] {
            attempt(&report) { report in
                var one = try Encoding(.lowComplexity, .constant(bitRate: 64_000 * channelCount), channelCount: channelCount)
                try one.encode(3000)
                try one.finish()
                checkOrder(&report, one, ChannelConfigurationOrder.wav(channelCount))
            }
        }
    },
    Scenario(name: "encoder-layouts", expectation: "an input layout in another order is mapped; a layout that AAC lacks is an error") {
        report in
        let layouts: [[Speaker]] = [
            [.center, .left, .right, .sideLeft, .sideRight, .lowFrequency], [.sideRight, .sideLeft, .lowFrequency, .center, .right, .left],
            [.left, .right, .center, .lowFrequency, .backCenter, .sideLeft, .sideRight],
            [.left, .right, .center, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight],
            [.left, .right, .center, .lowFrequency, .sideLeft, .sideRight, .topLeft, .topRight],
            [.left, .right, .center, .lowFrequency, .leftOfCenter, .rightOfCenter, .sideLeft, .sideRight],
        ]
        for speakers in layouts {
            attempt(&report) { report in
                var one = try Encoding(.lowComplexity, .constant(bitRate: 64_000 * speakers.count), channelCount: speakers.count) {
                    $0.inputLayout = ChannelLayout(speakers)
                }
                try one.encode(2000)
                try one.finish()
                checkOrder(&report, one, speakers)
            }
        }
        for (count, speakers) in [(7, nil), (6, [Speaker.left, .right, .center, .backCenter, .topLeft, .topRight]), (3, [.left, .right])] {
            let error = creationError {
                try Encoding(.lowComplexity, .constant(bitRate: 300_000), channelCount: count) {
                    $0.inputLayout = speakers.map(ChannelLayout.init)
                }
            }
            guard case .unsupportedChannelLayout? = error else {
                report.check(false, "\(count) channels: \(String(describing: error))")
                continue
            }
        }
    },
    Scenario(name: "encoder-he", expectation: "HE-AAC and v2: packets of 2048 frames, configurations by any cookie, gapless numbers agree")
    { report in
        for profile in [AACProfile.highEfficiency, .highEfficiencyV2] {
            for signaling in ConverterModel.Signaling.allCases {
                for (knows, signalsStereo) in [(true, true), (false, false)] {
                    machine.converters.signaling = signaling
                    machine.converters.knowsTrailingFrames = knows
                    machine.converters.signalsParametricStereo = signalsStereo
                    attempt(&report) { report in
                        var one = try Encoding(profile, .average(bitRate: 48_000))
                        for length in [1, 2047, 2048, 5000, 480, 12_000] { try one.encode(length) }
                        try one.finish()
                        one.check(&report)
                        checkConfiguration(&report, one, profile)
                    }
                }
            }
        }
    },
    Scenario(name: "encoder-low-delay", expectation: "AAC-LD and AAC-ELD with packets of 512 and 480 frames, and SBR at dual rate") {
        report in
        for profile in [AACProfile.lowDelay, .enhancedLowDelay] {
            for length in [AACEncoderSettings.defaultFrameLength, 512, 480] {
                attempt(&report) { report in
                    var one = try Encoding(profile) { $0.settings.frameLength = length }
                    for length in [1, 479, 480, 3000] { try one.encode(length) }
                    try one.finish()
                    one.check(&report)
                    checkConfiguration(&report, one, profile)
                    report.check(one.encoder.framesPerPacket == min(length, 512), "\(one.encoder.framesPerPacket) frames in a packet")
                }
            }
        }
        attempt(&report) { report in
            var one = try Encoding(.enhancedLowDelay) { $0.settings.lowDelaySBR = .dualRate }
            try one.encode(3000)
            try one.finish()
            one.check(&report)
            checkConfiguration(&report, one, .enhancedLowDelay)
        }
        report.check(
            creationError { try Encoding(.lowComplexity) { $0.settings.frameLength = 960 } } != nil, "AAC-LC with packets of 960 frames")
    },
    Scenario(name: "encoder-registry", expectation: "the codec registry lists the system's encoders with their limits and creates them") {
        report in
        attempt(&report) { report in
            let registry = CodecRegistry()
            let system = registry.codecs(.encoder).filter { $0.maker == .appleSoftware && $0.formatID != .opus }
            report.check(system.map(\.formatID) == ["aac ", "aach", "aacp", "aacl", "aace"], "\(system.map(\.formatID))")
            report.check(system.map(\.framesPerPacket) == [[1024], [2048], [2048], [512], [512]], "\(system.map(\.framesPerPacket))")
            report.check(system.map { $0.quality != nil } == [true, false, false, false, false], "the ranges of quality")
            let rates = system.map { $0.applicableBitRates(sampleRate: 44_100, channelCount: 2) }
            report.check(rates.first == [48_000...320_000], "\(rates)")
            var configuration = AACEncoderConfiguration(sampleRate: 44_100, channelCount: 2, rateControl: .average(bitRate: 128_000))
            let encoder = try registry.makeEncoder(.aac(configuration), preferring: [.appleHardware, .appleSoftware])
            report.check(encoder is SystemPacketEncoder && encoder.primingFrames == 2112, "\(encoder)")
            configuration.rateControl = .average(bitRate: 700_000)
            do {
                _ = try registry.makeEncoder(.aac(configuration), preferring: [.appleSoftware])
                report.check(false, "700 kbit/s are accepted")
            } catch {
                report.note("\(error)")
            }
        }
    },
]

/// The default speaker order of the input.
private enum ChannelConfigurationOrder {
    /// Returns the WAV order of AAC's default channel configuration.
    static func wav(_ channelCount: Int) -> [Speaker] {
        AudioEncoderConfiguration.aac(AACEncoderConfiguration(sampleRate: 44_100, channelCount: channelCount)).channelLayout?.speakers ?? []
    }
}

/// Checks that each speaker of the stream has the samples of its input channel.
private func checkOrder(_ report: inout Report, _ one: Encoding, _ input: [Speaker]) {
    guard let stream = one.encoder.codecConfiguration.audioSpecificConfig?.channelConfiguration?.layout else {
        return report.check(false, "the configuration has no layout")
    }
    for (channel, speaker) in stream.speakers.enumerated() {
        let source = input.firstIndex(of: speaker) ?? -1
        let encoded = machine.converters.encodedSamples(channel: channel)
        report.check(
            !encoded.isEmpty && encoded == encoded.indices.map { Encoding.sample($0, source) },
            "\(input.count) channels: the stream's \(speaker) has other samples")
    }
    one.check(&report, source: input.firstIndex(of: stream.speakers[0]) ?? -1)
}

/// Checks that the configuration from the magic cookie describes the encoder, as decoders and containers require.
private func checkConfiguration(_ report: inout Report, _ one: Encoding, _ profile: AACProfile) {
    let configuration = one.encoder.codecConfiguration
    report.check(configuration.formatID == profile.formatID, "\(profile): \(configuration.formatID)")
    report.check(configuration.sampleRate == 44_100, "\(profile): \(configuration.sampleRate) Hz")
    report.check(configuration.channelCount == 2, "\(profile): \(String(describing: configuration.channelCount)) channels")
    report.check(
        configuration.framesPerUnit == one.encoder.framesPerPacket, "\(profile): \(String(describing: configuration.framesPerUnit)) frames")
}

extension Encoding {
    /// Returns the number of errors from setting a bit rate.
    fileprivate func errors(setting bitRate: Int) -> Int {
        do {
            try encoder.setBitRate(bitRate)
            return 0
        } catch {
            return 1
        }
    }
}
#endif
