// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AppleModel
import AudioContainers
import AudioConversion
import AudioPrimitives
import OpusCodec

/// Streams, settings and errors of the system's Opus encoder.
let opusEncoderScenarios: [Scenario] = [
    Scenario(
        name: "opus-encode-formats", expectation: "each sample rate, number of channels and frame duration: all frames at their position"
    ) { report in
        for sampleRate in OpusEncoderConfiguration.sampleRates {
            for channelCount in 1...2 {
                attempt(&report) { report in
                    var one = try OpusStream(sampleRate: sampleRate, channelCount: channelCount, frameCount: sampleRate / 3)
                    try one.encodeAll()
                    try one.check(&report, "\(sampleRate) Hz, \(channelCount) channels")
                }
            }
        }
        for duration in OpusFrameDuration.allCases {
            attempt(&report) { report in
                var one = try OpusStream { $0.frameDuration = duration }
                try one.encodeAll(by: 480)
                try one.check(&report, "\(duration)")
            }
        }
    },
    Scenario(name: "opus-encode-lengths", expectation: "streams of any length, including empty ones; a reset begins a new stream") {
        report in
        attempt(&report) { report in
            for length in [0, 1, 647, 648, 649, 960, 961, 5000] {
                var one = try OpusStream(frameCount: length)
                try one.encodeAll()
                report.check(
                    one.units.count == (length + 312 + 959) / 960 && one.gapless?.validFrames == length,
                    "\(length): \(one.units.count) packets, \(one.gapless as Any)")
            }
            var one = try OpusStream()
            try one.encode(1500)
            one.encoder.reset()
            var (again, packets) = (try OpusStream(), [AccessUnit]())
            try again.encodeAll()
            packets += try one.encoder.encode(one.signal)
            packets += try one.encoder.finish().accessUnits
            report.check(packets == again.units, "another stream after a reset")
            report.check(try one.encoder.finish().accessUnits.isEmpty, "packets after the end")
        }
    },
    Scenario(name: "opus-encode-priming", expectation: "the pre-skip is the system's priming, or libopus's if the system reports none") {
        report in
        for (priming, tells) in [(312, true), (120, true), (312, false)] {
            machine.converters.opusPriming = priming
            machine.converters.tellsOpusPriming = tells
            for sampleRate in [8000, 48_000] {
                attempt(&report) { report in
                    var one = try OpusStream(sampleRate: sampleRate, channelCount: 1, frameCount: sampleRate / 2)
                    report.check(one.encoder.delay == priming, "\(one.encoder.delay) frames of \(priming)")
                    try one.encodeAll()
                    try one.check(&report, "priming \(priming) at \(sampleRate) Hz")
                }
            }
        }
    },
    Scenario(name: "opus-encode-late", expectation: "the system delays packets: all are there at the end, with the same times") { report in
        for held in [1, 3] {
            machine.converters.heldOpusPackets = held
            attempt(&report) { report in
                var one = try OpusStream()
                try one.encodeAll()
                try one.check(&report, "\(held) packets held back")
            }
        }
        machine.converters.heldOpusPackets = 1000
        attempt(&report) { report in
            var one = try OpusStream()
            do {
                try one.encodeAll()
                report.check(false, "an encoder without packets is no error")
            } catch let error as CodecError {
                report.note("\(error)")
            }
        }
    },
    Scenario(
        name: "opus-encode-bit-rate", expectation: "bit rates and modes are set; the error for a rejected one lists the supported values"
    ) {
        report in
        attempt(&report) { report in
            let error = OpusStream.creationError(channelCount: 1, bitRate: 300_000)
            report.check(error == .unsupportedBitRate(300_000, allowed: 6000...255_000), "\(String(describing: error))")
            machine.converters.opusBitRates = 16_000...96_000
            let refused = OpusStream.creationError(channelCount: 1, bitRate: 128_000)
            report.check(refused == .unsupportedBitRate(128_000, allowed: 16_000...96_000), "\(String(describing: refused))")
            let one = try OpusStream(channelCount: 1)
            report.check(one.encoder.applicableBitRates == [16_000...96_000], "\(one.encoder.applicableBitRates)")
            report.check((try? one.encoder.setBitRate(8000)) == nil && one.encoder.bitRate == 64_000, "\(one.encoder.bitRate as Any)")
            try one.encoder.setBitRate(32_000)
            report.check(one.encoder.bitRate == 32_000, "\(one.encoder.bitRate as Any)")
            machine.converters.replacesBitRates = true
            let nearest = try OpusStream(channelCount: 1, bitRate: 128_000)
            report.check(nearest.encoder.bitRate == 96_000, "\(nearest.encoder.bitRate as Any)")
            let modes: [(OpusEncoderConfiguration.BitRateMode, UInt32, String)] = [
                (.variable, 1, "variable"), (.constrained, 2, "constrained"), (.constant, 0, "constant"),
            ]
            for (mode, number, name) in modes {
                machine.converters.hasRateControlMode = true
                var one = try OpusStream { $0.bitRateMode = mode }
                report.check(machine.converters.rateControlMode == number, "\(name): \(machine.converters.rateControlMode as Any)")
                try one.encodeAll()
                let isConstant = Set(one.units.dropLast().map(\.payload.count)).count == 1
                report.check(isConstant == (mode == .constant), "\(name): \(one.units.map(\.payload.count))")
                machine.converters.hasRateControlMode = false
                let error = OpusStream.creationError { $0.bitRateMode = mode }
                let expected = CodecError.unsupportedSystemSetting("bit rate mode", value: name, allowed: "variable")
                report.check(error == (mode == .variable ? nil : expected), "\(name) without modes: \(error as Any)")
            }
        }
    },
    Scenario(name: "opus-encode-limits", expectation: "an unsupported setting is an error with its name and value") {
        report in
        let settings: [(String, (inout OpusEncoderConfiguration) -> Void)] = [
            ("complexity 5, only 10", { $0.complexity = 5 }), ("application voice, only audio", { $0.application = .voice }),
            ("application lowDelay, only audio", { $0.application = .lowDelay }), ("signal music, only automatic", { $0.signal = .music }),
            ("forward error correction true, only false", { $0.usesForwardErrorCorrection = true }),
            ("expected packet loss 20, only 0", { $0.expectedPacketLoss = 20 }),
            ("discontinuous transmission true, only false", { $0.usesDiscontinuousTransmission = true }),
        ]
        for (text, body) in settings {
            let error = OpusStream.creationError(body)
            report.check(error?.description == "the system codec does not support \(text)", "\(text): \(String(describing: error))")
        }
        for channelCount in 3...8 {
            let error = OpusStream.creationError(channelCount: channelCount)
            report.check(error == .unsupportedChannelCount(channelCount, allowed: [1, 2]), "\(String(describing: error))")
        }
        machine.converters.opusDurations = [960, 480]
        for duration in OpusFrameDuration.allCases {
            let error = OpusStream.creationError(sampleRate: 16_000) { $0.frameDuration = duration }
            let isThere = [480, 960].contains(duration.rawValue)
            let expected = CodecError.unsupportedFrameLength(duration.rawValue, allowed: [960])
            report.check(error == (isThere ? nil : expected), "\(duration): \(String(describing: error))")
        }
        machine.converters.manufacturers = []
        let error = OpusStream.creationError()
        report.check(
            error == .systemCodec(step: "AudioConverterNewSpecific", status: ConverterStatus.format), "\(String(describing: error))")
    },
    Scenario(name: "opus-encode-interrupted", expectation: "an error of one call: the next call continues, each frame once") {
        report in
        for (call, takesInput) in (0..<7).flatMap({ [($0, true), ($0, false)] }) {
            attempt(&report) { report in
                machine.converters.failures = [
                    machine.converters.failure(after: call, ConverterStatus.hardwareInUse, takesInput: takesInput)
                ]
                var one = try OpusStream(frameCount: 6000)
                var errors = 0
                for _ in 0..<10 { errors += errorCount(of: &one) { try $0.encode(600) } }
                errors += errorCount(of: &one) { try $0.finish() }
                if errors > 0 { try one.finish() }
                report.check(errors == 1, "\(errors) errors with the failure in call \(call)")
                try one.check(&report, "call \(call)")
            }
        }
        attempt(&report) { report in
            machine.converters.failures = [machine.converters.failure(after: 0, count: 1000, ConverterStatus.hardwareInUse)]
            var one = try OpusStream()
            try one.encode(600)
            for _ in 0..<20 { report.check(errorCount(of: &one) { try $0.encode(600) } == 1, "an error that lasts is not thrown") }
        }
    },
    Scenario(name: "opus-registry", expectation: "the codec registry lists the system's Opus codec with its limits") { report in
        attempt(&report) { report in
            machine.converters.opusDurations = [960, 480, 240]
            machine.converters.opusPriming = 120
            let registry = CodecRegistry()
            let codecs = registry.codecs(.encoder, .opus) + registry.codecs(.decoder, .opus)
            report.check(codecs.map(\.maker) == [.appleSoftware, .appleSoftware], "\(codecs.map(\.maker))")
            report.check(codecs.map(\.isAvailable) == [true, true], "\(codecs.map(\.isAvailable))")
            report.check(codecs.map(\.channelCounts) == [[1, 2], Array(1...8)], "\(codecs.map(\.channelCounts))")
            report.check(codecs.first?.framesPerPacket == [240, 480, 960], "\(codecs.map(\.framesPerPacket))")
            report.check(codecs.map(\.delay) == [[120], [0]], "\(codecs.map(\.delay))")
            machine.converters.opusBitRates = 16_000...96_000
            let rates = codecs[0].applicableBitRates(sampleRate: 48_000, channelCount: 2)
            report.check(rates == [32_000...192_000], "\(rates)")
            let encoder = try registry.makeEncoder(.opus(OpusEncoderConfiguration(channelCount: 2)), preferring: [.appleSoftware])
            report.check(encoder is OpusEncoder, "\(encoder)")
            machine.converters.manufacturers = []
            report.check(CodecRegistry().codecs(.encoder, .opus).map(\.isAvailable) == [false], "a codec that is not there is available")
        }
    },
]
#endif
