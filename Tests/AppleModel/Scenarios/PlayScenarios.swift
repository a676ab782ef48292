// SPDX-License-Identifier: Apache-2.0

import AppleModel
import AudioDevices
import AudioPrimitives
import LiveAudio
import VirtualTime

#if MODEL_IOS
private let system = "phone"
private func setUp() { phone() }
#else
private let system = "mac"
private func setUp() { mac() }
#endif

let playScenarios = steadyScenarios + orderScenarios + formatScenarios

/// Output on a machine that does not change.
private let steadyScenarios: [Scenario] = [
    Scenario(name: "\(system)-play-plain", expectation: "a queue of two without a gap, each frame once, no allocations in the callback") {
        report in
        setUp()
        let one = Playing()
        await sleep(1.5)
        report.check(one.player.currentIndex == 1, "source \(one.player.currentIndex)")
        let position = one.player.position
        report.check(position > .milliseconds(430) && position < .milliseconds(500), "position \(position)")
        await report.checkPlayed(one, 96000)
        let duration = (one.endTime ?? 0) - (machine.heard.first?.time ?? 0)
        report.check(duration < 2.2, "it took \(duration) s")
        report.note(heardText())
    },
    Scenario(
        name: "\(system)-play-waiting",
        expectation: "waitingFrameCount is the number of written but unheard frames, including the latencies of device and stream"
    ) { report in
        setUp()
        for uid in machine.devices.map(\.uid) { machine.edit(uid) { ($0.latency, $0.streamLatency) = (4000, 800) } }
        guard let output = report.openOutput() else { return }
        try? output.writeFrames(1..<24001)
        for _ in 0..<12 {
            await sleep(0.0473)
            let heard = heardRuns().reduce(0) { $0 + min($1.count, max(0, Int((Machine.now - $1.time) * 48000))) }
            report.check(abs(output.waitingFrameCount - (24000 - heard)) < 3, "\(output.waitingFrameCount) wait, \(heard) were heard")
        }
        report.check(output.drain(timeout: .milliseconds(10)) == false, "drained too early")
        report.check(output.drain(timeout: .seconds(1)), "not drained")
        report.check(abs(Machine.now - (heardRuns().last.map { $0.time + 0.5 } ?? 0)) < 0.002, "drained at another time than the end")
        report.check(output.waitingFrameCount == 0, "\(output.waitingFrameCount) frames wait")
        output.close()
        report.checkHeard(24000)
    },
    Scenario(name: "\(system)-play-underrun", expectation: "silence while nothing is written, and no frame is lost") { report in
        setUp()
        guard let output = report.openOutput() else { return }
        try? output.writeFrames(1..<4801)
        await sleep(1)
        try? output.writeFrames(4801..<9601)
        report.check(output.drain(timeout: .seconds(1)), "not drained")
        output.close()
        report.checkHeard(9600, runs: 2...2)
    },
    Scenario(name: "\(system)-play-full", expectation: "write waits for space, up to its timeout") { report in
        setUp()
        guard let output = report.openOutput({ $0.bufferDuration = .milliseconds(200) }) else { return }
        let begin = Machine.now
        try? output.writeFrames(1..<48001)
        report.check(abs(Machine.now - begin - 0.8) < 0.05, "0.8 s of room took \(Machine.now - begin) s")
        output.isPaused = true
        let paused = Machine.now
        try? output.writeFrames(48001..<58001)
        report.check(abs(Machine.now - paused - 0.5) < 0.001, "without room it took \(Machine.now - paused) s")
        output.close()
    },
    Scenario(name: "\(system)-play-dropped", expectation: "a backend that is released stops its unit") { report in
        setUp()
        if let output = report.openOutput() { try? output.writeFrames(1..<480) }
        report.check(machine.runningUnits == 0, "the unit runs on")
    },
]

/// Commands of the program.
private let orderScenarios: [Scenario] = [
    Scenario(name: "\(system)-play-pause", expectation: "a second of silence in the middle, and nothing is lost") { report in
        setUp()
        let one = Playing()
        await sleep(0.5)
        one.player.pause()
        await sleep(0.1)
        let count = machine.heard.count
        report.check(machine.runningUnits == 0, "a unit runs")
        await sleep(0.9)
        report.check(machine.heard.count == count, "something is heard in the pause: \(heardText())")
        one.player.isPaused = false
        await report.checkPlayed(one, 96000, runs: 2...2)
    },
    Scenario(name: "\(system)-play-seek", expectation: "pending frames are discarded, and playback continues at another frame") { report in
        setUp()
        let one = Playing([480_000])
        await sleep(0.5)
        one.player.seek(to: .seconds(9))
        await report.checkEnded(one)
        let runs = heardRuns()
        report.check(runs.count == 2 && runs[1].number == 432_001 && runs[1].count == 48000, heardText())
        report.check(runs[0].count < 29000, "\(runs[0].count) frames were heard before")
    },
    Scenario(name: "\(system)-play-flush", expectation: "flush discards pending frames, also in a pause") { report in
        setUp()
        guard let output = report.openOutput() else { return }
        for isPaused in [false, true] {
            output.isPaused = isPaused
            try? output.writeFrames(1..<20000)
            await sleep(0.1)
            output.flush()
            report.check(output.waitingFrameCount == 0, "\(output.waitingFrameCount) frames wait")
            output.isPaused = false
            try? output.writeFrames(100_000..<101_000)
            report.check(output.drain(timeout: .seconds(1)), "not drained")
        }
        output.close()
        let late = heardRuns().filter { $0.number > 7000 && $0.number < 100_000 }
        report.check(late.isEmpty, heardText())
        report.check(heardRuns().filter { $0.number == 100_000 && $0.count == 1000 }.count == 2, heardText())
    },
    Scenario(name: "\(system)-play-stop", expectation: "stop ends at once and leaves nothing, ten times") { report in
        setUp()
        for _ in 0..<10 {
            let one = Playing()
            await sleep(0.1)
            one.player.stop()
            await report.checkEnded(one, within: 0.2)
        }
    },
]

/// Formats that the unit converts.
private let formatScenarios: [Scenario] = [
    Scenario(name: "\(system)-play-44100", expectation: "44.1 kHz on a device of 48 kHz: frame counts vary, each frame once") {
        report in
        setUp()
        let one = Playing([44100, 44100], rate: 44100)
        await report.checkPlayed(one, 88200)
    },
    Scenario(name: "\(system)-play-192000", expectation: "192 kHz on a device of 48 kHz with large cycles: large slices") { report in
        setUp()
        #if MODEL_IOS
        machine.screenIsLocked = true
        #else
        machine.edit("BuiltInSpeakerDevice") {
            $0.bufferFrames = 16384
            $0.bufferRange = 16...16384
        }
        #endif
        let one = Playing([192_000, 192_000], rate: 192_000)
        await report.checkPlayed(one, 384_000)
    },
    Scenario(name: "\(system)-play-slices", expectation: "slices of 1 to 4096 frames: each frame once") { report in
        setUp()
        machine.slices = [1, 4096, 7, 100, 3, 480]
        let one = Playing()
        await report.checkPlayed(one, 96000)
    },
    Scenario(name: "\(system)-play-mono", expectation: "one channel is played on both sides") { report in
        setUp()
        machine.slices = [1, 4096, 7]
        let one = Playing(channels: 1)
        await report.checkPlayed(one, 96000)
    },
    Scenario(name: "\(system)-play-mixed", expectation: "two channels on a one-channel device: both are heard") { report in
        setUp()
        for uid in machine.devices.map(\.uid) where uid != "USB-1" { machine.edit(uid) { $0.outputChannels = min($0.outputChannels, 1) } }
        let one = Playing(isAlike: true)
        await report.checkPlayed(one, 96000)
    },
    Scenario(name: "\(system)-play-channels", expectation: "six channels on a two-channel device: unsupportedSetting") { report in
        setUp()
        let one = Playing(channels: 6)
        await one.wait()
        report.check(one.error == .unsupportedSetting(.channelCount(6)), "\(one.error?.description ?? "no error")")
    },
    Scenario(name: "\(system)-play-formats", expectation: "integers of 16, 24 and 32 bits, floating point of 32 and 64 bits") { report in
        setUp()
        for format in [SampleFormat.int16, .int24, .int32, .float32, .float64] {
            machine.forgetHeard()
            guard let output = report.openOutput({ $0.pcm = PCMFormat(format, channelCount: 1) }) else { return }
            var bytes: [UInt8] = []
            for number in 1...4000 {
                switch format {
                case .float32: bytes += withUnsafeBytes(of: Float(number)) { Array($0) }
                case .float64: bytes += withUnsafeBytes(of: Double(number)) { Array($0) }
                default: bytes += withUnsafeBytes(of: number.littleEndian) { Array($0.prefix(format.byteCount)) }
                }
            }
            let count = (try? output.write(bytes.span.bytes, timeout: .zero)) ?? 0
            report.check(count == bytes.count, "\(format): \(count) bytes were written")
            report.check(output.drain(timeout: .seconds(1)), "\(format): not drained")
            output.close()
            report.checkHeard(4000)
        }
    },
]
