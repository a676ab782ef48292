// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if MODEL_IOS
import AVFAudio
import AppleModel
import AudioDevices
import VirtualTime

/// Sets up an iPhone with its microphone.
func phone(_ body: () -> Void = {}) {
    AVAudioSession.connectToMachine()
    machine.devices = [.init(1, "Built-In Microphone", "iPhone Microphone", inputs: 1, outputs: 0, rate: 48000)]
    body()
}

let captureScenarios: [Scenario] = [
    Scenario(name: "phone-plain", expectation: "1 s, exact and without allocations in the callback") { report in
        phone()
        let one = Recording(configuration(), CoreAudioCaptureBackend())
        report.checkStarted(await one.begin())
        await sleep(1)
        await one.end()
        report.checkExact(one)
        report.check(one.capturedFrames > 45_000, "only \(one.capturedFrames) frames")
        report.note(one.log())
    }
]
#endif
