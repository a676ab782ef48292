// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AACCodec
import AppleModel
import AudioContainers
import AudioConversion
import AudioPrimitives
import CoreAudioTypes

/// A system encoder and its output.
struct Encoding {
    let encoder: SystemPacketEncoder
    var units: [AccessUnit] = []
    var gapless: GaplessInfo?
    private var frameCount = 0

    init(
        _ profile: AACProfile = .lowComplexity, _ rateControl: AACEncoderConfiguration.RateControl = .constant(bitRate: 64_000),
        channelCount: Int = 2, isHardware: Bool = false, _ body: (inout AACEncoderConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = AACEncoderConfiguration(sampleRate: 44_100, channelCount: channelCount, rateControl: rateControl)
        configuration.profile = profile
        body(&configuration)
        encoder = try SystemPacketEncoder(configuration, isHardware: isHardware)
    }

    /// Returns the next frames of a ramp; the channels alternate in sign and have different offsets.
    private mutating func ramp(_ length: Int) -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: 44_100, channelCount: encoder.channelCount, frameCapacity: length)
        for channel in 0..<encoder.channelCount {
            for frame in 0..<length {
                buffer.samples[channel * length + frame] = Self.sample(frameCount + frame, channel)
            }
        }
        frameCount += length
        return buffer
    }

    static func sample(_ frame: Int, _ channel: Int) -> Float { Float(frame + channel << 18) }

    mutating func encode(_ length: Int) throws {
        let buffer = ramp(length)
        units += try encoder.encode(buffer)
    }

    mutating func finish() throws {
        let tail = try encoder.finish()
        units += tail.accessUnits
        gapless = tail.gapless
    }

    mutating func reset() {
        encoder.reset()
        units = []
        gapless = nil
        frameCount = 0
    }

    /// Checks that each ramp frame was encoded once, in order, with consistent lengths, times and gapless numbers.
    ///
    /// - Parameter source: The input channel of the stream's first channel.
    func check(_ report: inout Report, source: Int = 0) {
        let length = encoder.framesPerPacket
        let encoded = machine.converters.encodedSamples()
        report.check(
            encoded == (0..<frameCount).map { Self.sample($0, source) },
            "the system encoded \(encoded.count) of \(frameCount) frames, or others")
        report.check(units.map(\.presentationTime.value) == units.indices.map { Int64($0 * length) }, "the times of the packets")
        report.check(units.allSatisfy { $0.duration == length }, "the durations of the packets")
        guard let gapless else { return report.check(false, "the stream has not ended") }
        report.check(gapless.validFrames == frameCount, "\(gapless), and not \(frameCount) valid frames")
        report.check(
            gapless.primingFrames == (units.isEmpty ? 0 : encoder.primingFrames),
            "\(gapless): the priming is \(encoder.primingFrames) frames")
        report.check(gapless.totalFrames == units.count * length, "\(gapless) with \(units.count) packets of \(length) frames")
    }
}

/// Runs a scenario's steps; a thrown error is a problem.
func attempt(_ report: inout Report, _ body: (inout Report) throws -> Void) {
    do {
        try body(&report)
    } catch {
        report.check(false, "\(error)")
    }
}

/// Returns the error from creating an encoder, if any.
func creationError(_ body: () throws -> Encoding) -> CodecError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? CodecError
    }
}

let encoderScenarios: [Scenario] = streamScenarios + settingScenarios

/// Lengths, ends and errors of streams.
private let streamScenarios: [Scenario] = [
    Scenario(name: "encoder-lengths", expectation: "buffers of any length: each frame once and in order, gapless numbers agree") { report in
        for (knows, whole) in [(true, false), (false, false), (true, true)] {
            machine.converters.knowsTrailingFrames = knows
            machine.converters.asksForWholePackets = whole
            attempt(&report) { report in
                var one = try Encoding()
                for length in [1, 1023, 1024, 1025, 5000, 7, 0, 480, 480, 3, 2048, 4097, 960, 960, 960] { try one.encode(length) }
                try one.finish()
                one.check(&report)
                report.note("\(one.units.count) packets")
            }
        }
    },
    Scenario(name: "encoder-empty", expectation: "no input: the stream ends without a valid frame") { report in
        for flushes in [true, false] {
            machine.converters.flushesEmptyStream = flushes
            attempt(&report) { report in
                var one = try Encoding()
                try one.finish()
                one.check(&report)
            }
        }
    },
    Scenario(name: "encoder-reset", expectation: "after a reset the encoder encodes a second stream like the first") { report in
        attempt(&report) { report in
            var one = try Encoding()
            for _ in 0..<2 {
                try one.encode(3000)
                try one.encode(3000)
                try one.finish()
                one.check(&report)
                one.reset()
            }
            // A reset within a buffer.
            try one.encode(1500)
            one.reset()
            try one.encode(2000)
            try one.finish()
            one.check(&report)
        }
    },
    Scenario(name: "encoder-finished", expectation: "a finished encoder rejects input and returns the same gapless numbers") { report in
        attempt(&report) { report in
            var one = try Encoding()
            try one.encode(5000)
            try one.finish()
            let (gapless, count) = (one.gapless, one.units.count)
            try one.finish()
            report.check(one.gapless == gapless && one.units.count == count, "another end: \(String(describing: one.gapless))")
            one.check(&report)
            do {
                try one.encode(1)
                report.check(false, "input after the end")
            } catch let error as CodecError {
                report.check(error == .finished, "\(error)")
            }
        }
    },
    Scenario(name: "encoder-interrupted", expectation: "hardware in use for one call: an error, and all frames are encoded afterwards") {
        report in
        for call in 0..<8 {
            attempt(&report) { report in
                machine.converters.failures = [machine.converters.failure(after: call, ConverterStatus.hardwareInUse)]
                var one = try Encoding()
                var errors = 0
                for _ in 0..<4 { errors += errorCount(of: &one) { try $0.encode(2048) } }
                errors += errorCount(of: &one) { try $0.finish() }
                if errors > 0 { try one.finish() }
                report.check(errors == 1, "\(errors) errors with the failure in call \(call)")
                one.check(&report)
            }
        }
    },
    Scenario(name: "encoder-idle", expectation: "some calls return no packets: the frames are retained and encoded afterwards") {
        report in
        for call in 0..<8 {
            attempt(&report) { report in
                machine.converters.failures = [machine.converters.failure(after: call, count: 5, noErr)]
                var one = try Encoding()
                for _ in 0..<8 { try one.encode(2048) }
                try one.finish()
                one.check(&report)
            }
        }
    },
    Scenario(
        name: "encoder-lost-input", expectation: "input that the system loses is not valid: gapless numbers count only encoded frames"
    ) { report in
        var lostFrames = 0
        for (call, knows) in (0..<8).flatMap({ [($0, true), ($0, false)] }) {
            attempt(&report) { report in
                machine.converters.knowsTrailingFrames = knows
                machine.converters.failures = [
                    machine.converters.failure(after: call, ConverterStatus.hardwareInUse, takesInput: true, losesInput: true)
                ]
                var one = try Encoding()
                for _ in 0..<8 { _ = errorCount(of: &one) { try $0.encode(2048) } }
                try one.finish()
                let encoded = machine.converters.encodedSamples().count
                lostFrames += 8 * 2048 - encoded
                guard let gapless = one.gapless else { return }
                report.check(gapless.totalFrames == one.units.count * 1024, "\(gapless) with \(one.units.count) packets")
                // If the system does not report the padding, frames up to the end of the last packet may count as valid.
                report.check(gapless.validFrames <= encoded + (knows ? 0 : 1023), "\(gapless), and the system encoded \(encoded) frames")
            }
        }
        report.check(lostFrames > 0, "nothing was lost")
    },
    Scenario(name: "encoder-failed", expectation: "a persistent error is thrown by each call and uses no more memory") { report in
        attempt(&report) { report in
            machine.converters.failures = [machine.converters.failure(after: 0, count: 21, ConverterStatus.noHardwarePermission)]
            var one = try Encoding()
            let errors = (0..<20).reduce(0) { sum, _ in sum + errorCount(of: &one) { try $0.encode(2048) } }
            report.check(errors == 20, "\(errors) errors in 20 calls")
            report.check(errorCount(of: &one) { try $0.finish() } == 1, "the stream ends without an error")
            // Only the first buffer was retained.
            try one.finish()
            report.check(one.gapless?.validFrames == 2048, "\(String(describing: one.gapless))")
        }
    },
]

/// Runs a step on a value and returns the number of errors.
func errorCount<Value>(of value: inout Value, _ body: (inout Value) throws -> Void) -> Int {
    do {
        try body(&value)
        return 0
    } catch {
        return 1
    }
}
#endif
