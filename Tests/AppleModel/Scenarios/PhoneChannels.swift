// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AVFAudio
import AppleModel
import AudioDevices
import AudioPrimitives
import LiveAudio
import VirtualTime

/// Inputs and outputs with more than two channels, which the session uses on request.
let manyChannelScenarios: [Scenario] = [
    Scenario(name: "phone-play-six-channels", expectation: "six channels on an output with eight: the session uses six") {
        report in
        phone { machine.devices.append(.init(14, "HDMI", "HDMI", inputs: 0, outputs: 8, rate: 48000)) }
        let one = Playing(channels: 6)
        await report.checkPlayed(one, 96000)
        report.check(machine.session.outputChannels == 6, "\(machine.session.outputChannels) channels")
    },
    Scenario(
        name: "phone-play-six-channels-later",
        expectation: "an output with eight channels disconnects during six channels: unsupportedSetting"
    ) { report in
        phone { machine.devices.append(.init(14, "HDMI", "HDMI", inputs: 0, outputs: 8, rate: 48000)) }
        let one = Playing(channels: 6)
        await sleep(0.5)
        machine.disconnect("HDMI")
        await sleep(0.2)
        one.player.isPaused = false
        await one.wait()
        report.check(one.error == .unsupportedSetting(.channelCount(6)), "\(one.error?.description ?? "no error")")
    },
    Scenario(
        name: "phone-play-app-channels", expectation: "the app's session has two of eight channels: six channels are an unsupportedSetting"
    ) { report in
        phone {
            machine.session.belongsToProgram = true
            machine.devices.append(.init(14, "HDMI", "HDMI", inputs: 0, outputs: 8, rate: 48000))
        }
        try? AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .default)
        try? AVAudioSession.sharedInstance().setActive(true)
        var options = AudioSessionOptions()
        options.isManaged = false
        let two = await report.start(CoreAudioCaptureBackend(session: options))
        let one = Playing(channels: 6)
        await one.wait()
        report.check(one.error == .unsupportedSetting(.channelCount(6)), "\(one.error?.description ?? "no error")")
        await two.end()
        report.check(machine.session.outputChannels == 2, "the app's session has \(machine.session.outputChannels) channels")
    },
    Scenario(name: "phone-selected-channel", expectation: "the fifth channel of an interface with eight: captured, exact") { report in
        phone { machine.devices.append(.init(15, "USB", "USB", inputs: 8, outputs: 0, rate: 48000)) }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.selectedChannels = [0, 4] })
        await sleep(0.5)
        await one.end()
        report.checkExact(one)
        report.check(machine.session.inputChannels == 5, "\(machine.session.inputChannels) channels")
    },
    Scenario(name: "phone-eight-channels", expectation: "eight channels of an interface with eight, also after a call: exact") { report in
        phone { machine.devices.append(.init(15, "USB", "USB", inputs: 8, outputs: 0, rate: 48000)) }
        let one = await report.start(CoreAudioCaptureBackend(), configuration { $0.channelCount = 8 })
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(0.5)
        machine.endInterruption(shouldResume: true)
        await sleep(0.5)
        await one.end()
        report.checkExact(one)
        report.check(machine.session.inputChannels == 8, "\(machine.session.inputChannels) channels")
    },
]
#endif
