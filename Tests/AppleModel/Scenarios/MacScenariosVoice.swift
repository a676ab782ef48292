// SPDX-License-Identifier: Apache-2.0

#if MODEL_MACOS
import AppleModel
import AudioDevices
import AudioPrimitives
import Darwin
import VirtualTime

/// Voice processing fails, so the unprocessed microphone is captured.
private func voiceProcessingFails(_ report: inout Report, code: Int32, step: DeviceStep = .applySettings, _ setUp: () -> Void) async {
    mac(setUp)
    let one = await report.start(CoreAudioCaptureBackend(cancelsEcho: true))
    await sleep(0.5)
    await one.endVoice()
    report.check(one.has { $0 == .echoCancellationUnavailable(.failed(step, .coreAudio, code: code)) }, "no event: \(one.log())")
    report.check(one.capturedFrames > 20_000, "only \(one.log())")
    report.checkExact(one)
}

private func isUnavailable(_ event: CaptureEvent) -> Bool { if case .echoCancellationUnavailable = event { true } else { false } }

extension Recording {
    /// Stops the capture and waits until no unit is retained.
    fileprivate func endVoice() async {
        await end()
        await sleep(11)
    }
}

/// The system's echo cancellation.
let macVoiceScenarios: [Scenario] = [
    Scenario(name: "mac-echo", expectation: "microphone and loudspeakers are two devices: one channel, exact") { report in
        mac()
        let one = await report.start(CoreAudioCaptureBackend(cancelsEcho: true))
        await sleep(0.5)
        await one.endVoice()
        report.check(one.capture.format?.pcm.channelCount == 1, "\(one.capture.format?.pcm.channelCount ?? 0) channels")
        report.check(!one.has(isUnavailable) && one.capturedFrames > 20_000, "\(one.log())")
        report.checkExact(one)
    },
    Scenario(name: "mac-echo-channels", expectation: "voice processing whose input reports 9 channels: one channel") { report in
        mac {
            machine.defaultInput = 60
            machine.edit("USB-1") { $0.voiceChannels = 9 }
        }
        let one = await report.start(CoreAudioCaptureBackend(cancelsEcho: true), configuration { $0.channelCount = 2 })
        await sleep(0.3)
        await one.endVoice()
        report.check(one.capture.format?.pcm.channelCount == 1, "\(one.capture.format?.pcm.channelCount ?? 0) channels")
        report.checkExact(one)
    },
    Scenario(name: "mac-echo-two-clocks", expectation: "voice processing cannot join the two devices: plain, with an event") { report in
        await voiceProcessingFails(&report, code: -10875) { machine.behaviour.voiceProcessingJoinsDevices = false }
    },
    Scenario(name: "mac-echo-one-device", expectation: "voice processing uses one device for both sides if it cannot join two") { report in
        mac {
            machine.behaviour.voiceProcessingJoinsDevices = false
            machine.defaultInput = 60
            machine.defaultOutput = 60
        }
        let one = await report.start(CoreAudioCaptureBackend(cancelsEcho: true))
        await sleep(0.3)
        await one.endVoice()
        report.check(!one.has(isUnavailable), "\(one.log())")
        report.checkExact(one)
    },
    Scenario(name: "mac-echo-one-element", expectation: "voice processing has one element for devices: plain, with an event") { report in
        await voiceProcessingFails(&report, code: -10877, step: .openDevice) { machine.behaviour.voiceProcessingHasElements = false }
    },
    Scenario(name: "mac-echo-fails", expectation: "voice processing fails with −10875: plain, with an event") { report in
        await voiceProcessingFails(&report, code: -10875) { machine.behaviour.voiceProcessingFails = -10875 }
    },
    Scenario(name: "mac-echo-fails-channels", expectation: "voice processing fails with −66784: plain, with an event") { report in
        await voiceProcessingFails(&report, code: -66784) { machine.behaviour.voiceProcessingFails = -66784 }
    },
    Scenario(name: "mac-echo-output-changed", expectation: "the default output changes: voice processing follows within 0.5 s") { report in
        mac { machine.voiceProcessingTime = 3 }
        let one = await report.start(CoreAudioCaptureBackend(cancelsEcho: true))
        await sleep(0.5)
        let cut = Machine.now
        machine.defaultOutput = 60
        await sleep(1)
        await one.endVoice()
        report.checkEvent("resumed", within: 0.5, after: cut, of: one, isResumed)
        report.checkExact(one)
    },
    Scenario(name: "mac-echo-rate-changed", expectation: "voice processing changes the device's rate: capture continues, exact") { report in
        mac()
        let one = await report.start(CoreAudioCaptureBackend(cancelsEcho: true))
        await sleep(0.5)
        machine.edit("BuiltInMicrophoneDevice") { $0.sampleRate = 24000 }
        await sleep(1)
        await one.endVoice()
        report.check(!one.has(isInterrupted) && one.capturedFrames > 60_000, "\(one.log())")
        report.checkExact(one, within: 1)
    },
    Scenario(name: "mac-echo-slow", expectation: "stop() while a unit needs 3 s to be created: cancelled") { report in
        mac { machine.voiceProcessingTime = 3 }
        let one = Recording(configuration(), CoreAudioCaptureBackend(cancelsEcho: true))
        let starting = Task { await one.begin() }
        await sleep(1)
        await one.end()
        let error = await starting.value
        report.check(error == .cancelled, "\(error?.description ?? "started")")
        report.check(Machine.now - one.start < 3.2, "after \(Machine.now - one.start) s")
    },
    Scenario(name: "mac-echo-again", expectation: "a second start within 10 s of the stop takes no time, one after it 3 s") { report in
        mac { machine.voiceProcessingTime = 3 }
        for (pause, longest) in [(0.0, 3.1), (8, 0.1), (11, 3.1)] {
            await sleep(pause)
            let one = await report.start(CoreAudioCaptureBackend(cancelsEcho: true))
            let time = Machine.now - one.start
            report.check(time <= longest && time > longest - 0.2, "\(time) s")
            await sleep(0.3)
            await one.end()
            report.check(!machine.isQuiet, "other sound stays low")
            report.check(one.capturedFrames > 10_000 && !one.has(isUnavailable), "\(one.log())")
            report.checkExact(one)
        }
        await sleep(11)
    },
    Scenario(name: "mac-echo-server-restart", expectation: "coreaudiod restarts, also with a cached unit: voice processing resumes") {
        report in
        mac()
        for _ in 0..<2 {
            let one = await report.start(CoreAudioCaptureBackend(cancelsEcho: true))
            await sleep(0.5)
            let cut = Machine.now
            machine.restartServer()
            await sleep(1)
            report.checkEvent("resumed", within: 0.5, after: cut, of: one, isResumed)
            await one.end()
            report.check(!one.has(isUnavailable), "\(one.log())")
            report.checkExact(one)
            machine.restartServer()
        }
        await sleep(11)
    },
    Scenario(name: "mac-echo-server-ends", expectation: "stop() just after coreaudiod restarts: the unit isn't cached") {
        report in
        mac()
        let one = await report.start(CoreAudioCaptureBackend(cancelsEcho: true))
        await sleep(0.5)
        machine.restartServer()
        await one.end()
        report.check(machine.voiceUnits == 0, "\(machine.voiceUnits) units are left")
    },
    Scenario(name: "mac-echo-two", expectation: "two captures with voice processing: both exact, one unit is cached") { report in
        mac()
        let one = Recording(configuration(), CoreAudioCaptureBackend(cancelsEcho: true))
        let two = Recording(configuration(), CoreAudioCaptureBackend(cancelsEcho: true))
        report.checkStarted(await one.begin())
        report.checkStarted(await two.begin())
        await sleep(0.5)
        await one.end()
        await two.endVoice()
        report.checkExact(one)
        report.checkExact(two)
    },
]
#endif
