// SPDX-License-Identifier: Apache-2.0

#if MODEL_MACOS
import AppleModel
import AudioDevices
import AudioPrimitives
import LiveAudio
import VirtualTime

let macPlayScenarios = macRateScenarios + macOutputScenarios + macLostScenarios

/// A device changes its sample rate, and the unit continues or stops.
private let macRateScenarios: [Scenario] = [false, true].map { stops in
    Scenario(
        name: "mac-play-rate-changed\(stops ? "-stops" : "")", expectation: "48 to 44.1 kHz and back: goes on in 0.2 s, each frame once"
    ) { report in
        mac { machine.behaviour.outputStopsOnRateChange = stops }
        let one = Playing()
        await sleep(0.5)
        machine.edit("BuiltInSpeakerDevice") { $0.sampleRate = 44100 }
        await sleep(0.5)
        machine.edit("BuiltInSpeakerDevice") { $0.sampleRate = 48000 }
        await report.checkPlayed(one, 96000, runs: 1...3)
        let runs = heardRuns()
        for (run, next) in zip(runs, runs.dropFirst()) {
            report.check(next.time - run.time - Double(run.count) / 48000 < 0.2, "a gap is too long: \(heardText())")
        }
    }
}

/// Output device changes.
private let macOutputScenarios: [Scenario] = [
    Scenario(name: "mac-play-default-changed", expectation: "playback follows the default output in 0.2 s, each frame once") { report in
        mac { machine.edit("USB-1") { $0.latency = 480 } }
        let one = Playing()
        await sleep(0.5)
        machine.defaultOutput = machine.number(of: "USB-1")
        await sleep(0.2)
        let position = one.player.position
        report.check(position > .milliseconds(500) && position < .milliseconds(700), "position \(position)")
        await report.checkPlayed(one, 96000, runs: 2...2)
        report.check(heardRuns().map(\.device) == ["BuiltInSpeakerDevice", "USB-1"], heardText())
        report.check((heardRuns().last?.time ?? 0) - (heardRuns().first?.time ?? 0) < 0.75, heardText())
    },
    Scenario(name: "mac-play-default-changed-paused", expectation: "the default output changes in a pause: playback continues there") {
        report in
        mac()
        let one = Playing()
        await sleep(0.5)
        one.player.pause()
        await sleep(0.5)
        machine.defaultOutput = machine.number(of: "USB-1")
        await sleep(0.5)
        one.player.isPaused = false
        await report.checkPlayed(one, 96000, runs: 2...2)
        report.check(heardRuns().map(\.device) == ["BuiltInSpeakerDevice", "USB-1"], heardText())
    },
    Scenario(name: "mac-play-named", expectation: "a named output plays regardless of the default") { report in
        mac()
        let one = Playing(device: "USB-1")
        await sleep(0.5)
        machine.edit("BuiltInSpeakerDevice") { $0.isAlive = false }
        machine.defaultOutput = machine.number(of: "USB-1")
        await sleep(0.5)
        machine.edit("BuiltInSpeakerDevice") { $0.isAlive = true }
        machine.defaultOutput = machine.number(of: "BuiltInSpeakerDevice")
        await report.checkPlayed(one, 96000)
        report.check(heardRuns().map(\.device) == ["USB-1"], heardText())
    },
    Scenario(name: "mac-play-while-recording", expectation: "a recording begins and ends during playback: both are exact") { report in
        mac()
        let one = Playing()
        await sleep(0.3)
        let two = await report.start(CoreAudioCaptureBackend())
        await sleep(1)
        await two.end()
        await report.checkPlayed(one, 96000)
        report.checkExact(two)
    },
    Scenario(name: "mac-play-devices", expectation: "the outputs are listed, including the default") { report in
        mac { machine.edit("USB-1") { $0.isHidden = true } }
        let found = (try? AudioDevice.outputs()) ?? []
        report.check(found.map(\.id) == ["BuiltInSpeakerDevice"] && found.first?.isDefault == true, "\(found)")
        report.check(found.first?.sampleRate == 48000 && found.first?.channelCount == 2, "\(found)")
    },
]

/// Output devices that disappear.
private let macLostScenarios: [Scenario] = [
    Scenario(
        name: "mac-play-default-lost",
        expectation: "the default output is unplugged: playback continues on the next output, each frame once"
    ) {
        report in
        for isReversed in [false, true] {
            mac {
                machine.behaviour.listenersAreReversed = isReversed
                machine.defaultOutput = 60
            }
            machine.forgetHeard()
            let one = Playing()
            await sleep(0.5)
            machine.edit("USB-1") { $0.isAlive = false }
            await sleep(0.1)
            machine.defaultOutput = machine.number(of: "BuiltInSpeakerDevice")
            await report.checkPlayed(one, 96000, runs: 2...2)
            report.check(heardRuns().map(\.device) == ["USB-1", "BuiltInSpeakerDevice"], heardText())
        }
    },
    Scenario(name: "mac-play-named-lost", expectation: "a named output is unplugged: deviceNotFound, the rest stays in the queue") {
        report in
        mac()
        let one = Playing(device: "USB-1")
        await sleep(0.5)
        let cut = Machine.now
        machine.edit("USB-1") { $0.isAlive = false }
        await one.wait()
        report.check((one.endTime ?? 0) - cut < 0.2, "after \((one.endTime ?? 0) - cut) s")
        report.check(one.error == .deviceNotFound("USB-1", available: ["BuiltInSpeakerDevice"]), "\(one.error?.description ?? "no error")")
        machine.edit("USB-1") { $0.isAlive = true }
        one.play()
        await report.checkEnded(one)
        let runs = heardRuns()
        report.check(runs.count == 2 && runs[1].number <= runs[0].count + 1 && runs[1].number > runs[0].count - 1200, heardText())
        report.check(runs[1].number + runs[1].count == 96001, heardText())
    },
    Scenario(name: "mac-play-lost-at-end", expectation: "a named output is unplugged after everything is written: still an error") {
        report in
        mac()
        let one = Playing([24000], device: "USB-1")
        await sleep(0.3)
        machine.edit("USB-1") { $0.isAlive = false }
        await one.wait()
        report.check(one.error == .deviceNotFound("USB-1", available: ["BuiltInSpeakerDevice"]), "\(one.error?.description ?? "no error")")
    },
    Scenario(name: "mac-play-no-output", expectation: "without any output: noDevice, at once, or 2 s after the last output was lost") {
        report in
        mac { machine.devices.removeAll { $0.uid == "USB-1" } }
        let one = Playing()
        await sleep(0.5)
        let cut = Machine.now
        machine.edit("BuiltInSpeakerDevice") { $0.isAlive = false }
        await one.wait()
        report.check(one.error == .noDevice(.coreAudio, .output), "\(one.error?.description ?? "no error")")
        report.check(abs((one.endTime ?? 0) - cut - 2.1) < 0.2, "after \((one.endTime ?? 0) - cut) s")
        let two = Playing()
        await two.wait(0.1)
        report.check(two.error == .noDevice(.coreAudio, .output), "\(two.error?.description ?? "no error")")
    },
    Scenario(name: "mac-play-unknown", expectation: "a missing output: deviceNotFound with the available outputs") { report in
        mac()
        let one = Playing(device: "BuiltInMicrophoneDevice")
        await one.wait(0.1)
        let wanted = DeviceError.deviceNotFound("BuiltInMicrophoneDevice", available: ["BuiltInSpeakerDevice", "USB-1"])
        report.check(one.error == wanted, "\(one.error?.description ?? "no error")")
    },
    Scenario(
        name: "mac-play-server-restart", expectation: "coreaudiod restarts: playback continues, each frame once; also if a start fails"
    ) { report in
        mac()
        let one = Playing(device: "USB-1")
        await sleep(0.5)
        machine.failingStarts = 3
        machine.restartServer()
        await report.checkPlayed(one, 96000, runs: 2...2)
    },
]
#endif
