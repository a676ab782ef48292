// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AppleModel
import AudioDevices
import VirtualTime

/// Interruptions by calls, an iPad cover, media services resets and the background.
let interruptionScenarios: [Scenario] = [
    Scenario(name: "phone-interrupted", expectation: "a call of 1 s: interrupted, resumed within 0.5 s of its end, gap exact") { report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.6)
        let began = Machine.now
        machine.beginInterruption()
        await sleep(1)
        let ended = Machine.now
        machine.endInterruption(shouldResume: true)
        await sleep(1.5)
        await one.end()
        report.checkEvent("interrupted", within: 0.2, after: began, of: one) { $0 == .interrupted(.requestedByOther) }
        report.checkEvent("interruptionEnded", within: 0.2, after: ended, of: one) { $0 == .interruptionEnded(shouldResume: true) }
        report.checkEvent("resumed", within: 0.5, after: ended, of: one, isResumed)
        report.check(!one.has(isDeviceLost), "a lost device is reported: \(one.log())")
        report.checkExact(one)
        report.check(machine.session.deactivations == 1, "\(machine.session.deactivations) deactivations")
        report.note(one.log(from: began))
    },
    Scenario(name: "phone-long-call", expectation: "a call of 60 s: tried every 2 s, exact, and resumed at its end") { report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(60)
        report.check(machine.session.activations < 45, "\(machine.session.activations) attempts in 60 s")
        let ended = Machine.now
        machine.endInterruption(shouldResume: true)
        await sleep(2)
        await one.end()
        report.checkEvent("resumed", within: 0.5, after: ended, of: one, isResumed)
        report.checkExact(one)
    },
    Scenario(name: "phone-no-resume", expectation: "a call ends without the advice to resume: automatic recovery continues") { report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.4)
        machine.beginInterruption()
        await sleep(0.5)
        let ended = Machine.now
        machine.endInterruption(shouldResume: false)
        await sleep(1.2)
        await one.end()
        report.checkEvent("interruptionEnded", within: 0.2, after: ended, of: one) { $0 == .interruptionEnded(shouldResume: false) }
        report.checkEvent("resumed", within: 0.5, after: ended, of: one, isResumed)
    },
    Scenario(name: "phone-never-ended", expectation: "the end of a call is never posted: capture resumes automatically within 5 s") {
        report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.4)
        machine.beginInterruption()
        await sleep(10)
        let ended = Machine.now
        machine.endInterruption(shouldResume: false, notifies: false)
        await sleep(5)
        report.checkEvent("resumed", within: 5, after: ended, of: one, isResumed)
        await one.end()
        report.checkExact(one)
    },
    Scenario(name: "phone-never-ended-resume", expectation: "the end of a call is never posted: resume() resumes at once") { report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.recovery = .manual })
        await sleep(0.4)
        machine.beginInterruption()
        await sleep(3)
        machine.endInterruption(shouldResume: false, notifies: false)
        await sleep(3)
        report.check(!one.has(isResumed), "resumed by itself")
        let asked = Machine.now
        one.capture.resume()
        await sleep(2)
        report.checkEvent("resumed", within: 0.2, after: asked, of: one, isResumed)
        await one.end()
        report.checkExact(one)
    },
    Scenario(name: "phone-manual", expectation: "manual recovery: nothing until resume(), then audio") { report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.recovery = .manual })
        await sleep(0.4)
        machine.beginInterruption()
        await sleep(0.4)
        machine.endInterruption(shouldResume: true)
        await sleep(3)
        report.check(!one.has(isResumed), "resumed by itself")
        report.check(one.has { $0 == .interruptionEnded(shouldResume: true) }, "the advice to resume is not reported")
        one.capture.resume()
        await sleep(2)
        report.check(one.has(isResumed), "not resumed")
        await one.end()
        report.checkExact(one)
    },
    Scenario(name: "phone-cover", expectation: "the cover of an iPad mutes the microphone: muted by the system, unmuted, exact") { report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.4)
        let began = Machine.now
        machine.beginInterruption(reason: 2)
        await sleep(2)
        let ended = Machine.now
        machine.endInterruption(shouldResume: true)
        await sleep(2)
        await one.end()
        report.checkEvent("muted", within: 0.2, after: began, of: one) { $0 == .muted(true, by: .system) }
        report.checkEvent("unmuted", within: 0.5, after: ended, of: one) { $0 == .muted(false, by: .system) }
        report.checkEvent("resumed", within: 0.5, after: ended, of: one, isResumed)
        report.checkExact(one)
    },
    Scenario(name: "phone-slow-activation", expectation: "stop() while the activation takes 3 s: ends soon after it and leaves nothing") {
        report in
        phone { machine.session.activationTime = 3 }
        let one = Recording(configuration(), CoreAudioCaptureBackend())
        async let begun = one.begin()
        await sleep(0.2)
        await one.capture.stop()
        report.check(Machine.now - one.start < 3.2, "stop took \(Machine.now - one.start) s")
        report.check(await begun == .cancelled, "the start did not end as cancelled")
        report.check(machine.runningUnits == 0 && !machine.session.isActive, "left running")
    },
    Scenario(name: "phone-stop-during-call", expectation: "stop() during a call: ends at once, the gap lasts until then") { report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(2)
        let asked = Machine.now
        await one.capture.stop()
        report.check(Machine.now - asked < 0.1, "stop took \(Machine.now - asked) s")
        await sleep(0.1)
        report.check(abs(one.capturedFrames + one.filledFrames - 120_000) < 2400, one.log())
    },
]

/// The media services restart, and the session's properties have their former values or not.
let resetScenarios: [Scenario] = [false, true].map { keeps in
    Scenario(
        name: "phone-services-reset\(keeps ? "-stale" : "")",
        expectation: "media services die and return: serverLost at once, serverRestored, audio in buffers of the same size"
    ) { report in
        phone { machine.behaviour.sessionKeepsProperties = keeps }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.bufferDuration = .milliseconds(40) })
        await sleep(0.5)
        let lost = Machine.now
        machine.killMediaServices()
        await sleep(3)
        let reset = Machine.now
        machine.restartMediaServices()
        await sleep(2)
        await one.end()
        report.checkEvent("serverLost", within: 0.2, after: lost, of: one) { $0 == .serverLost }
        report.checkEvent("serverRestored", within: 0.5, after: reset, of: one) { $0 == .serverRestored }
        report.check(one.capture.format?.bufferFrames == 2048, "\(one.capture.format?.bufferFrames ?? 0) frames in a buffer")
        report.checkExact(one)
        report.note(one.log(from: lost))
    }
}

/// The background, and two captures in one app.
let backgroundScenarios: [Scenario] = [
    Scenario(name: "phone-background", expectation: "after a call in the background it records again, without a deactivation") { report in
        phone()
        let one = await report.start(AutomaticCaptureBackend())
        await sleep(0.4)
        machine.session.isInBackground = true
        machine.beginInterruption()
        await sleep(0.3)
        let ended = Machine.now
        machine.endInterruption(shouldResume: true)
        await sleep(2)
        report.check(machine.session.deactivations == 0, "the session was deactivated while capture goes on")
        report.checkEvent("resumed", within: 0.5, after: ended, of: one, isResumed)
        await one.end()
        report.checkExact(one)
    },
    Scenario(name: "phone-background-refused", expectation: "if the background forbids it, recording resumes at once in the foreground") {
        report in
        phone { machine.behaviour.recordsAgainInBackground = false }
        let one = await report.start(AutomaticCaptureBackend())
        await sleep(0.4)
        machine.session.isInBackground = true
        machine.beginInterruption()
        await sleep(0.3)
        machine.endInterruption(shouldResume: true)
        await sleep(20)
        report.check(!one.has(isResumed), "the model is wrong: resumed in the background")
        let opened = Machine.now
        machine.enterForeground()
        await sleep(2)
        report.checkEvent("resumed", within: 0.2, after: opened, of: one, isResumed)
        await one.end()
        report.checkExact(one)
    },
    Scenario(name: "phone-other-audio", expectation: "two captures in one app: stopping one does not stop the other") { report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend())
        let two = await report.start(CoreAudioCaptureBackend())
        await sleep(0.4)
        let ended = Machine.now
        await two.end()
        await sleep(0.5)
        report.check(one.hasAudio(after: ended + 0.2), "the other capture has stopped too")
        report.check(machine.session.deactivations == 0, "the session was deactivated")
        await one.end()
        report.checkExact(one)
    },
    Scenario(
        name: "phone-other-reset", expectation: "two captures in one app keep their buffer duration after a reset of media services"
    ) { report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.bufferDuration = .milliseconds(40) })
        let two = await report.start(CoreAudioCaptureBackend(), configuration { $0.bufferDuration = .milliseconds(40) })
        await sleep(0.5)
        machine.killMediaServices()
        await sleep(0.5)
        machine.restartMediaServices()
        await sleep(2)
        for capture in [one, two] {
            await capture.end()
            let frameCount = capture.capture.format?.bufferFrames
            report.check(frameCount == 2048, "\(frameCount ?? 0) frames in a buffer")
            report.checkExact(capture)
        }
    },
    Scenario(name: "phone-random", expectation: "60 random events: no rule is broken, audio at the end, exact") { report in
        phone()
        var random = RandomNumbers(seed: 362_436_069)
        let one = await report.start(CoreAudioCaptureBackend())
        var isConnected = false
        var isInterrupted = false
        for _ in 0..<60 {
            switch random.next(5) {
            case 0:
                if isConnected { machine.disconnect("AirPods-tacl") } else { machine.connect(airPods) }
                isConnected.toggle()
            case 1:
                if isInterrupted {
                    machine.endInterruption(shouldResume: random.next(2) == 0, notifies: random.next(3) > 0)
                } else {
                    machine.beginInterruption()
                }
                isInterrupted.toggle()
            case 2: machine.overload(cycles: Int(random.next(3)))
            case 3: machine.screenIsLocked.toggle()
            default:
                machine.killMediaServices()
                machine.restartMediaServices()
                isInterrupted = false
            }
            await sleep(Double(random.next(200)) / 1000)
        }
        if isInterrupted { machine.endInterruption(shouldResume: true, notifies: false) }
        await sleep(5)
        let last = Machine.now
        await sleep(1)
        report.check(one.hasAudio(after: last), "no audio at the end: \(one.capture.state)")
        await one.end()
        report.note(one.log())
    },
]
#endif
