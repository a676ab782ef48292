// SPDX-License-Identifier: Apache-2.0

#if MODEL_MACOS
import AppleModel
import AudioDevices
import Darwin
import VirtualTime

/// The chosen device is unplugged for a second and returns with a new number.
private func deviceReturns(_ report: inout Report, _ setUp: () -> Void = {}) async {
    mac(setUp)
    let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "USB-1" })
    await sleep(0.6)
    let cut = Machine.now
    machine.edit("USB-1") { $0.isAlive = false }
    await sleep(1)
    machine.edit("USB-1") {
        $0.isAlive = true
        $0.id = 77
    }
    let back = Machine.now
    await sleep(3)
    await one.end()
    report.checkEvent("deviceLost", within: 0.1, after: cut, of: one, isDeviceLost)
    report.checkEvent("resumed", within: 0.2, after: back, of: one, isResumed)
    report.check(!one.has { if case .stalled = $0 { true } else { false } }, "stalled")
    report.checkExact(one)
    report.note(one.log(from: cut))
}

/// The default device is unplugged and another device replaces it.
private func defaultIsUnplugged(_ report: inout Report, _ setUp: () -> Void = {}) async {
    mac {
        machine.defaultInput = 60
        setUp()
    }
    let one = await report.start(CoreAudioCaptureBackend())
    await sleep(0.8)
    let cut = Machine.now
    machine.edit("USB-1") { $0.isAlive = false }
    machine.defaultInput = 51
    await sleep(4)
    await one.end()
    report.checkEvent("deviceLost", within: 0.5, after: cut, of: one, isDeviceLost)
    report.checkEvent("routeChanged(oldDeviceUnavailable)", within: 0.5, after: cut, of: one, isRouteChanged(.oldDeviceUnavailable))
    report.checkEvent("resumed", within: 0.5, after: cut, of: one, isResumed)
    report.check(!one.has(isRouteChanged(.override)), "another reason: \(one.log())")
    // Numbers follow the machine's time, so they are comparable across devices.
    report.checkExact(one)
    report.note(one.log(from: cut))
}

/// Another program changes the default device.
private func defaultIsChanged(_ report: inout Report, _ setUp: () -> Void = {}) async {
    mac(setUp)
    let one = await report.start(CoreAudioCaptureBackend())
    await sleep(0.5)
    let cut = Machine.now
    machine.defaultInput = 60
    await sleep(3)
    await one.end()
    report.check(one.capture.format?.device == "USB-1", "still captures \(one.capture.format?.device ?? "-")")
    let reason = isRouteChanged(.routeConfigurationChange)
    report.checkEvent("routeChanged(routeConfigurationChange)", within: 0.5, after: cut, of: one, reason)
    report.checkEvent("resumed", within: 0.5, after: cut, of: one, isResumed)
    report.check(!one.has(isDeviceLost), "deviceLost: \(one.log())")
    report.checkExact(one)
    report.note(one.log(from: cut))
}

/// Another program changes the sample rate.
private func rateIsChanged(_ report: inout Report, _ setUp: () -> Void = {}) async {
    mac(setUp)
    let one = await report.start(CoreAudioCaptureBackend())
    await sleep(0.5)
    let cut = Machine.now
    machine.edit("BuiltInMicrophoneDevice") { $0.sampleRate = 44100 }
    await sleep(4)
    await one.end()
    report.checkEvent("formatChanged", within: 0.5, after: cut, of: one, isFormatChanged)
    report.checkEvent("resumed", within: 0.5, after: cut, of: one, isResumed)
    report.check(!one.has(isDeviceLost), "deviceLost: \(one.log())")
    report.check(one.filledFrames < 24_000, "\(one.filledFrames) frames filled")
    report.checkExact(one)
    report.checkExact(one, rate: 44100)
    report.note(one.log(from: cut))
}

private func reversed() { machine.behaviour.listenersAreReversed = true }

/// Devices that appear, disappear and change.
let macDeviceScenarios: [Scenario] = [
    Scenario(name: "mac-unplugged", expectation: "the default device is unplugged: the next device is captured within 0.5 s, gap exact") {
        await defaultIsUnplugged(&$0)
    },
    Scenario(name: "mac-unplugged-reversed", expectation: "the same, with the listeners in the other order") {
        await defaultIsUnplugged(&$0, reversed)
    },
    Scenario(name: "mac-default-changed", expectation: "the default device is followed within 0.5 s") { await defaultIsChanged(&$0) },
    Scenario(name: "mac-default-changed-reversed", expectation: "the same, with the listeners in the other order") {
        await defaultIsChanged(&$0, reversed)
    },
    Scenario(name: "mac-default-chosen", expectation: "a chosen device stays when the default changes, which is reported") { report in
        mac()
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "BuiltInMicrophoneDevice" })
        await sleep(0.5)
        let cut = Machine.now
        machine.defaultInput = 60
        await sleep(1)
        await one.end()
        report.check(one.capture.format?.device == "BuiltInMicrophoneDevice" && !one.has(isInterrupted), "\(one.log())")
        let reason = isRouteChanged(.routeConfigurationChange)
        report.checkEvent("routeChanged(routeConfigurationChange)", within: 0.5, after: cut, of: one, reason)
        report.check(one.filledFrames == 0, "a gap")
        report.checkExact(one)
    },
    Scenario(name: "mac-plugged", expectation: "a new device becomes the default: captured within 0.5 s") { report in
        mac { machine.edit("USB-1") { $0.isAlive = false } }
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.5)
        let cut = Machine.now
        machine.edit("USB-1") { $0.isAlive = true }
        machine.defaultInput = 60
        await sleep(1)
        await one.end()
        report.checkEvent("routeChanged(newDeviceAvailable)", within: 0.5, after: cut, of: one, isRouteChanged(.newDeviceAvailable))
        report.checkEvent("resumed", within: 0.5, after: cut, of: one, isResumed)
        report.check(one.capture.format?.device == "USB-1", "captures \(one.capture.format?.device ?? "-")")
        report.checkExact(one)
    },
    Scenario(name: "mac-others", expectation: "other inputs come and go: reported, without a gap") { report in
        mac()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.5)
        let cut = Machine.now
        machine.edit("USB-1") { $0.isAlive = false }
        await sleep(1)
        let back = Machine.now
        machine.edit("USB-1") { $0.isAlive = true }
        await sleep(1)
        await one.end()
        report.checkEvent("routeChanged(oldDeviceUnavailable)", within: 0.5, after: cut, of: one, isRouteChanged(.oldDeviceUnavailable))
        report.checkEvent("routeChanged(newDeviceAvailable)", within: 0.5, after: back, of: one, isRouteChanged(.newDeviceAvailable))
        report.check(!one.has(isInterrupted) && one.filledFrames == 0, "\(one.log())")
        report.checkExact(one)
    },
    Scenario(name: "mac-rate-changed", expectation: "44.1 kHz instead of 48: formatChanged within 0.5 s") { await rateIsChanged(&$0) },
    Scenario(name: "mac-rate-changed-late-listener", expectation: "the same, with listeners called after their removal") {
        await rateIsChanged(&$0) { machine.behaviour.callsRemovedListeners = true }
    },
    Scenario(name: "mac-rate-changed-stopping", expectation: "the rate changes while capture stops: nothing is left") { report in
        mac { machine.behaviour.callsRemovedListeners = true }
        for delay in [0.0, 0.004, 0.0055, 0.02, 0.026] {
            let one = await report.start(CoreAudioCaptureBackend())
            await sleep(0.3)
            machine.edit("BuiltInMicrophoneDevice") { $0.sampleRate = $0.sampleRate == 48000 ? 44100 : 48000 }
            await sleep(delay)
            await one.end()
            report.check(one.events.last?.event == .stopped, "\(one.log())")
        }
        await sleep(2)
    },
    Scenario(name: "mac-rate-changed-starting", expectation: "a headset changes its rate 10 ms after the start: formatChanged") { report in
        mac()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.01)
        machine.edit("BuiltInMicrophoneDevice") { $0.sampleRate = 24000 }
        await sleep(1)
        await one.end()
        report.checkEvent("formatChanged", within: 0.5, after: one.start, of: one, isFormatChanged)
        report.check(one.hasAudio(after: one.start + 0.5), "\(one.log())")
        report.checkExact(one, rate: 24000)
    },
    Scenario(name: "mac-rate-changed-opening", expectation: "the rate changes while the unit is initialised: audio") { report in
        mac { machine.initializationTime = 0.2 }
        let one = Recording(configuration(), CoreAudioCaptureBackend())
        Scheduler.shared.after(seconds: 0.1) { machine.edit("BuiltInMicrophoneDevice") { $0.sampleRate = 24000 } }
        report.checkStarted(await one.begin())
        await sleep(1)
        await one.end()
        report.checkEvent("formatChanged", within: 0.7, after: one.start, of: one, isFormatChanged)
        report.check(one.hasAudio(after: one.start + 0.8), "\(one.log())")
        report.checkExact(one, rate: 24000)
    },
    Scenario(name: "mac-channels-changed", expectation: "a device's channel count changes: formatChanged within 0.5 s") { report in
        mac()
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(0.5)
        let cut = Machine.now
        machine.edit("BuiltInMicrophoneDevice") { $0.inputChannels = 3 }
        await sleep(1)
        await one.end()
        report.checkEvent("formatChanged", within: 0.5, after: cut, of: one, isFormatChanged)
        report.check(one.captured.last?.channels == 3, "\(one.captured.last?.channels ?? 0) channels")
        report.checkExact(one)
    },
    Scenario(name: "mac-returns", expectation: "the chosen device is away for 1 s: audio within 0.2 s of its return") {
        await deviceReturns(&$0)
    },
    Scenario(name: "mac-returns-reversed", expectation: "the same, with the listeners in the other order") {
        await deviceReturns(&$0, reversed)
    },
    Scenario(name: "mac-returns-late", expectation: "the chosen device is away for 10 minutes: resumed within 0.2 s") { report in
        mac()
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "USB-1" })
        await sleep(0.6)
        machine.edit("USB-1") { $0.isAlive = false }
        await sleep(600)
        machine.edit("USB-1") { $0.isAlive = true }
        let back = Machine.now
        await sleep(1)
        await one.end()
        report.checkEvent("resumed", within: 0.2, after: back, of: one, isResumed)
        report.checkExact(one)
    },
    Scenario(name: "mac-start-fails", expectation: "a failed start at the return is repeated at the next notification") { report in
        mac { machine.failingStarts = 1 }
        let one = Recording(configuration { $0.device = "USB-1" }, CoreAudioCaptureBackend())
        let error = await one.begin()
        report.check(error == .failed(.startStream, .coreAudio, code: -10875), "\(error?.description ?? "started")")
        let two = await report.start(CoreAudioCaptureBackend(), configuration { $0.device = "USB-1" })
        await sleep(0.5)
        machine.edit("USB-1") { $0.isAlive = false }
        await sleep(10)
        machine.failingStarts = 1
        machine.edit("USB-1") { $0.isAlive = true }
        await sleep(0.04)
        report.check(machine.failingStarts == 0, "no attempt at the return")
        let next = Machine.now
        machine.defaultInput = 60
        await sleep(0.5)
        await two.end()
        report.checkEvent("resumed", within: 0.05, after: next, of: two, isResumed)
        report.checkExact(two)
    },
    Scenario(name: "mac-no-input", expectation: "a Mac without an input: noDevice") { report in
        mac {
            machine.devices.removeAll { $0.inputChannels > 0 }
            machine.defaultInput = 0
        }
        let one = Recording(configuration(), CoreAudioCaptureBackend())
        let error = await one.begin()
        report.check(error == .noDevice(.coreAudio, .input), "\(error?.description ?? "started")")
        await one.end()
    },
    Scenario(name: "mac-unknown-device", expectation: "a missing device: deviceNotFound with the available devices") { report in
        mac()
        let one = Recording(configuration { $0.device = "USB-9" }, CoreAudioCaptureBackend())
        let error = await one.begin()
        guard case .deviceNotFound("USB-9", let available) = error else {
            return report.check(false, "\(error?.description ?? "started")")
        }
        report.check(available.starts(with: ["BuiltInMicrophoneDevice", "USB-1"]), "\(available)")
        await one.end()
    },
    Scenario(name: "mac-devices", expectation: "hidden devices and those of AVFAudio and voice processing are not listed") { report in
        mac {
            machine.devices.append(.init(70, "hidden", "Hidden", inputs: 2, outputs: 0, rate: 48000))
            machine.devices.append(.init(71, "VPAUAggregateAudioDevice-0x1", "VPAU", inputs: 9, outputs: 2, rate: 48000))
            machine.devices.append(.init(72, "CADefaultDeviceAggregate-501-0", "Default", inputs: 1, outputs: 2, rate: 48000))
            machine.edit("hidden") { $0.isHidden = true }
        }
        do {
            let devices = try CoreAudioCaptureBackend().devices().filter { $0.direction == .input && !$0.isMonitor }
            report.check(devices.map(\.id) == ["BuiltInMicrophoneDevice", "USB-1"], "\(devices.map(\.id))")
            report.check(devices.map(\.isDefault) == [true, false] && devices.map(\.channelCount) == [1, 2], "\(devices)")
        } catch {
            report.check(false, "\(error)")
        }
    },
]
#endif
