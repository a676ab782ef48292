// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AppleModel
import AudioDevices
import VirtualTime

/// A headset with another sample rate connects, and RemoteIO continues or stops.
let bluetoothScenarios: [Scenario] = [false, true].map { stops in
    Scenario(
        name: "phone-bluetooth\(stops ? "-stops" : "")",
        expectation: "AirPods connect with 24 kHz: newDeviceAvailable, the samples' format stays, timeline exact"
    ) { report in
        phone { machine.behaviour.remoteIOStopsOnRateChange = stops }
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.5)
        let connected = Machine.now
        machine.connect(airPods)
        await sleep(2.5)
        report.check(one.capture.format?.device == "AirPods-tacl", "device \(one.capture.format?.device ?? "")")
        report.check(one.capture.format?.nativeSampleRate == 24000, "nativeSampleRate is \(one.capture.format?.nativeSampleRate ?? 0)")
        await one.end()
        report.checkEvent("route change", within: 0.5, after: connected, of: one, isRouteChanged(.newDeviceAvailable))
        report.check(one.hasAudio(after: connected + 1), "no audio: \(one.log())")
        report.check(stops || !one.has(isInterrupted), "interrupted: \(one.log())")
        if stops { report.checkEvent("resumed", within: 0.5, after: connected, of: one, isResumed) }
        // Frames are numbered at the headset's rate, so one headset frame is two capture frames.
        report.checkExact(one, within: 2)
        report.note(one.log(from: connected))
    }
}

/// A chosen input, which the system keeps or discards when another input connects.
let chosenScenarios: [Scenario] = [true, false].map { resets in
    Scenario(
        name: "phone-chosen-kept\(resets ? "" : "-by-system")",
        expectation: "another port connects: capture of the chosen port continues or resumes"
    ) { report in
        phone { machine.behaviour.connectionResetsPreference = resets }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "Built-In Microphone" })
        await sleep(0.5)
        machine.connect(airPods)
        await sleep(2)
        report.check(machine.routeInput()?.uid == "Built-In Microphone", "the route comes from \(machine.routeInput()?.uid ?? "")")
        report.check(one.capture.format?.device == "Built-In Microphone", "the format says \(one.capture.format?.device ?? "")")
        await one.end()
        report.checkExact(one, within: 2)
    }
}

/// Route changes and the choice of an input.
let routeScenarios: [Scenario] = [
    Scenario(
        name: "phone-disconnected", expectation: "AirPods disconnect: oldDeviceUnavailable, capture continues from the microphone, exact"
    ) { report in
        phone { machine.devices.append(airPods) }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.sampleRate = 48000 })
        await sleep(0.5)
        let cut = Machine.now
        machine.disconnect("AirPods-tacl")
        await sleep(2)
        await one.end()
        report.checkEvent("route change", within: 0.5, after: cut, of: one, isRouteChanged(.oldDeviceUnavailable))
        report.check(one.hasAudio(after: cut + 0.5), "no audio: \(one.log())")
        report.checkExact(one, within: 2)
    },
    Scenario(name: "phone-stays", expectation: "staysOnDevice and AirPods disconnect: the built-in microphone is not recorded") {
        report in
        phone { machine.devices.append(airPods) }
        let stays = configuration {
            $0.device = "AirPods-tacl"
            $0.staysOnDevice = true
        }
        let one = await report.start(CoreAudioCaptureBackend(), stays)
        await sleep(0.5)
        let cut = Machine.now
        machine.disconnect("AirPods-tacl")
        await sleep(2)
        report.checkEvent("deviceLost", within: 0.2, after: cut, of: one) { $0 == .deviceLost(device: "AirPods-tacl") }
        report.check(!one.hasAudio(after: cut + 0.05), "another microphone was recorded: \(one.log(from: cut))")
        let back = Machine.now
        machine.connect(airPods)
        await sleep(2)
        report.checkEvent("resumed", within: 1, after: back, of: one, isResumed)
        await one.end()
    },
    Scenario(
        name: "phone-preferred-kept", expectation: "after a capture from a named port, a capture without a device uses the system's choice"
    ) {
        report in
        phone { machine.devices.insert(airPods, at: 0) }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "AirPods-tacl" })
        report.check(one.capture.format?.device == "AirPods-tacl", "captures \(one.capture.format?.device ?? "")")
        await one.end()
        let two = await report.start(CoreAudioCaptureBackend())
        report.check(two.capture.format?.device == "Built-In Microphone", "captures \(two.capture.format?.device ?? "")")
        await two.end()
    },
    Scenario(name: "phone-picked", expectation: "without a device the user's choice in the system's picker is kept") { report in
        phone {
            machine.devices.append(airPods)
            machine.session.pickedInput = "Built-In Microphone"
        }
        let one = await report.start(CoreAudioCaptureBackend())
        report.check(one.capture.format?.device == "Built-In Microphone", "captures \(one.capture.format?.device ?? "")")
        await one.end()
        report.check(machine.session.preferredInput == nil, "a preference was set")
    },
    Scenario(name: "phone-chosen-returns", expectation: "the chosen port disconnects and returns: each route is named") { report in
        phone { machine.devices.append(airPods) }
        let one = await report.start(
            CoreAudioCaptureBackend(),
            configuration {
                $0.device = "AirPods-tacl"
                $0.sampleRate = 48000
            })
        await sleep(0.5)
        machine.disconnect("AirPods-tacl")
        await sleep(1)
        report.check(one.capture.format?.device == "Built-In Microphone", "the format says \(one.capture.format?.device ?? "")")
        machine.connect(airPods)
        await sleep(1)
        report.check(one.capture.format?.device == "AirPods-tacl", "the format says \(one.capture.format?.device ?? "")")
        await one.end()
        report.checkExact(one, within: 2)
    },
    Scenario(name: "phone-chosen-lost-in-call", expectation: "the chosen port disconnects during a call: another one records after it") {
        report in
        phone { machine.devices.append(airPods) }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "AirPods-tacl" })
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(0.5)
        machine.disconnect("AirPods-tacl")
        await sleep(0.5)
        let ended = Machine.now
        machine.endInterruption(shouldResume: true)
        await sleep(2)
        report.checkEvent("resumed", within: 0.2, after: ended, of: one, isResumed)
        report.check(one.capture.format?.device == "Built-In Microphone", "the format says \(one.capture.format?.device ?? "")")
        await one.end()
    },
    Scenario(name: "phone-chosen-late", expectation: "the route uses the chosen port after 0.4 s: the start waits for it") {
        report in
        phone {
            machine.devices.insert(airPods, at: 0)
            machine.session.routeTime = 0.4
        }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "AirPods-tacl" })
        report.check(one.capture.format?.device == "AirPods-tacl", "captures \(one.capture.format?.device ?? "")")
        await sleep(1)
        await one.end()
    },
    Scenario(name: "phone-chosen-vanishes", expectation: "the chosen port vanishes during the start: another one is named, or an error") {
        report in
        phone {
            machine.devices.append(airPods)
            machine.session.activationTime = 1
        }
        let one = Recording(configuration { $0.device = "AirPods-tacl" }, CoreAudioCaptureBackend())
        async let begun = one.begin()
        await sleep(0.5)
        machine.disconnect("AirPods-tacl")
        report.checkStarted(await begun)
        report.check(one.capture.format?.device == "Built-In Microphone", "the format says \(one.capture.format?.device ?? "")")
        await sleep(1)
        await one.end()
        report.check(one.capturedFrames > 40_000, "no audio: \(one.log())")
    },
    Scenario(
        name: "phone-closed-in-route-change",
        expectation: "the media services die while the chosen port is preferred again: no route change of the closed stream is reported"
    ) { report in
        phone { machine.session.preferenceTime = 0.4 }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "Built-In Microphone" })
        await sleep(0.5)
        machine.connect(airPods)
        await sleep(0.1)
        machine.killMediaServices()
        await sleep(1)
        let reset = Machine.now
        machine.restartMediaServices()
        await sleep(2)
        await one.end()
        report.check(!one.has(isRouteChanged(.newDeviceAvailable)), "a route change is reported: \(one.log())")
        report.checkEvent("serverRestored", within: 0.5, after: reset, of: one) { $0 == .serverRestored }
        report.checkExact(one)
    },
    Scenario(name: "phone-connected-during-call", expectation: "AirPods connect during a call: captured after it, with that reason") {
        report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.sampleRate = 48000 })
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(1)
        machine.connect(airPods)
        await sleep(1)
        let ended = Machine.now
        machine.endInterruption(shouldResume: true)
        await sleep(2)
        await one.end()
        report.checkEvent("resumed", within: 0.5, after: ended, of: one, isResumed)
        report.checkEvent("route change", within: 0.5, after: ended, of: one, isRouteChanged(.newDeviceAvailable))
        report.checkExact(one, within: 2)
        report.note(one.log())
    },
    Scenario(name: "phone-unknown", expectation: "a missing port: deviceNotFound with the available ports, and nothing is left") { report in
        phone()
        let one = Recording(configuration { $0.device = "USB" }, CoreAudioCaptureBackend())
        report.check(await one.begin() == .deviceNotFound("USB", available: ["Built-In Microphone"]), "no error, or another one")
    },
    Scenario(name: "phone-changed-during-start", expectation: "AirPods connect while the session is activated: they are captured, exact") {
        report in
        phone { machine.session.activationTime = 1 }
        let one = Recording(configuration { $0.sampleRate = 48000 }, CoreAudioCaptureBackend())
        async let begun = one.begin()
        await sleep(0.5)
        machine.connect(airPods)
        report.checkStarted(await begun)
        await sleep(2)
        report.check(one.capture.format?.device == "AirPods-tacl", "the format says \(one.capture.format?.device ?? "")")
        await one.end()
        report.checkExact(one, within: 2)
    },
]
#endif
