// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AVFAudio
import AppleModel
import AudioDevices
import AudioPrimitives
import VirtualTime

/// Permission, session options and voice processing.
let sessionScenarios: [Scenario] = [
    Scenario(name: "phone-denied", expectation: "without permission the start fails at once") { report in
        phone { machine.permission = .denied }
        let one = Recording(configuration(), CoreAudioCaptureBackend())
        report.check(await one.begin() == .permissionDenied, "no error, or another one")
        report.check(Machine.now == one.start, "it took \(Machine.now - one.start) s")
    },
    Scenario(name: "phone-undetermined", expectation: "the user is asked, says yes after 3 s: audio, no silence before") { report in
        phone {
            machine.permission = .undetermined
            machine.answer = (true, 3)
        }
        let one = await report.start(CoreAudioCaptureBackend())
        report.check(Machine.now - one.start >= 3, "it did not wait for the answer")
        await sleep(1)
        await one.end()
        report.check(one.capturedFrames > 40_000 && one.captured.allSatisfy { $0.number != 0 }, "silence was recorded")
    },
    Scenario(name: "phone-refused", expectation: "the user is asked, says no: permissionDenied") { report in
        phone {
            machine.permission = .undetermined
            machine.answer = (false, 3)
        }
        let one = Recording(configuration(), CoreAudioCaptureBackend())
        report.check(await one.begin() == .permissionDenied, "no error, or another one")
        report.check(await RecordPermission.request() == .denied, "another permission")
    },
    Scenario(name: "phone-unanswered", expectation: "the user never answers: the start can be cancelled") { report in
        phone {
            machine.permission = .undetermined
            machine.answer = nil
        }
        let one = Recording(configuration(), CoreAudioCaptureBackend())
        async let begun = one.begin()
        await sleep(60)
        let asked = Machine.now
        await one.capture.stop()
        report.check(Machine.now - asked < 0.2, "stop took \(Machine.now - asked) s")
        report.check(await begun == .cancelled, "the start did not end as cancelled")
    },
    Scenario(name: "phone-options", expectation: "the options reach the session: mode, mixing, Bluetooth, alerts") { report in
        phone()
        let session = AVAudioSession.sharedInstance()
        var options = AudioSessionOptions()
        options.bluetooth = .highQuality
        options.mixesWithOthers = true
        options.silencesSystemAlerts = true
        let one = await report.start(CoreAudioCaptureBackend(session: options))
        report.check(session.mode == .default, "the mode is \(session.mode.rawValue)")
        report.check(
            session.categoryOptions == [.mixWithOthers, .allowBluetoothHFP, .defaultToSpeaker, .bluetoothHighQualityRecording],
            "the options are \(session.categoryOptions)")
        report.check(session.prefersNoInterruptionsFromSystemAlerts, "alerts interrupt")
        await one.end()
        options = AudioSessionOptions()
        options.bluetooth = .none
        options.mode = .measurement
        options.prefersSpeaker = false
        let two = await report.start(CoreAudioCaptureBackend(session: options))
        report.check(session.mode == .measurement && session.categoryOptions == [], "mode \(session.mode), \(session.categoryOptions)")
        await two.end()
    },
    Scenario(name: "phone-own-session", expectation: "an app that configures the session itself: the session is unchanged") { report in
        phone { machine.session.belongsToProgram = true }
        let session = AVAudioSession.sharedInstance()
        var options = AudioSessionOptions()
        options.isManaged = false
        let found = try? CoreAudioCaptureBackend(session: options).devices().filter { $0.direction == .input }
        report.check(found == [] && machine.session.categoryChanges == 0, "a list of devices has changed the category")
        try? session.setCategory(.playAndRecord, mode: .videoRecording, options: [.mixWithOthers])
        try? session.setActive(true)
        let one = await report.start(CoreAudioCaptureBackend(session: options))
        await sleep(0.5)
        await one.end()
        report.checkExact(one)
        report.check(machine.session.categoryChanges == 1 && machine.session.activations == 1, "category or activation were changed")
        report.check(machine.session.isActive && session.mode == .videoRecording, "the session was deactivated")
    },
    Scenario(name: "phone-own-session-inactive", expectation: "an app that forgot to activate its session: an error") { report in
        phone { machine.session.belongsToProgram = true }
        var options = AudioSessionOptions()
        options.isManaged = false
        let one = Recording(configuration(), CoreAudioCaptureBackend(session: options))
        report.check(await one.begin() != nil, "started")
    },
    Scenario(name: "phone-echo", expectation: "voice processing starts in the mode for it, one channel, exact") { report in
        phone()
        let one = await report.start(CoreAudioCaptureBackend(cancelsEcho: true))
        report.check(AVAudioSession.sharedInstance().mode == .voiceChat, "the mode is \(AVAudioSession.sharedInstance().mode.rawValue)")
        await sleep(0.5)
        await one.end()
        report.check(one.capturedFrames > 20_000 && one.capture.format?.pcm.channelCount == 1, one.log())
        report.checkExact(one)
        var options = AudioSessionOptions()
        options.mixesWithOthers = true
        let two = await report.start(CaptureSource.cancellingEcho(microphone: .coreAudio(session: options)).makeBackend())
        report.check(AVAudioSession.sharedInstance().categoryOptions.contains(.mixWithOthers), "the microphone's session is ignored")
        await two.end()
    },
    Scenario(name: "phone-echo-fallback", expectation: "voice processing fails: the plain unit records, and an event reports it") {
        report in
        phone { machine.behaviour.voiceProcessingFails = -10875 }
        let one = await report.start(CoreAudioCaptureBackend(cancelsEcho: true))
        await sleep(0.5)
        await one.end()
        let failure = DeviceError.failed(.applySettings, .coreAudio, code: -10875)
        report.check(one.has { $0 == .echoCancellationUnavailable(failure) }, "no event: \(one.log())")
        report.check(one.capturedFrames > 20_000, one.log())
    },
    Scenario(name: "phone-zeros", expectation: "2 s of zeros after the start are reported, once") { report in
        phone { machine.devices[0].isSilent = true }
        let one = await report.start(CoreAudioCaptureBackend())
        await sleep(6)
        await one.end()
        report.check(one.events.count { $0.event == .silent(for: .seconds(2)) } == 1, one.log())
    },
]
#endif
