// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AppleModel
import AudioDevices
import LiveAudio
import VirtualTime

/// Headphones without a microphone.
private let headphones = Machine.Device(9, "Headphones", "Headphones", inputs: 0, outputs: 2, rate: 44100)

/// A loudspeaker with a large latency.
private let speakerFarAway: Machine.Device = {
    var device = Machine.Device(10, "AirPlay", "AirPlay", inputs: 0, outputs: 2, rate: 48000)
    device.latency = 4800
    return device
}()

/// Headphones are unplugged, and playback pauses.
let playRouteScenarios: [Scenario] = [
    Scenario(
        name: "phone-play-pulled", expectation: "the headphones are unplugged: paused, the loudspeaker is silent until the user resumes"
    ) { report in
        phone { machine.devices.append(headphones) }
        let one = Playing()
        await sleep(0.5)
        machine.disconnect("Headphones")
        await sleep(1)
        report.check(one.player.isPaused, "not paused")
        let loud = heardRuns().filter { $0.device == "Speaker" }.reduce(0) { $0 + $1.count }
        report.check(loud < 4096, "the loudspeaker plays \(loud) frames")
        let before = Machine.now
        one.player.isPaused = false
        await report.checkPlayed(one, 96000, runs: 2...3)
        report.check(heardRuns().contains { $0.device == "Speaker" && $0.time >= before }, heardText())
    },
    Scenario(
        name: "phone-play-pulled-interrupts",
        expectation: "unplugged headphones interrupt the session, without an end: paused, user resumes"
    ) { report in
        phone { machine.devices.append(headphones) }
        let one = Playing()
        await sleep(0.5)
        machine.beginInterruption(reason: 4)
        machine.disconnect("Headphones")
        machine.endInterruption(shouldResume: false, notifies: false)
        await sleep(0.5)
        report.check(one.player.isPaused && !one.player.isInterrupted, "not paused, or interrupted")
        one.player.isPaused = false
        await report.checkPlayed(one, 96000, runs: 2...2)
    },
    Scenario(
        name: "phone-play-latency",
        expectation: "a loudspeaker with the same rate and a latency of 0.1 s connects: waitingFrameCount knows it"
    ) { report in
        phone()
        guard let output = report.openOutput() else { return }
        try? output.writeFrames(1..<24001)
        await sleep(0.1)
        machine.connect(speakerFarAway)
        await sleep(0.001)
        // The backend handles notices in the calls of its player.
        report.check(!output.isPaused, "paused")
        for _ in 0..<6 {
            await sleep(0.0473)
            let heard = heardRuns().reduce(0) { $0 + min($1.count, max(0, Int((Machine.now - $1.time) * 48000))) }
            guard heardRuns().last.map({ $0.device == "AirPlay" && $0.count > 3000 }) ?? false else { continue }
            report.check(abs(output.waitingFrameCount - (24000 - heard)) < 3, "\(output.waitingFrameCount) wait, \(heard) were heard")
        }
        report.check(heardRuns().last?.device == "AirPlay", heardText())
        output.close()
    },
    Scenario(name: "phone-play-named-second", expectation: "a named output is the second of the route: another one connects, it plays on") {
        report in
        phone { machine.session.playsEverywhere = true }
        let one = Playing(device: "Speaker")
        await sleep(0.5)
        machine.connect(speakerFarAway)
        await report.checkPlayed(one, 96000, runs: 1...2)
    },
    Scenario(name: "phone-play-pulled-in-call", expectation: "the headphones are unplugged during a call: paused when it ends") { report in
        phone { machine.devices.append(headphones) }
        let one = Playing()
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(0.5)
        machine.disconnect("Headphones")
        await sleep(0.5)
        machine.endInterruption(shouldResume: true)
        await sleep(0.5)
        report.check(one.player.isPaused && heardRuns().count == 1, heardText())
        one.player.isPaused = false
        await report.checkPlayed(one, 96000, runs: 2...2)
    },
    Scenario(name: "phone-play-microphone-pulled", expectation: "a microphone without an output is unplugged: playback continues") {
        report in
        phone { machine.devices.append(.init(11, "Lavalier", "Lavalier", inputs: 1, outputs: 0, rate: 48000)) }
        let one = Playing()
        await sleep(0.5)
        machine.disconnect("Lavalier")
        await report.checkPlayed(one, 96000)
    },
    Scenario(name: "phone-play-pulled-paused", expectation: "the headphones are unplugged in a pause: the loudspeaker plays on resume") {
        report in
        phone { machine.devices.append(headphones) }
        let one = Playing()
        await sleep(0.5)
        one.player.pause()
        await sleep(0.2)
        machine.disconnect("Headphones")
        await sleep(0.2)
        one.player.isPaused = false
        await report.checkPlayed(one, 96000, runs: 2...2)
        report.check(heardRuns().map(\.device) == ["Headphones", "Speaker"], heardText())
    },
    Scenario(name: "phone-play-more-channels", expectation: "a headset with one channel, then headphones with two: both are played") {
        report in
        phone { machine.devices.append(.init(12, "Headset", "Headset", inputs: 0, outputs: 1, rate: 48000)) }
        // The mean of the two channels is 0.
        let one = Playing()
        await sleep(0.5)
        report.check(heardRuns().isEmpty, "the model is wrong: \(heardText())")
        machine.connect(.init(13, "Headphones", "Headphones", inputs: 0, outputs: 2, rate: 48000))
        await report.checkEnded(one)
        report.check(heardRuns().contains { $0.device == "Headphones" && $0.count > 48000 }, heardText())
    },
    Scenario(name: "phone-play-named-lost", expectation: "a named output is unplugged: deviceNotFound") { report in
        phone { machine.devices.append(headphones) }
        let one = Playing(device: "Headphones")
        await sleep(0.5)
        machine.disconnect("Headphones")
        await one.wait()
        report.check(one.error == .deviceNotFound("Headphones", available: ["Speaker"]), "\(one.error?.description ?? "no error")")
    },
    Scenario(name: "phone-play-locked", expectation: "the screen is locked and unlocked: slices of 4096 frames, no gap") { report in
        phone()
        let one = Playing()
        await sleep(0.5)
        machine.screenIsLocked = true
        await sleep(0.5)
        machine.screenIsLocked = false
        await report.checkPlayed(one, 96000)
    },
]

/// Headphones with another sample rate connect, and RemoteIO continues or stops.
let connectedScenarios: [Scenario] = [false, true].map { stops in
    Scenario(
        name: "phone-play-connected\(stops ? "-stops" : "")",
        expectation: "headphones with another sample rate connect: playback continues there, each frame once"
    ) { report in
        phone { machine.behaviour.remoteIOStopsOnRateChange = stops }
        let one = Playing()
        await sleep(0.5)
        machine.connect(headphones)
        await report.checkPlayed(one, 96000, runs: 2...3)
        report.check(heardRuns().last?.device == "Headphones", heardText())
        report.check((heardRuns().last?.time ?? 0) - (heardRuns().first?.time ?? 0) < 0.7, heardText())
        report.check(!one.player.isPaused, "paused")
    }
}
#endif
