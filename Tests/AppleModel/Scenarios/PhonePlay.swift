// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AVFAudio
import AppleModel
import AudioDevices
import AudioPrimitives
import LiveAudio
import VirtualTime

let phonePlayScenarios = playInterruptionScenarios + playRouteScenarios + connectedScenarios + playSessionScenarios

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
        await report.checkPlayed(one, 96000, runs: 2...2)
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
        await report.checkPlayed(one, 96000, runs: 2...2)
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
        await report.checkPlayed(one, 96000, runs: 2...2)
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
        await report.checkPlayed(one, 96000, runs: 2...2)
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
        await report.checkPlayed(one, 96000, runs: 2...2)
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
        await report.checkPlayed(one, 96000, runs: 2...2)
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
        await report.checkPlayed(one, 96000, runs: 2...2)
    },
]

/// The session of a program that records and plays.
private let playSessionScenarios: [Scenario] = [
    Scenario(name: "phone-play-category", expectation: "a program that only plays has the category playback") { report in
        phone()
        let one = Playing()
        await sleep(0.2)
        report.check(AVAudioSession.sharedInstance().category == .playback, "\(AVAudioSession.sharedInstance().category)")
        await report.checkEnded(one)
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
        await report.checkPlayed(one, 46050, runs: 2...2)
        report.check(machine.session.deactivations == 1, "\(machine.session.deactivations) deactivations")
    },
    Scenario(name: "phone-play-own-category", expectation: "a category that the app has chosen stays") { report in
        phone()
        try? AVAudioSession.sharedInstance().setCategory(.multiRoute, mode: .default)
        let one = Playing()
        await report.checkEnded(one)
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
        await report.checkEnded(one)
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
        await report.checkPlayed(one, 96000)
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
        await report.checkPlayed(one, 96000)
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
        await report.checkEnded(one)
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
        await report.checkEnded(one)
        report.checkHeard(96000)
        report.check(machine.session.activations == 1 && machine.session.deactivations == 0, "the session was activated or deactivated")
    },
]
#endif
