// SPDX-License-Identifier: Apache-2.0

#if MODEL_MACOS
import AppleModel
import AudioDevices
import AudioPrimitives
import LiveAudio
import VirtualTime

/// Sets up a Mac on which all inputs hear the same pulses.
///
/// The microphone is 100 ppm fast, the other devices are 100 ppm slow.
private func macWithPulses(_ body: () -> Void = {}) {
    mac()
    for device in machine.devices {
        machine.edit(device.uid) {
            $0.sampleRate = 8000
            $0.drift = device.uid == "BuiltInMicrophoneDevice" ? 100 : -100
        }
    }
    machine.programs.list = [Program(301, 1001, "com.example.player"), Program(302, 1002, "com.example.browser")]
    machine.sound = IrregularTrain.samples
    body()
}

private let rate = 8000
private let player = "app:com.example.player"

/// Returns the default microphone and a second source.
private func microphone(and device: String, cancelsEcho: Bool = false) -> [RecorderSource] {
    [
        RecorderSource("mic", source: .coreAudio(cancelsEcho: cancelsEcho)),
        RecorderSource("other", source: .coreAudio(), capture: CaptureConfiguration(device: device)),
    ]
}

/// Records another source, whose clock is 200 ppm slower.
private func drifts(_ report: inout Report, _ device: String, seconds: Double) async {
    macWithPulses()
    let one = await report.startSources(microphone(and: device), rate: rate)
    await sleep(seconds)
    await one.end()
    let pulses = IrregularTrain.count(from: one.start, to: one.start + seconds - 0.1)
    report.checkPulses(one, 1, pulses...pulses)
    report.checkAligned(one)
    report.check(abs(one.pace - 1.0001) < 1e-6, "the recording runs at \(one.pace) of the host's time")
    report.check(abs(one.seconds - seconds * 1.0001) < 0.05, one.log)
    let sources = one.summary.sources
    report.check(sources[0].drift == 0 && abs(sources[1].drift + 200e-6) < 2e-6, "drift \(sources[1].drift)")
    report.check(one.isWhole("mic") && one.isWhole("other"), one.log)
    report.note(one.log)
}

/// Records for 10 s, during an event of some seconds, and for 20 s after it.
///
/// - Parameter lost: The index of the source that hears nothing meanwhile.
private func record(
    _ report: inout Report, _ sources: [RecorderSource], lost: Int?, seconds: Double, begin: () -> Void, end: () -> Void = {}
) async -> (SourcesRecording, cut: Double, back: Double) {
    let one = await report.startSources(sources, rate: rate)
    await sleep(11 - one.start)
    let cut = Machine.now
    begin()
    await sleep(seconds)
    let back = Machine.now
    end()
    await sleep(20)
    await one.end()
    let all = IrregularTrain.count(from: one.start, to: Machine.now - 0.1)
    let heard = IrregularTrain.count(from: one.start, to: cut) + IrregularTrain.count(from: back, to: Machine.now - 0.1)
    for index in 0...1 { report.checkPulses(one, index, index == lost ? heard - 1...heard : all - 1...all) }
    report.checkAligned(one, lost ?? 1, with: 1 - (lost ?? 1))
    let duration = Machine.now - one.start
    report.check(abs(one.seconds - duration) < 0.15, "\(one.seconds) s of \(duration) s are recorded: \(one.log)")
    report.note(one.log)
    return (one, cut, back)
}

/// The interface is unplugged, and returns with another number.
private func unplugs(_ report: inout Report, seconds: Double) async {
    macWithPulses()
    let (one, cut, back) = await record(
        &report, microphone(and: "USB-1"), lost: 1, seconds: seconds,
        begin: { machine.edit("USB-1") { $0.isAlive = false } },
        end: {
            machine.edit("USB-1") {
                $0.isAlive = true
                $0.id = 77
            }
        })
    report.check(one.delay(of: "other", after: cut, isDeviceLost) < 0.1, "no deviceLost: \(one.log)")
    report.check(one.delay(of: "other", after: back, isResumed) < 0.2, "not resumed: \(one.log)")
    report.check(one.isWhole("mic"), "the microphone is interrupted: \(one.log)")
}

/// Several sources in one recording.
let macSourceScenarios: [Scenario] = [
    Scenario(name: "mac-sources-interface", expectation: "microphone and USB interface, 200 ppm apart, 5 minutes: within 1 ms") {
        await drifts(&$0, "USB-1", seconds: 300)
    },
    Scenario(name: "mac-sources-system", expectation: "microphone and system audio, 200 ppm apart, a minute: within 1 ms") {
        await drifts(&$0, "system", seconds: 60)
    },
    Scenario(name: "mac-sources-program", expectation: "microphone and a program, 200 ppm apart, a minute: within 1 ms") {
        await drifts(&$0, player, seconds: 60)
    },
    Scenario(name: "mac-sources-rates", expectation: "a microphone of 48 kHz and an interface of 44.1 kHz: within 1 ms") { report in
        macWithPulses()
        machine.edit("BuiltInMicrophoneDevice") { $0.sampleRate = 48000 }
        machine.edit("USB-1") { $0.sampleRate = 44100 }
        let one = await report.startSources(microphone(and: "USB-1"), rate: 48000)
        await sleep(8)
        await one.end()
        let pulses = IrregularTrain.count(from: one.start, to: one.start + 7.9)
        report.checkPulses(one, 1, pulses...pulses)
        report.checkAligned(one)
        report.note(one.log)
    },
    Scenario(name: "mac-sources-unplugged", expectation: "the interface is away for 2 s: only its track is silent, aligned afterwards") {
        await unplugs(&$0, seconds: 2)
    },
    Scenario(name: "mac-sources-away", expectation: "the interface is away for 20 s: only its track is silent, aligned afterwards") {
        await unplugs(&$0, seconds: 20)
    },
    Scenario(name: "mac-sources-default", expectation: "the default input changes: the first track follows, aligned afterwards") { report in
        macWithPulses()
        let (one, cut, _) = await record(
            &report, microphone(and: "system"), lost: nil, seconds: 1, begin: { machine.defaultInput = machine.number(of: "USB-1") })
        report.check(one.delay(of: "mic", after: cut, isRouteChanged(.routeConfigurationChange)) < 0.5, "no routeChanged: \(one.log)")
        report.check(one.isWhole("other"), "the system's audio is interrupted: \(one.log)")
    },
    Scenario(name: "mac-sources-program-restarts", expectation: "the program quits for 5 s: only its track is silent, then aligned") {
        report in
        macWithPulses()
        let old = machine.programs.list[0]
        let (one, cut, back) = await record(
            &report, microphone(and: player), lost: 1, seconds: 5, begin: { machine.programs.list.removeFirst() },
            end: { machine.programs.list.append(Program(777, 1009, old.bundle)) })
        report.check(one.delay(of: "other", after: cut, isDeviceLost) < 0.1, "no deviceLost: \(one.log)")
        report.check(one.delay(of: "other", after: back, isResumed) < 0.2, "not resumed: \(one.log)")
    },
    Scenario(name: "mac-sources-server-restart", expectation: "coreaudiod restarts: both report it, aligned afterwards") { report in
        macWithPulses()
        let (one, cut, _) = await record(&report, microphone(and: "system"), lost: nil, seconds: 1, begin: { machine.restartServer() })
        for name in ["mic", "other"] {
            report.check(one.delay(of: name, after: cut) { $0 == .serverLost } < 0.5, "no serverLost of \(name): \(one.log)")
            report.check(one.delay(of: name, after: cut, isResumed) < 0.5, "\(name) is not resumed: \(one.log)")
        }
    },
    Scenario(name: "mac-sources-denied", expectation: "the microphone is not permitted: the start fails and names it") { report in
        macWithPulses { machine.permission = .denied }
        let one = SourcesRecording(microphone(and: "system"), rate: rate)
        let error = await one.begin()
        report.check(error == .sourceFailed(name: "mic", .permissionDenied), "\(error?.description ?? "started")")
        report.check(machine.runningUnits == 0, "\(machine.runningUnits) units run")
    },
    Scenario(name: "mac-sources-silent", expectation: "system audio is not permitted: silent with the source's name, once") { report in
        macWithPulses { machine.programs.isPermitted = false }
        let one = await report.startSources(microphone(and: "system"), rate: rate)
        await sleep(6)
        await one.end()
        let silent = CaptureEvent.silent(for: .seconds(2))
        report.check(one.delay(of: "other", after: one.start) { $0 == silent } < 2.2, "not reported: \(one.log)")
        report.check(one.events.count { $0.event == silent } == 1, "\(one.log)")
        report.check(one.pulses(0).count >= 3 && one.pulses(1).isEmpty, one.log)
    },
    Scenario(name: "mac-sources-stopped", expectation: "stop() during the question for permission: cancelled within 0.5 s") { report in
        macWithPulses {
            machine.permission = .undetermined
            machine.answer = nil
        }
        let one = SourcesRecording(microphone(and: "system"), rate: rate)
        let starting = Task { await one.begin() }
        await sleep(60)
        let cut = Machine.now
        await one.recorder.stop()
        let error = await starting.value
        report.check(error == .cancelled && Machine.now - cut < 0.5, "\(error?.description ?? "started") after \(Machine.now - cut) s")
        report.check(machine.runningUnits == 0, "\(machine.runningUnits) units run")
    },
    Scenario(name: "mac-sources-echo", expectation: "the microphone hears only the system, which is removed by 30 dB after 5 s") { report in
        macWithPulses { machine.sound = noise }
        let levels = LevelSink()
        let configuration = RecorderConfiguration(sampleRate: rate)
        let recorder = Recorder(configuration, sources: microphone(and: "system", cancelsEcho: true), sinks: [.samples(to: levels)])
        do { try await recorder.start() } catch { report.check(false, "\(error)") }
        report.check(!machine.isQuiet, "other audio is ducked")
        await sleep(10)
        await recorder.stop()
        let powers = levels.powers
        report.check(powers.count == 2 && powers[1] > 0.001, "the system is not recorded: \(powers)")
        report.check(powers[0] < powers[1] * 0.001, "the echo is \(powers[0]), the system \(powers[1])")
        report.note("\(powers)")
    },
]

/// A sum of forty sines at any sample rate.
@Sendable private func noise(at time: Double, rate: Double, count: Int) -> [Float] {
    var result = [Float](repeating: 0, count: count)
    for number in 1...40 {
        let frequency = Double(number) * 61.7 + Double(number * number % 17) * 3.1
        for index in 0..<count { result[index] += Float(0.02 * sine(turns: frequency * (time + Double(index) / rate))) }
    }
    return result
}

/// The sine of a number of turns, with an error of 0.1 %.
///
/// The model has no mathematical functions.
private func sine(turns: Double) -> Double {
    let turn = 2 * (turns - turns.rounded())
    let parabola = 4 * turn * (1 - abs(turn))
    return parabola + 0.225 * (parabola * abs(parabola) - parabola)
}

/// Measures the mean power of each channel from 5 s on.
private final class LevelSink: PCMSink, @unchecked Sendable {
    let name = "levels"
    private var sums: [Double] = []
    private var frameCount = 0
    private var first = 0
    var powers: [Double] { sums.map { $0 / Double(max(1, frameCount - first)) } }

    func begin(_ format: RecordingFormat) {
        sums = [Double](repeating: 0, count: format.channelCount)
        first = 5 * format.sampleRate
    }
    func append(_ buffer: PCMBuffer) {
        if frameCount >= first {
            for channel in sums.indices {
                sums[channel] += buffer.samples[buffer.range(ofChannel: channel)].reduce(0) { $0 + Double($1) * Double($1) }
            }
        }
        frameCount += buffer.frameCount
    }
    func finish() {}
}
#endif
