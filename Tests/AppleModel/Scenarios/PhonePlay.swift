// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AVFAudio
import AppleModel
import AudioDevices
import AudioPrimitives
import LiveAudio
import VirtualTime

let phonePlayScenarios = playInterruptionScenarios + playRouteScenarios + connectedScenarios + playSessionScenarios

/// Headphones without a microphone.
private let headphones = Machine.Device(9, "Headphones", "Headphones", inputs: 0, outputs: 2, rate: 44100)

/// A loudspeaker with a large latency.
private let speakerFarAway: Machine.Device = {
    var device = Machine.Device(10, "AirPlay", "AirPlay", inputs: 0, outputs: 2, rate: 48000)
    device.latency = 4800
    return device
}()

/// Interruptions and system services.
private let playInterruptionScenarios: [Scenario] = [
    Scenario(name: "phone-play-interrupted", expectation: "a call, after which the system advises resuming: each frame once") { report in
        phone()
        let one = Playing()
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(0.2)
        report.check(one.player.isInterrupted && !one.player.isPaused, "not interrupted, or paused")
        await sleep(20)
        machine.endInterruption(shouldResume: true)
        await sleep(0.2)
        report.check(!one.player.isInterrupted, "still interrupted")
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 2...2)
    },
    Scenario(name: "phone-play-not-resumed", expectation: "the system advises against resuming: paused until the user resumes") { report in
        phone()
        let one = Playing()
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(1)
        machine.endInterruption(shouldResume: false)
        await sleep(1)
        report.check(one.player.isPaused && !one.player.isInterrupted, "not paused, or interrupted")
        report.check(heardRuns().count == 1, heardText())
        one.player.isPaused = false
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 2...2)
    },
    Scenario(name: "phone-play-never-ended", expectation: "no end is posted: paused when the app becomes active, and the user can resume") {
        report in
        phone()
        let one = Playing()
        await sleep(0.5)
        machine.session.isInBackground = true
        machine.beginInterruption()
        await sleep(1)
        machine.endInterruption(shouldResume: true, notifies: false)
        machine.enterForeground()
        await sleep(1.2)
        report.check(one.player.isPaused && !one.player.isInterrupted, "not paused, or interrupted")
        one.player.isPaused = false
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 2...2)
    },
    Scenario(
        name: "phone-play-advised-late", expectation: "the app becomes active, then the system advises resuming: playback resumes"
    ) { report in
        phone()
        let one = Playing()
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(1)
        machine.enterForeground()
        await sleep(0.5)
        machine.endInterruption(shouldResume: true)
        await sleep(0.2)
        report.check(!one.player.isPaused && !one.player.isInterrupted, "paused, or interrupted")
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 2...2)
    },
    Scenario(name: "phone-play-in-call", expectation: "the user tries to resume during a call: interrupted until it ends") { report in
        phone()
        let one = Playing()
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(0.5)
        one.player.pause()
        await sleep(0.5)
        one.player.isPaused = false
        await sleep(5)
        report.check(one.player.isInterrupted, "not interrupted")
        machine.endInterruption(shouldResume: true)
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 2...2)
    },
    Scenario(name: "phone-play-paused-in-call", expectation: "a pause during a call lasts when the call ends") { report in
        phone()
        let one = Playing()
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(0.5)
        one.player.pause()
        await sleep(0.5)
        machine.endInterruption(shouldResume: true)
        await sleep(1)
        report.check(one.player.isPaused && heardRuns().count == 1, heardText())
        one.player.isPaused = false
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 2...2)
    },
    Scenario(name: "phone-play-paused-on-return", expectation: "a pause during a call lasts when the app becomes active and the call ends")
    {
        report in
        phone()
        let one = Playing()
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(0.5)
        one.player.pause()
        machine.enterForeground()
        await sleep(0.2)
        machine.endInterruption(shouldResume: true)
        await sleep(1)
        report.check(one.player.isPaused && heardRuns().count == 1, heardText())
        one.player.stop()
        await one.wait()
    },
    Scenario(name: "phone-play-services-reset", expectation: "the media services restart after 5 s: playback resumes, each frame once") {
        report in
        phone()
        let one = Playing()
        await sleep(0.5)
        machine.killMediaServices()
        await sleep(5)
        report.check(one.player.isInterrupted, "not interrupted")
        machine.restartMediaServices()
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 2...2)
    },
]

/// Headphones are unplugged, and playback pauses.
private let playRouteScenarios: [Scenario] = [
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
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 2...3)
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
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 2...2)
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
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 1...2)
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
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 2...2)
    },
    Scenario(name: "phone-play-microphone-pulled", expectation: "a microphone without an output is unplugged: playback continues") {
        report in
        phone { machine.devices.append(.init(11, "Lavalier", "Lavalier", inputs: 1, outputs: 0, rate: 48000)) }
        let one = Playing()
        await sleep(0.5)
        machine.disconnect("Lavalier")
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000)
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
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 2...2)
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
        await one.wait()
        report.checkEnded(one)
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
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000)
    },
]

/// Headphones with another sample rate connect, and RemoteIO continues or stops.
private let connectedScenarios: [Scenario] = [false, true].map { stops in
    Scenario(
        name: "phone-play-connected\(stops ? "-stops" : "")",
        expectation: "headphones with another sample rate connect: playback continues there, each frame once"
    ) { report in
        phone { machine.behaviour.remoteIOStopsOnRateChange = stops }
        let one = Playing()
        await sleep(0.5)
        machine.connect(headphones)
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 2...3)
        report.check(heardRuns().last?.device == "Headphones", heardText())
        report.check((heardRuns().last?.time ?? 0) - (heardRuns().first?.time ?? 0) < 0.7, heardText())
        report.check(!one.player.isPaused, "paused")
    }
}

/// The session of a program that records and plays.
private let playSessionScenarios: [Scenario] = [
    Scenario(name: "phone-play-category", expectation: "a program that only plays has the category playback") { report in
        phone()
        let one = Playing()
        await sleep(0.2)
        report.check(AVAudioSession.sharedInstance().category == .playback, "\(AVAudioSession.sharedInstance().category)")
        await one.wait()
        report.checkEnded(one)
        report.check(machine.session.deactivations == 1, "\(machine.session.deactivations) deactivations")
    },
    Scenario(
        name: "phone-play-two-formats", expectation: "files with two sample rates in the background: the session stays active between them"
    ) {
        report in
        phone()
        let one = Playing([24000])
        one.player.enqueue(NumberedSource(from: 24001, count: 22050, rate: 44100))
        await sleep(0.2)
        machine.session.isInBackground = true
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(46050, runs: 2...2)
        report.check(machine.session.deactivations == 1, "\(machine.session.deactivations) deactivations")
    },
    Scenario(name: "phone-play-own-category", expectation: "a category that the app has chosen stays") { report in
        phone()
        try? AVAudioSession.sharedInstance().setCategory(.multiRoute, mode: .default)
        let one = Playing()
        await one.wait()
        report.checkEnded(one)
        report.check(AVAudioSession.sharedInstance().category == .multiRoute, "\(AVAudioSession.sharedInstance().category)")
    },
    Scenario(name: "phone-play-in-recording", expectation: "playback during a recording: both exact, one deactivation at the end") {
        report in
        phone()
        let two = await report.start(CoreAudioCaptureBackend())
        await sleep(0.3)
        let one = Playing()
        await one.wait()
        report.check(AVAudioSession.sharedInstance().category == .playAndRecord, "\(AVAudioSession.sharedInstance().category)")
        await sleep(0.5)
        await two.end()
        report.checkEnded(one)
        report.checkHeard(96000)
        report.checkExact(two)
        report.check(!two.has(isInterrupted), "\(two.log())")
        report.check(machine.session.deactivations == 1, "\(machine.session.deactivations) deactivations")
    },
    Scenario(
        name: "phone-play-around-recording", expectation: "a recording during playback: both exact, then the category is playback again"
    ) { report in
        phone()
        let one = Playing()
        await sleep(0.3)
        let two = await report.start(CoreAudioCaptureBackend())
        await sleep(0.7)
        report.check(AVAudioSession.sharedInstance().category == .playAndRecord, "\(AVAudioSession.sharedInstance().category)")
        await two.end()
        await sleep(0.1)
        report.check(AVAudioSession.sharedInstance().category == .playback, "\(AVAudioSession.sharedInstance().category)")
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000)
        report.checkExact(two)
        report.check(machine.session.deactivations == 1, "\(machine.session.deactivations) deactivations")
    },
    Scenario(name: "phone-play-after-recording", expectation: "a recording ends before playback that began during it: both exact") {
        report in
        phone()
        let two = await report.start(CoreAudioCaptureBackend())
        await sleep(0.3)
        let one = Playing()
        await sleep(0.5)
        await two.end()
        await one.wait()
        report.checkEnded(one)
        report.checkHeard(96000)
        report.checkExact(two)
        report.check(machine.session.deactivations == 1, "\(machine.session.deactivations) deactivations")
    },
    Scenario(name: "phone-play-interrupted-recording", expectation: "a call during both: both resume, each frame once") { report in
        phone()
        let two = await report.start(CoreAudioCaptureBackend())
        let one = Playing()
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(1)
        machine.endInterruption(shouldResume: true)
        await one.wait()
        await two.end()
        report.checkEnded(one)
        report.checkHeard(96000, runs: 2...2)
        report.checkExact(two)
    },
    Scenario(name: "phone-play-app-session", expectation: "a capture leaves the session to the app: so does playback") { report in
        phone()
        machine.session.belongsToProgram = true
        try? AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .default)
        try? AVAudioSession.sharedInstance().setActive(true)
        var options = AudioSessionOptions()
        options.isManaged = false
        let two = await report.start(CoreAudioCaptureBackend(session: options))
        let one = Playing()
        await one.wait()
        await two.end()
        report.checkEnded(one)
        report.checkHeard(96000)
        report.check(machine.session.activations == 1 && machine.session.deactivations == 0, "the session was activated or deactivated")
    },
]
#endif
