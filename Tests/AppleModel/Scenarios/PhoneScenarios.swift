// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AVFAudio
import AppleModel
import AudioDevices
import AudioPrimitives
import VirtualTime

/// Sets up an iPhone with its microphone.
func phone(_ body: () -> Void = {}) {
    AVAudioSession.connectToMachine()
    machine.devices = [.init(1, "Built-In Microphone", "iPhone Microphone", inputs: 1, outputs: 0, rate: 48000), speaker]
    body()
}

/// The loudspeaker of the iPhone.
let speaker = Machine.Device(2, "Speaker", "Speaker", inputs: 0, outputs: 2, rate: 48000)

/// A headset that delivers 24 kHz with the Hands-Free Profile.
let airPods = Machine.Device(7, "AirPods-tacl", "AirPods", inputs: 1, outputs: 1, rate: 24000)

let captureScenarios =
    plainPhoneScenarios + lockedScenarios + channelScenarios + overloadScenarios + resampledOverloadScenarios + interruptionScenarios
    + backgroundScenarios + resetScenarios + manyChannelScenarios + bluetoothScenarios + chosenScenarios + routeScenarios + sessionScenarios
    + phoneSourceScenarios

/// Captures without system events.
private let plainPhoneScenarios: [Scenario] = [
    Scenario(name: "phone-plain", expectation: "1 s, exact and without allocations in the callback") { report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(1)
        await one.end()
        report.checkExact(one)
        report.check(one.capturedFrames > 45_000, "only \(one.capturedFrames) frames")
        report.check(one.hostTimeError() < 0.005, "host times are off by \(one.hostTimeError()) s")
        report.note(one.log())
    },
    Scenario(name: "phone-default-backend", expectation: "AudioCapture() of the documentation starts in a fresh app") { report in
        phone()
        let one = await report.start(AutomaticCaptureBackend())
        await sleep(0.2)
        await one.end()
        report.check(one.capturedFrames > 0, "no audio")
    },
    Scenario(name: "phone-devices", expectation: "devices() of a fresh app lists the microphone and the loudspeaker, and activates nothing")
    { report in
        phone()
        let found = (try? CoreAudioCaptureBackend().devices()) ?? []
        report.check(found.map(\.id) == ["Built-In Microphone", "Speaker"], "found \(found.map(\.id))")
        report.check(machine.session.activations == 0, "the session was activated")
    },
    Scenario(name: "phone-no-input", expectation: "without any input: noDevice, and nothing is left") { report in
        phone { machine.devices = [] }
        let one = Recording(configuration(), CoreAudioCaptureBackend())
        report.check(await one.begin() == .noDevice(.coreAudio, .input), "no error, or another one")
    },
    Scenario(name: "phone-44100", expectation: "44.1 kHz of hardware with 48 kHz: frame counts vary, timeline exact") { report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.sampleRate = 44100 })
        await sleep(1)
        await one.end()
        report.checkExact(one, rate: 44100)
        report.check(Set(one.captured.map(\.frames)).count > 1, "the numbers of frames don't vary: the model is wrong")
        report.check(one.capture.format?.sampleRate == 44100, "the format says \(one.capture.format?.sampleRate ?? 0) Hz")
        report.check(one.capture.format?.nativeSampleRate == 48000, "nativeSampleRate is \(one.capture.format?.nativeSampleRate ?? 0)")
    },
    Scenario(name: "phone-formats", expectation: "each sample format is accepted") { report in
        phone()
        for format in [SampleFormat.int16, .int24, .int32, .float32] {
            let one = Recording(CaptureConfiguration(sampleFormat: format), CoreAudioCaptureBackend())
            let error = await one.begin()
            await sleep(0.1)
            await one.end()
            report.check(error == nil && one.capturedFrames > 0, "\(format): \(String(describing: error))")
        }
    },
    Scenario(name: "phone-24-bit-refused", expectation: "a unit that rejects packed 24-bit samples: an error that names the step") {
        report in
        phone { machine.behaviour.takesPackedSamples = false }
        let one = Recording(CaptureConfiguration(sampleFormat: .int24), CoreAudioCaptureBackend())
        report.check(await one.begin() == .failed(.setSampleRate, .coreAudio, code: -10868), "no error, or another one")
    },
    Scenario(name: "phone-channels", expectation: "channels 0 and 1 of a microphone with one: unsupportedSetting") { report in
        phone()
        let one = Recording(configuration { $0.selectedChannels = [0, 1] }, CoreAudioCaptureBackend())
        report.check(await one.begin() == .unsupportedSetting(.selectedChannels([0, 1])), "no error, or another one")
    },
    Scenario(name: "phone-locked-connected", expectation: "a headset with 8 kHz connects while the screen is locked: timeline exact") {
        report in
        phone { machine.screenIsLocked = true }
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.4)
        let connected = Machine.now
        machine.connect(.init(8, "Headset", "Headset", inputs: 1, outputs: 1, rate: 8000))
        await sleep(2.5)
        await one.end()
        report.check(one.hasAudio(after: connected + 1), "no audio: \(one.log())")
        // One frame of the headset is six frames of the capture.
        report.checkExact(one, within: 6)
    },
    Scenario(name: "phone-muted", expectation: "muted for 1 s: silence instead of audio, muted by the program, exact thereafter") {
        report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.5)
        one.capture.isMuted = true
        let muted = Machine.now
        await sleep(1)
        one.capture.isMuted = false
        await sleep(0.5)
        await one.end()
        let silent = one.captured.filter { $0.arrival > muted + 0.05 && $0.arrival < muted + 1 }
        report.check(silent.count > 40 && silent.allSatisfy { $0.number == 0 }, "audible")
        report.check(one.has { $0 == .muted(true, by: .program) } && one.has { $0 == .muted(false, by: .program) }, one.log())
        report.check(one.capturedFrames > 90_000 && one.filledFrames == 0, one.log())
    },
    Scenario(name: "phone-repeated", expectation: "10 starts and stops: nothing is left") { report in
        phone()
        let backend = CoreAudioCaptureBackend()
        for _ in 0..<10 {
            let one = Recording(configuration(), backend)
            report.checkStarted(await one.begin())
            await sleep(0.1)
            await one.end()
            report.check(!machine.session.isActive, "the session is left active")
        }
    },
]

/// Slices of 4096 frames of the hardware, which the unit converts to the capture's sample rate.
private let lockedScenarios: [Scenario] = [48000, 16000, 8000].map { rate in
    Scenario(
        name: "phone-locked\(rate == 48000 ? "" : "-\(rate)")",
        expectation: "the screen is locked, slices of 4096 frames at \(rate) Hz: timeline exact"
    ) { report in
        phone { machine.devices[0].sampleRate = Double(rate) }
        // A slice at 8 kHz lasts longer than the shortest queue.
        let shortest = configuration {
            $0.sampleRate = 48000
            $0.queueDuration = .milliseconds(100)
        }
        let one = await report.start(CoreAudioCaptureBackend(), shortest)
        await sleep(0.4)
        machine.screenIsLocked = true
        await sleep(1)
        await one.end()
        report.check(one.captured.contains { $0.frames >= 4096 }, "no large slice")
        report.checkExact(one)
        report.check(one.filledFrames == 0, "\(one.filledFrames) frames filled")
    }
}

/// Lost cycles with either count of RemoteIO's sample time.
private let overloadScenarios: [Scenario] = [false, true].map { isCounting in
    Scenario(
        name: "phone-overload\(isCounting ? "-hardware-count" : "")",
        expectation: "4 cycles are lost: one discontinuity of their length, timeline exact"
    ) { report in
        phone { machine.behaviour.remoteIOCountsHardwareFrames = isCounting }
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.5)
        machine.overload(cycles: 4)
        await sleep(0.8)
        await one.end()
        report.check(one.has { $0 == .discontinuity(frames: 4096) }, "no discontinuity of 4096 frames: \(one.log())")
        report.checkExact(one)
    }
}

/// More channels than the microphone provides.
let channelScenarios: [Scenario] = [false, true].map { repeats in
    Scenario(
        name: "phone-extra-channel\(repeats ? "-repeated" : "")",
        expectation: "two channels of a microphone with one: two channels, exact, regardless of the second"
    ) { report in
        phone { machine.behaviour.extraChannelsRepeat = repeats }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.channelCount = 2 })
        await sleep(0.5)
        await one.end()
        report.check(one.captured.allSatisfy { $0.channels == 2 && $0.byteCount == $0.frames * 8 }, "the bytes contradict the format")
        report.checkExact(one)
    }
}

private let resampledOverloadScenarios: [Scenario] = [false, true].map { isCounting in
    Scenario(
        name: "phone-overload-44100\(isCounting ? "-hardware-count" : "")",
        expectation: "4 cycles are lost while the unit resamples: a discontinuity, timeline exact to a frame of the buffer"
    ) { report in
        phone { machine.behaviour.remoteIOCountsHardwareFrames = isCounting }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.sampleRate = 44100 })
        await sleep(0.5)
        machine.overload(cycles: 4)
        await sleep(1.5)
        await one.end()
        report.check(one.has(isDiscontinuity), "no discontinuity: \(one.log())")
        report.checkExact(one, rate: 44100, within: isCounting ? 1 : 0)
    }
}
#endif
