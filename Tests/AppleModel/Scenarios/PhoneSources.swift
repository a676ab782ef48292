// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AppleModel
import AudioDevices
import AudioPrimitives
import LiveAudio
import Synchronization
import VirtualTime

/// Several sources in one recording.
let phoneSourceScenarios: [Scenario] = [
    Scenario(name: "phone-sources-call", expectation: "microphone and a program's source, a call of 5 s: only the microphone is silent") {
        report in
        phone()
        let rate = 8000
        machine.sound = IrregularTrain.samples
        let position = Atomic(0)
        let sources = [
            RecorderSource("mic", source: .coreAudio()),
            RecorderSource(
                "music",
                source: .program(sampleRate: rate, channelCount: 1) {
                    let first = position.add(rate / 10, ordering: .relaxed).oldValue
                    let samples = IrregularTrain.samples(at: Double(first) / Double(rate), rate: Double(rate), count: rate / 10)
                    return PCMBuffer(channels: [samples], sampleRate: rate)
                }),
        ]
        let one = await report.startSources(sources, rate: rate)
        await sleep(11 - one.start)
        let began = Machine.now
        machine.beginInterruption()
        await sleep(5)
        let ended = Machine.now
        machine.endInterruption(shouldResume: true)
        await sleep(20)
        let duration = Machine.now - one.start
        await one.end()
        let heard = IrregularTrain.count(from: one.start, to: began) + IrregularTrain.count(from: ended, to: one.start + duration - 0.1)
        report.checkPulses(one, 0, heard - 1...heard)
        let played = IrregularTrain.count(from: 0, to: duration - 0.1)
        report.checkPulses(one, 1, played - 1...played)
        report.check(abs(one.seconds - duration) < 0.15, "\(one.seconds) s of \(duration) s are recorded: \(one.log)")
        report.check(one.delay(of: "mic", after: ended, isResumed) < 0.5, "not resumed: \(one.log)")
        report.check(one.isWhole("music"), "the program's source is interrupted: \(one.log)")
        // Both hear pulses at half seconds: the microphone of the host's time, the program of the recording's.
        let shift = one.start - one.start.rounded(.down)
        let times = one.pulses(1).map { ($0 - 0.5).remainder(dividingBy: 1) }
        let others = one.pulses(0).map { ($0 + shift - 0.5).remainder(dividingBy: 1) }
        report.check((times + others).allSatisfy { abs($0) < 0.02 }, "\(times), \(others)")
        report.note(one.log)
    }
]
#endif
