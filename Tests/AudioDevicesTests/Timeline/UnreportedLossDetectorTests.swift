// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import TestSupport
import Testing

/// Losses not reported by a simulated server, which captures in periods and delivers whole chunks.
@Suite struct UnreportedLossDetectorTests {
    private static let rate = 48_000
    private static let second: Int64 = 1_000_000_000

    /// The scheduling delays of a machine.
    enum Machine: CaseIterable {
        case quiet
        /// Other programs compete for the processor.
        case busy
        /// Once per second everything stalls for up to a second.
        case starved
    }

    /// A simulated server and the timeline that receives its audio.
    private struct Server {
        var random: SeededRandom
        let machine: Machine
        /// The relative slowness of its clock compared with the host clock.
        let drift: Double
        let run: Int
        var period: Int
        var timeline: CaptureTimeline

        /// The elapsed time, in frames.
        private var time = 0
        private var rest = 0
        private var latestArrival: Int64 = 0
        private var stall: Range<Int64> = 0..<0
        private(set) var given = 0
        private(set) var delivered = 0
        private(set) var gaps: [(frames: Int, place: Int)] = []

        init(seed: UInt64, machine: Machine) {
            random = SeededRandom(seed: seed)
            self.machine = machine
            drift = Double.random(in: -300e-6...300e-6, using: &random)
            run = [240, 480, 960].randomElement(using: &random) ?? 480
            period = [256, 480, 1024, 2048].randomElement(using: &random) ?? 2048
            let format = CaptureFormat(
                sampleRate: rate, pcm: PCMFormat(.int16, channelCount: 1), bufferFrames: run, device: "d", deviceName: "d")
            timeline = CaptureTimeline(format: format, policy: .fill, detectsUnreportedLoss: true)
        }

        var clock: Int64 { 5 * second + Int64(Double(time) * 1e9 / Double(rate) * (1 + drift)) }

        /// Delivers audio for a number of seconds.
        mutating func play(seconds: Double) {
            let end = clock + Int64(seconds * 1e9)
            while clock < end { give(frames: period) }
        }

        /// Stalls without a loss.
        mutating func stand(seconds: Double) { stall = clock..<clock + Int64(seconds * 1e9) }

        /// Stalls and loses periods.
        mutating func lose(periods: Int) {
            let frames = periods * period
            stand(seconds: Double(frames) / 48_000)
            time += frames
        }

        /// Delivers audio earlier than before, or later again, as a virtual source does when the server's period changes.
        mutating func hurry(frames: Int) {
            if frames > 0 { give(frames: frames, takes: 0) } else { time -= frames }
        }

        private mutating func give(frames: Int, takes: Int? = nil) {
            time += takes ?? frames
            if machine == .starved, !stall.contains(clock), clock > stall.upperBound + Int64.random(in: 0...second, using: &random) {
                stand(seconds: Double.random(in: 0.05...1, using: &random))
            }
            let ready = stall.contains(clock) ? stall.upperBound : clock
            latestArrival = max(latestArrival, ready + lateness())
            rest += frames
            while rest >= run {
                rest -= run
                given += run
                let chunk = AudioRingBuffer.Chunk(
                    bytes: [UInt8](repeating: 1, count: run * 2), gapByteCount: 0, lostByteCount: 0, hostTime: 0,
                    writeTime: latestArrival, followsBreak: false)
                latestArrival += 20_000
                accept { $0.accept(chunk, emit: $1) }
            }
        }

        private mutating func lateness() -> Int64 {
            let share = Double.random(in: 0..<1, using: &random)
            let most: Int64 =
                switch machine {
                case .quiet: share < 0.9 ? 200_000 : 5_000_000
                case .busy, .starved: share < 0.3 ? 500_000 : share < 0.8 ? 10_000_000 : 60_000_000
                }
            return Int64.random(in: 0...most, using: &random)
        }

        mutating func finish() {
            let now = latestArrival
            accept { $0.finish(at: now, emit: $1) }
        }

        private mutating func accept(_ body: (inout CaptureTimeline, (CaptureTimeline.Output) -> Void) -> Void) {
            var gaps = gaps
            var delivered = delivered
            body(&timeline) { output in
                switch output {
                case .audio(let audio): if !audio.isFilling { delivered += audio.frameCount }
                case .discontinuity(let frames): gaps.append((frames, delivered))
                case .overrun: break
                }
            }
            self.gaps = gaps
            self.delivered = delivered
        }
    }

    @Test(
        "Complete audio is never reported as lost, with latency changes, stalls and clock drift",
        arguments: Machine.allCases, UInt64(1)...40)
    func whole(machine: Machine, seed: UInt64) {
        var server = Server(seed: seed, machine: machine)
        var early = 0
        // Until the usual lag is known, a server that reverts its latency cannot be distinguished from one that loses audio.
        server.play(seconds: 4)
        for _ in 0..<40 {
            server.play(seconds: Double.random(in: 0.1...6, using: &server.random))
            switch Int.random(in: 0..<4, using: &server.random) {
            case 0: server.stand(seconds: Double.random(in: 0.02...3, using: &server.random))
            case 1: server.period = [256, 480, 1024, 2048, 4096].randomElement(using: &server.random) ?? 2048
            case 2 where early == 0:
                early = Int.random(in: 100...12_000, using: &server.random)
                server.hurry(frames: early)
                server.play(seconds: 4)
            default:
                server.hurry(frames: -early)
                early = 0
            }
        }
        server.finish()
        #expect(server.gaps.isEmpty, "seed \(seed), \(server.run) of \(server.period): \(server.gaps)")
        #expect(server.delivered == server.given)
    }

    @Test("Detects unreported losses at their position within a millisecond", arguments: UInt64(1)...40)
    func lost(seed: UInt64) {
        var server = Server(seed: seed, machine: .quiet)
        var losses: [(frames: Int, place: Int)] = []
        server.play(seconds: 4)
        for _ in 0..<20 {
            let least = 1 + max(960, server.run * 3 / 2) / server.period
            let periods = Int.random(in: least...least + 9, using: &server.random)
            losses.append((periods * server.period, server.given))
            server.lose(periods: periods)
            server.play(seconds: Double.random(in: 5...9, using: &server.random))
        }
        server.finish()
        #expect(server.gaps.count == losses.count, "seed \(seed), \(server.run) of \(server.period)")
        for (gap, loss) in zip(server.gaps, losses) {
            #expect(abs(gap.frames - loss.frames) <= 48 + server.run / 10, "seed \(seed), \(server.run) of \(server.period)")
            #expect(abs(gap.place - loss.place) <= server.period + server.run, "seed \(seed), \(server.run) of \(server.period)")
        }
        #expect(server.delivered == server.given)
    }

    @Test("On a stalling machine the reported loss does not exceed the actual loss", arguments: Machine.allCases, UInt64(1)...40)
    func notTooMuch(machine: Machine, seed: UInt64) {
        var server = Server(seed: seed, machine: machine)
        server.play(seconds: 4)
        var lost = 0
        for _ in 0..<40 {
            let periods = Int.random(in: 1...10, using: &server.random)
            lost += periods * server.period
            server.lose(periods: periods)
            server.play(seconds: Double.random(in: 0.1...6, using: &server.random))
        }
        server.finish()
        let told = server.gaps.reduce(0) { $0 + $1.frames }
        #expect(Double(told) <= Double(lost) * 1.01, "seed \(seed), \(machine): \(told) of \(lost)")
        #expect(server.delivered == server.given)
    }
}
