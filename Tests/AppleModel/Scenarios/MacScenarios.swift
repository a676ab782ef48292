// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if MODEL_MACOS
import AppleModel
import AudioDevices
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

let captureScenarios: [Scenario] = [
    Scenario(name: "mac-plain", expectation: "1.5 s from the default microphone, exact and without allocations in the callback") { report in
        mac()
        let one = Recording(configuration(), CoreAudioCaptureBackend())
        report.checkStarted(await one.begin())
        await sleep(1.5)
        await one.end()
        report.checkExact(one)
        report.check(one.capturedFrames > 70_000, "only \(one.capturedFrames) frames")
        report.check(one.hostTimeError() < 0.005, "host times are off by \(one.hostTimeError()) s")
        report.note(one.log())
    }
]
#endif
