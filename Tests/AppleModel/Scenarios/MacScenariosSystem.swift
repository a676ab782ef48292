// SPDX-License-Identifier: Apache-2.0

#if MODEL_MACOS
import AppleModel
import AudioDevices
import Darwin
import VirtualTime

/// The machine sleeps.
private func machineSleeps(_ report: inout Report, _ seconds: Double, jumps: Bool) async {
    mac { machine.behaviour.sampleTimeJumpsOnWake = jumps }
    let one = await report.start(CoreAudioCaptureBackend())
    await sleep(0.5)
    let cut = Machine.now
    machine.sleepAndWake(seconds: seconds)
    await sleep(1.5)
    await one.end()
    report.check(one.filledFrames == 0, "\(one.filledFrames) frames filled")
    report.check(one.hasAudio(after: cut + 1), "no audio: \(one.log())")
    report.checkExact(one)
    report.note(one.log(from: cut))
}

/// coreaudiod restarts, so all objects are new.
private func serverRestarts(_ report: inout Report, _ setUp: () -> Void = {}) async {
    mac(setUp)
    let one = await report.start(CoreAudioCaptureBackend())
    for _ in 0..<2 {
        await sleep(0.5)
        let cut = Machine.now
        machine.restartServer()
        await sleep(2)
        report.checkEvent("serverLost", within: 0.5, after: cut, of: one) { $0 == .serverLost }
        report.checkEvent("serverRestored", within: 0.5, after: cut, of: one) { $0 == .serverRestored }
        report.checkEvent("resumed", within: 0.5, after: cut, of: one, isResumed)
        report.note(one.log(from: cut))
    }
    await one.end()
    report.check(!one.has(isDeviceLost), "deviceLost: \(one.log())")
    report.checkExact(one)
}

/// Permission, sleep, and restarts of the sound server.
let macSystemScenarios: [Scenario] = [
    Scenario(name: "mac-denied", expectation: "without permission the start fails") { report in
        mac { machine.permission = .denied }
        let one = Recording(configuration(), CoreAudioCaptureBackend())
        let error = await one.begin()
        report.check(error == .permissionDenied, "\(error?.description ?? "started, and delivers silence")")
        await one.end()
    },
    Scenario(name: "mac-undetermined", expectation: "the user is asked, and grants: audio, no silence before it") { report in
        mac { machine.permission = .undetermined }
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(1)
        await one.end()
        report.check(one.captured.allSatisfy { $0.number > 0 } && one.capturedFrames > 40_000, "\(one.log())")
        report.checkExact(one)
    },
    Scenario(name: "mac-undetermined-no", expectation: "the user is asked, and denies: permissionDenied") { report in
        mac {
            machine.permission = .undetermined
            machine.answer = (false, 3)
        }
        let one = Recording(configuration(), CoreAudioCaptureBackend())
        let error = await one.begin()
        report.check(error == .permissionDenied, "\(error?.description ?? "started")")
        report.check((3...3.5).contains(Machine.now - one.start), "after \(Machine.now - one.start) s")
        await one.end()
    },
    Scenario(name: "mac-undetermined-never", expectation: "the user does not answer: stop ends the start within 0.5 s") { report in
        mac {
            machine.permission = .undetermined
            machine.answer = nil
        }
        let one = Recording(configuration(), CoreAudioCaptureBackend())
        let starting = Task { await one.begin() }
        await sleep(60)
        let cut = Machine.now
        await one.end()
        let error = await starting.value
        report.check(error == .cancelled, "\(error?.description ?? "started")")
        report.check(Machine.now - cut < 0.5, "after \(Machine.now - cut) s")
    },
    Scenario(name: "mac-silent", expectation: "a device that delivers only zeros: silent after 2 s, once") { report in
        mac { machine.edit("BuiltInMicrophoneDevice") { $0.isSilent = true } }
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(6)
        await one.end()
        report.checkEvent("silent", within: 2.2, after: one.start, of: one) { $0 == .silent(for: .seconds(2)) }
        report.check(one.events.count { $0.event == .silent(for: .seconds(2)) } == 1, "\(one.log())")
    },
    Scenario(name: "mac-wake", expectation: "the sample time jumps by an hour, and back: no hour of silence, exact") { report in
        mac()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.5)
        machine.jumpSampleTime(48000 * 3600)
        await sleep(0.8)
        machine.jumpSampleTime(-48000 * 3600 - 1000)
        await sleep(1.5)
        await one.end()
        report.check(one.filledFrames == 0, "\(one.filledFrames) frames filled")
        report.check(one.capturedFrames > 130_000, "only \(one.capturedFrames) frames")
        report.checkExact(one)
    },
    Scenario(name: "mac-sleep", expectation: "the machine sleeps for an hour, sample time with it: no silence, exact") {
        await machineSleeps(&$0, 3600, jumps: true)
    },
    Scenario(name: "mac-sleep-short", expectation: "the machine sleeps for 4 s: no silence, exact") {
        await machineSleeps(&$0, 4, jumps: true)
    },
    Scenario(name: "mac-sleep-without-jump", expectation: "the machine sleeps for an hour, and the sample time does not jump: exact") {
        await machineSleeps(&$0, 3600, jumps: false)
    },
    Scenario(name: "mac-sleep-reconnected", expectation: "a USB device is a new object after sleep: audio within 0.5 s") { report in
        for jumps in [true, false] {
            mac { machine.behaviour.sampleTimeJumpsOnWake = jumps }
            let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "USB-1" })
            await sleep(0.5)
            let cut = Machine.now
            machine.sleepAndWake(seconds: 3600, reconnecting: ["USB-1"])
            await sleep(1.5)
            await one.end()
            report.checkEvent("deviceLost", within: 0.5, after: cut, of: one, isDeviceLost)
            report.checkEvent("resumed", within: 0.5, after: cut, of: one, isResumed)
            report.check(one.filledFrames < 24_000, "\(one.filledFrames) frames filled")
            report.checkExact(one)
        }
    },
    Scenario(name: "mac-server-restart", expectation: "coreaudiod restarts, twice: serverLost, serverRestored and audio within 0.5 s") {
        await serverRestarts(&$0)
    },
    Scenario(name: "mac-server-restart-reversed", expectation: "the same, with the listeners in the other order") {
        await serverRestarts(&$0) { machine.behaviour.listenersAreReversed = true }
    },
    Scenario(name: "mac-server-restart-forgets", expectation: "the same, and the restarted server has no listeners") {
        await serverRestarts(&$0) { machine.behaviour.restartEndsSystemListeners = true }
    },
    Scenario(name: "mac-random", expectation: "random events: no rule is broken, and audio arrives at the end") { report in
        mac()
        var random = RandomNumbers(seed: 88_172_645_463_325_252)
        let one = await report.start(CoreAudioCaptureBackend())
        for _ in 0..<600 {
            switch random.next(8) {
            case 0: machine.edit("USB-1") { $0.isAlive.toggle() }
            case 1: machine.defaultInput = random.next(2) == 0 ? machine.number(of: "BuiltInMicrophoneDevice") : machine.number(of: "USB-1")
            case 2: machine.edit("BuiltInMicrophoneDevice") { $0.sampleRate = $0.sampleRate == 48000 ? 44100 : 48000 }
            case 3: machine.overload(cycles: Int(random.next(3)))
            case 4: machine.jumpSampleTime(Double(random.next(100_000)) - 50_000)
            case 5: machine.behaviour.listenersAreReversed.toggle()
            case 6 where random.next(4) == 0: machine.restartServer()
            default: machine.edit("USB-1") { $0.inputChannels = Int(random.next(4)) }
            }
            await sleep(Double(random.next(100)) / 1000)
        }
        machine.edit("USB-1") {
            $0.isAlive = true
            $0.inputChannels = 2
        }
        await sleep(3)
        let cut = Machine.now
        await sleep(1)
        report.check(one.hasAudio(after: cut), "no audio at the end: \(one.capture.state)")
        await one.end()
        report.note("\(one.events.count) events, \(one.capturedFrames) frames, \(one.filledFrames) filled")
    },
]
#endif
