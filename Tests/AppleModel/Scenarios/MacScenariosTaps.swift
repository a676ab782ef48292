// SPDX-License-Identifier: Apache-2.0

#if MODEL_MACOS
import AppleModel
import AudioDevices
import Darwin
import VirtualTime

/// Sets up a Mac with a player and a browser that plays through a helper process.
private func macWithPrograms(_ body: () -> Void = {}) {
    mac()
    // Taps do not use the microphone permission.
    machine.permission = .denied
    machine.programs.list = [
        Program(301, 1001, "com.example.player"), Program(302, 1002, "com.example.browser"),
        Program(303, 1003, "com.example.browser.helper"), Program(304, 1004, ""),
    ]
    machine.programs.list[1].isPlaying = false
    body()
}

private let silent = CaptureEvent.silent(for: .seconds(2))

/// A captured program restarts.
private func programRestarts(_ report: inout Report, away: Double) async {
    macWithPrograms()
    let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "app:com.example.player" })
    await sleep(1)
    let cut = Machine.now
    let player = machine.programs.list.removeFirst()
    await sleep(away)
    let back = Machine.now
    machine.programs.list.append(player)
    machine.programs.list[3].id = 777
    await sleep(2)
    await one.end()
    if away > 0 { report.checkEvent("deviceLost", within: 0.1, after: cut, of: one, isDeviceLost) }
    report.checkEvent("resumed", within: 0.2, after: back, of: one, isResumed)
    report.check(one.captured.filter { $0.arrival > back + 0.5 }.allSatisfy { $0.number > 0 }, "silence after the restart")
    report.check(one.hasAudio(after: back + 1), "\(one.log())")
    report.note(one.log(from: cut))
}

/// Audio of other programs.
let macTapScenarios: [Scenario] = [
    Scenario(name: "mac-tap-system", expectation: "all that the system plays: exact, without the microphone's permission") { report in
        macWithPrograms()
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "system" })
        await sleep(3)
        await one.end()
        report.checkExact(one)
        report.check(one.capturedFrames > 140_000 && one.captured.allSatisfy { $0.channels == 2 && $0.number > 0 }, "\(one.log())")
        report.check(one.capture.format?.device == "system" && one.filledFrames == 0, "\(one.log())")
        report.check(one.events.map(\.event).count == 2, "\(one.log())")
    },
    Scenario(name: "mac-tap-program", expectation: "one program: its audio, and zeros while it does not play") { report in
        macWithPrograms()
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "app:com.example.player" })
        await sleep(1)
        machine.programs.list[0].isPlaying = false
        let paused = Machine.now
        await sleep(3)
        await one.end()
        let (before, after) = (one.captured.filter { $0.arrival < paused }, one.captured.filter { $0.arrival > paused + 0.1 })
        report.check(before.allSatisfy { $0.number > 0 } && after.allSatisfy { $0.number == 0 }, "another program is heard")
        report.check(!one.has { $0 == silent } && !one.has(isInterrupted) && one.filledFrames == 0, "\(one.log())")
        report.check(one.capturedFrames > 180_000, "\(one.log())")
    },
    Scenario(name: "mac-tap-helper", expectation: "a browser is captured through its helper, a program by its number") { report in
        for id in ["app:com.example.browser", "app:1004"] {
            macWithPrograms()
            let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = id })
            await sleep(1)
            await one.end()
            report.check(one.capturedFrames > 40_000 && one.captured.allSatisfy { $0.number > 0 }, "\(id): \(one.log())")
            report.checkExact(one)
        }
    },
    Scenario(name: "mac-tap-devices", expectation: "the input list ends with monitors: the system, and programs that play") { report in
        macWithPrograms()
        let expected = [
            "BuiltInMicrophoneDevice", "USB-1", "system", "app:1004", "app:com.example.browser.helper", "app:com.example.player",
        ]
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "system" })
        do {
            let devices = try CoreAudioCaptureBackend().devices().filter { $0.direction == .input }
            report.check(devices.map(\.id) == expected, "\(devices.map(\.id))")
            report.check(devices.map(\.isMonitor) == [false, false, true, true, true, true], "\(devices)")
        } catch {
            report.check(false, "\(error)")
        }
        await one.end()
    },
    Scenario(name: "mac-tap-unknown", expectation: "a missing program: deviceNotFound with the available inputs") { report in
        macWithPrograms()
        let one = Recording(configuration { $0.device = "app:com.example.none" }, CoreAudioCaptureBackend())
        let error = await one.begin()
        guard case .deviceNotFound("app:com.example.none", let available) = error else {
            return report.check(false, "\(error?.description ?? "started")")
        }
        report.check(available.contains("app:com.example.player") && available.contains("USB-1"), "\(available)")
        await one.end()
    },
    Scenario(name: "mac-tap-restarts", expectation: "the program restarts: captured again within 0.2 s") {
        await programRestarts(&$0, away: 0)
    },
    Scenario(name: "mac-tap-ends", expectation: "the program is away for 5 minutes: captured again within 0.2 s") {
        await programRestarts(&$0, away: 300)
    },
    Scenario(name: "mac-tap-denied", expectation: "without permission all samples are zero: silent after 2 s, once") { report in
        macWithPrograms { machine.programs.isPermitted = false }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "system" })
        await sleep(5)
        await one.end()
        report.checkEvent("silent", within: 2.2, after: one.start, of: one) { $0 == silent }
        report.check(one.events.count { $0.event == silent } == 1, "\(one.log())")
    },
    Scenario(name: "mac-tap-slow", expectation: "one aggregate device needs 0.5 s; another is never ready: timedOut") { report in
        macWithPrograms { machine.programs.aggregateTime = 0.5 }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "system" })
        await sleep(1)
        await one.end()
        report.checkExact(one)
        machine.programs.aggregateTime = 1e6
        let two = Recording(configuration { $0.device = "system" }, CoreAudioCaptureBackend())
        let error = await two.begin()
        report.check(error == .timedOut(.openDevice, .coreAudio), "\(error?.description ?? "started")")
        let three = Recording(configuration { $0.device = "system" }, CoreAudioCaptureBackend())
        let starting = Task { await three.begin() }
        await sleep(0.5)
        await three.end()
        let last = await starting.value
        report.check(last == .cancelled && Machine.now - three.start < 0.7, "\(last?.description ?? "started")")
    },
    Scenario(name: "mac-tap-echo", expectation: "a tap with echo cancellation: without it, with an event") { report in
        macWithPrograms()
        let one = await report.start(CoreAudioCaptureBackend(cancelsEcho: true), configuration { $0.device = "system" })
        await sleep(1)
        await one.end()
        report.check(one.has { if case .echoCancellationUnavailable = $0 { true } else { false } }, "\(one.log())")
        report.checkExact(one)
    },
    Scenario(name: "mac-tap-server-restart", expectation: "coreaudiod restarts: captured again within 0.5 s") { report in
        macWithPrograms()
        for id in ["system", "app:com.example.player"] {
            let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = id })
            await sleep(0.5)
            let cut = Machine.now
            machine.restartServer()
            await sleep(2)
            await one.end()
            report.checkEvent("serverLost", within: 0.5, after: cut, of: one) { $0 == .serverLost }
            report.checkEvent("resumed", within: 0.5, after: cut, of: one, isResumed)
            report.check(!one.has(isDeviceLost), "\(one.log())")
            report.checkExact(one)
        }
    },
    Scenario(name: "mac-tap-rate-changed", expectation: "the rate of a tap changes with the loudspeaker's: formatChanged") { report in
        macWithPrograms()
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "system" })
        await sleep(1)
        let cut = Machine.now
        for device in machine.devices where device.uid.hasPrefix("org.linnet") { machine.edit(device.uid) { $0.sampleRate = 24000 } }
        machine.edit("BuiltInSpeakerDevice") { $0.sampleRate = 24000 }
        await sleep(1)
        await one.end()
        report.checkEvent("formatChanged", within: 0.5, after: cut, of: one, isFormatChanged)
        report.checkExact(one, rate: 24000)
    },
]
#endif
