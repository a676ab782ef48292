// SPDX-License-Identifier: Apache-2.0

#if MODEL_MACOS
import AppleModel
import AudioDevices
import AudioPrimitives
import Darwin
import Dispatch
import VirtualTime

/// Sets up a Mac with a microphone, loudspeakers and a USB interface.
func mac(_ body: () -> Void = {}) {
    machine.devices = [
        .init(51, "BuiltInMicrophoneDevice", "MacBook Pro Microphone", inputs: 1, outputs: 0, rate: 48000),
        .init(52, "BuiltInSpeakerDevice", "MacBook Pro Speakers", inputs: 0, outputs: 2, rate: 48000),
        .init(60, "USB-1", "USB Interface", inputs: 2, outputs: 2, rate: 48000),
    ]
    machine.defaultInput = 51
    machine.defaultOutput = 52
    body()
}

let captureScenarios = macScenarios + macDeviceScenarios + macSystemScenarios + macTapScenarios + macVoiceScenarios + macSourceScenarios

/// Formats, buffers and timing of a device that does not change.
private let macScenarios: [Scenario] = [
    Scenario(name: "mac-plain", expectation: "1.5 s from the default microphone, exact and without allocations in the callback") { report in
        mac()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(1.5)
        await one.end()
        report.checkExact(one)
        report.check(one.capturedFrames > 70_000, "only \(one.capturedFrames) frames")
        report.check(one.hostTimeError() < 0.005, "host times are off by \(one.hostTimeError()) s")
        report.check(one.events.map(\.event) == one.events.map(\.event).filter { !isInterrupted($0) }, "interrupted")
        report.note(one.log())
    },
    Scenario(name: "mac-timebase", expectation: "host times are right with the timebase of Apple silicon, 125/3") { report in
        mac { machineTimebase = (125, 3) }
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.5)
        await one.end()
        report.checkExact(one)
        report.check(one.hostTimeError() < 0.005, "host times are off by \(one.hostTimeError()) s")
    },
    Scenario(name: "mac-drift", expectation: "a clock that is 300 ppm fast: no frame inserted or missing") { report in
        mac { machine.edit("BuiltInMicrophoneDevice") { $0.drift = 300 } }
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(20)
        await one.end()
        report.checkExact(one)
        report.check(one.filledFrames == 0 && !one.has(isDiscontinuity), "\(one.log())")
    },
    Scenario(name: "mac-overload", expectation: "5 lost cycles: one discontinuity of their length, exact thereafter") { report in
        mac()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.6)
        machine.overload(cycles: 5)
        await sleep(1)
        await one.end()
        report.check(one.has { $0 == .discontinuity(frames: 5 * 960) }, "no discontinuity of 4800 frames: \(one.log())")
        report.check(one.filledFrames == 4800, "\(one.filledFrames) frames filled")
        report.checkExact(one)
    },
    Scenario(name: "mac-overload-small", expectation: "a lost cycle of 64 frames: a discontinuity of 64 frames, exact") { report in
        mac()
        let one = await report.start(
            CoreAudioCaptureBackend(), configuration { $0.bufferDuration = .nanoseconds(64 * 1_000_000_000 / 48000) })
        await sleep(0.6)
        machine.overload(cycles: 1)
        await sleep(1)
        await one.end()
        report.check(one.capture.format?.bufferFrames == 64, "\(one.capture.format?.bufferFrames ?? 0) frames in a buffer")
        report.check(one.has { $0 == .discontinuity(frames: 64) }, "no discontinuity of 64 frames: \(one.log())")
        report.checkExact(one)
    },
    Scenario(name: "mac-short-render", expectation: "a render lacks its last 400 frames: a discontinuity of 400 frames, exact") { report in
        mac()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.6)
        machine.shortenRender(by: 400)
        await sleep(1)
        await one.end()
        report.check(one.has { $0 == .discontinuity(frames: 400) }, "no discontinuity of 400 frames: \(one.log())")
        report.checkExact(one)
    },
    Scenario(name: "mac-large-buffer", expectation: "0.5 s of buffer on a device that permits 65 536 frames: audio arrives") { report in
        mac { machine.edit("BuiltInMicrophoneDevice") { $0.bufferRange = 16...65536 } }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.bufferDuration = .milliseconds(500) })
        await sleep(2.9)
        await one.end()
        report.check(one.capturedFrames > 90_000, "only \(one.log())")
        report.check(one.capture.format?.bufferFrames == 24000, "\(one.capture.format?.bufferFrames ?? 0) frames in a buffer")
        report.checkExact(one)
    },
    Scenario(name: "mac-small-buffer", expectation: "a buffer size that the device does not permit: the format reports the actual size") {
        report in
        mac { machine.edit("BuiltInMicrophoneDevice") { $0.bufferRange = 256...1024 } }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.bufferDuration = .milliseconds(1) })
        await sleep(0.4)
        await one.end()
        report.check(one.capture.format?.bufferFrames == 256, "\(one.capture.format?.bufferFrames ?? 0) frames in a buffer")
        report.checkExact(one)
    },
    Scenario(name: "mac-two-captures", expectation: "two captures of a device: both use the smaller buffer") { report in
        mac { machine.edit("BuiltInMicrophoneDevice") { $0.bufferRange = 16...65536 } }
        let small = Recording(configuration { $0.bufferDuration = .milliseconds(5) }, CoreAudioCaptureBackend())
        let large = Recording(configuration { $0.bufferDuration = .milliseconds(500) }, CoreAudioCaptureBackend())
        report.checkStarted(await small.begin())
        report.checkStarted(await large.begin())
        await sleep(1)
        await small.end()
        let single = Machine.now
        await sleep(3)
        await large.end()
        report.checkExact(small)
        report.checkExact(large)
        report.check(large.filledFrames == 0 && large.hasAudio(after: single + 2), "\(large.log())")
    },
    Scenario(name: "mac-channels", expectation: "channels 0 and 1 of a device with one: unsupportedSetting") { report in
        mac()
        let one = Recording(configuration { $0.selectedChannels = [0, 1] }, CoreAudioCaptureBackend())
        let error = await one.begin()
        report.check(error == .unsupportedSetting(.selectedChannels([0, 1])), "\(error?.description ?? "started")")
        await one.end()
    },
    Scenario(name: "mac-second-channel", expectation: "channel 1 of a device with two: only that channel") { report in
        mac()
        let settings = configuration {
            $0.device = "USB-1"
            $0.selectedChannels = [1]
        }
        let one = await report.start(CoreAudioCaptureBackend(), settings)
        await sleep(0.5)
        await one.end()
        // The second channel has negative numbers.
        report.check(one.captured.allSatisfy { $0.channels == 1 && $0.number <= 0 }, "another channel")
        report.check(one.capturedFrames > 20_000, "only \(one.log())")
    },
    Scenario(name: "mac-formats", expectation: "each sample format; 48 kHz if 44.1 kHz is requested") { report in
        mac()
        for format in [SampleFormat.int16, .int24, .int32, .float32] {
            let one = Recording(CaptureConfiguration(sampleRate: 44100, sampleFormat: format), CoreAudioCaptureBackend())
            report.checkStarted(await one.begin())
            await sleep(0.1)
            await one.end()
            report.check(one.capturedFrames > 0, "\(format): nothing arrives")
            report.check(one.captured.allSatisfy { $0.byteCount == $0.frames * format.byteCount }, "\(format): sizes")
            report.check(one.capture.format?.sampleRate == 48000, "\(format): \(one.capture.format?.sampleRate ?? 0) Hz")
        }
    },
    Scenario(name: "mac-repeated", expectation: "10 starts and stops leave nothing") { report in
        mac()
        for _ in 0..<10 {
            let one = await report.start(CoreAudioCaptureBackend())
            await sleep(0.05)
            await one.end()
        }
    },
    Scenario(name: "mac-dropped", expectation: "a backend that is released without a stop stops its unit") { report in
        mac()
        let input = CaptureInput(queueDuration: .seconds(1), wake: DispatchSemaphore(value: 0))
        do {
            let backend = CoreAudioCaptureBackend()
            do {
                try backend.start(configuration(), into: input)
            } catch {
                report.check(false, "\(error)")
            }
            await sleep(0.1)
            report.check(machine.runningUnits == 1, "\(machine.runningUnits) units run")
            _ = backend.kind
        }
        report.check(machine.runningUnits == 0, "the unit goes on, and its callback has a pointer to memory that was freed")
    },
]
#endif
