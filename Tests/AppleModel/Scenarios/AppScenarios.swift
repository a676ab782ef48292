// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AVFAudio
import AppleModel
import Darwin
import VirtualTime

/// The controller of Examples/RecorderApp, driven as its buttons drive it.
let appScenarios: [Scenario] = [
    Scenario(name: "app-records", expectation: "start, mute, stop: an ADTS file of the full duration") { report in
        phone()
        let app = await App()
        await app.recorder.start()
        await sleep(1)
        await app.mute(true)
        await sleep(0.5)
        await app.mute(false)
        await sleep(0.5)
        report.check(await app.recorder.isRunning, "it does not run")
        await app.recorder.stop()
        await app.check("started: iPhone Microphone, 48000 Hz", &report)
        report.check(await !app.recorder.isRunning, "it still runs")
        await app.checkFile(seconds: 2, &report)
        report.note(await app.log)
    },
    Scenario(name: "app-interrupted", expectation: "a call and a headset: both are logged, and the recording has the full duration") {
        report in
        phone()
        let app = await App()
        await app.recorder.start()
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(1)
        machine.endInterruption(shouldResume: true)
        await sleep(1.5)
        machine.connect(airPods)
        await sleep(2)
        await app.recorder.stop()
        await app.check("handleInterruption: began, requestedByOther", &report)
        await app.check("handleInterruption: ended, shouldResume true", &report)
        await app.check("resumed", &report)
        await app.check("handleRouteChange reason is A preferred new audio output path is now available.", &report)
        await app.checkFile(seconds: 5, &report)
        report.note(await app.log)
    },
    Scenario(name: "app-resumes", expectation: "the end of a call is not posted: the Resume button resumes at once") { report in
        phone()
        let app = await App()
        await app.recorder.start()
        await sleep(0.5)
        machine.beginInterruption()
        await sleep(30)
        machine.endInterruption(shouldResume: true, notifies: false)
        await app.recorder.resume()
        await sleep(0.5)
        await app.check("resumed", &report)
        await app.recorder.stop()
        await app.checkFile(seconds: 31, &report)
        report.note(await app.log)
    },
    Scenario(name: "app-echo", expectation: "the switch for echo cancellation takes effect at the next start") { report in
        phone()
        let app = await App()
        await app.recorder.start()
        await app.cancelEcho()
        await sleep(0.2)
        await app.recorder.stop()
        await app.recorder.start()
        await sleep(0.5)
        await app.recorder.stop()
        report.check(await app.count("started") == 2, "it did not start twice")
        report.check(await app.count("echo cancellation is not available") == 0, "no echo cancellation")
        report.note(await app.log)
    },
    Scenario(name: "app-denied", expectation: "the user denies microphone access: a line in the log") { report in
        phone {
            machine.permission = .undetermined
            machine.answer = (false, 2)
        }
        let app = await App()
        await app.recorder.start()
        await app.check("the microphone is not permitted", &report)
        report.check(await !app.recorder.isRunning, "it runs")
    },
    Scenario(name: "app-stopped-early", expectation: "a stop while the user is asked for the microphone: nothing is recorded") {
        report in
        phone {
            machine.permission = .undetermined
            machine.answer = (true, 2)
        }
        let app = await App()
        async let started: Void = app.recorder.start()
        await sleep(1)
        await app.recorder.stop()
        await started
        await sleep(1)
        report.check(await app.count("started") == 0 && machine.session.activations == 0, "it has started")
        report.check(await !app.recorder.isRunning, "it runs")
        // The next start is a new recording.
        await app.recorder.start()
        await sleep(1)
        await app.recorder.stop()
        await app.checkFile(seconds: 1, &report)
    },
    Scenario(name: "app-streams", expectation: "a live stream in addition to the file") { report in
        phone()
        let app = await App()
        await app.stream(to: "hls:\(app.folder)/live")
        await app.recorder.start()
        await sleep(15)
        await app.recorder.stop()
        await app.check("connected(number: 1)", &report)
        await app.check("finished", &report)
        report.check(access("\(app.folder)/live/master.m3u8", R_OK) == 0, "there is no playlist")
        await app.checkFile(seconds: 15, &report)
        report.note(await app.log)
    },
]

/// The app with a documents folder.
@MainActor private final class App {
    nonisolated let folder: String
    let recorder: ArticleRecorder

    init() {
        // Scripts/Check/apple-model clears the folder.
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/app-XXXXXX".utf8CString)
        folder = mkdtemp(&template).map { String(cString: $0) } ?? ""
        recorder = ArticleRecorder(folder: folder)
    }

    func mute(_ isMuted: Bool) { recorder.isMuted = isMuted }
    func cancelEcho() { recorder.cancelsEcho = true }
    func stream(to address: String) { recorder.server = address }

    /// The log without the folder, which differs between runs.
    var log: String {
        recorder.log.map { line in line.split(separator: folder, omittingEmptySubsequences: false).joined(separator: "…") }.joined(
            separator: "; ")
    }

    /// Requires that the file has the given duration at 48 kHz.
    func checkFile(seconds: Double, _ report: inout Report) {
        report.checkADTSFile("\(folder)/test.aac", seconds: seconds, sampleRate: 48_000)
    }

    /// Returns the number of log lines that contain a text.
    func count(_ text: String) -> Int { recorder.log.count { $0.contains(text) } }

    /// Requires a log line that contains a text.
    func check(_ text: String, _ report: inout Report) { report.check(count(text) > 0, "no line has \"\(text)\": \(log)") }
}
#endif
