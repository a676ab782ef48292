// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import LiveAudio
import TestSupport
import Testing

/// The positions of cuts, without a recorder.
@Suite struct RecordingSplitterTests {
    private static let rate = 1000

    /// Returns the first frames of the files of samples, which are split into random buffers.
    private static func cuts(_ samples: [Float], _ split: RecordingSplit, seed: UInt64) -> [Int] {
        var random = SeededRandom(seed: seed)
        var splitter = RecordingSplitter(split, clock: WallClock(), silenceLevel: -50, sampleRate: rate, channelCount: 1)
        let start = HostClock.now
        var cuts: [Int] = []
        var position = 0
        var decided = 0
        while position < samples.count {
            let count = min(Int.random(in: 1...2500, using: &random), samples.count - position)
            let buffer = PCMBuffer(channels: [Array(samples[position..<position + count])], sampleRate: rate)
            let boundaries = splitter.accept(buffer, hostTime: start + Int64(position) * 1_000_000)
            #expect(boundaries.allSatisfy { $0.frame >= decided }, "seed \(seed)")
            #expect(zip(boundaries, boundaries.dropFirst()).allSatisfy { $0.frame < $1.frame })
            decided = splitter.decidedFrame
            cuts += boundaries.map(\.frame)
            position += count
        }
        return cuts
    }

    private static func sound(_ seconds: Double) -> [Float] { (0..<Int(seconds * 1000)).map { $0 % 2 == 0 ? 0.5 : -0.5 } }

    private static func silence(_ seconds: Double) -> [Float] { [Float](repeating: 0.001, count: Int(seconds * 1000)) }

    @Test("Every file has the same number of frames, with buffers of any size", arguments: [1, 2, 3] as [UInt64])
    func interval(seed: UInt64) {
        let cuts = Self.cuts(Self.sound(10), .every(.milliseconds(1234)), seed: seed)
        #expect(cuts == Array(stride(from: 0, to: 10_000, by: 1234)))
    }

    @Test("Pauses of two seconds are cut in their middle, with buffers of any size", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func pauses(seed: UInt64) {
        let samples =
            Self.sound(12) + Self.silence(1.9) + Self.sound(1) + Self.silence(7) + Self.sound(2) + Self.silence(3) + Self.sound(12)
            + Self.silence(2)
        // The second long pause is less than 10 s after the first cut.
        #expect(Self.cuts(samples, .atSilence, seed: seed) == [0, 15_900, 39_900])
    }

    @Test("A recording without sound is one file")
    func silenceOnly() {
        #expect(Self.cuts(Self.silence(60), .atSilence, seed: 1) == [0])
    }

    @Test("Files begin at the times of day, to the frame")
    func dayTimes() throws {
        let times = try [#require(DayTime("0:00")), #require(DayTime("0:00:20"))]
        var clock = WallClock()
        let now = clock.time(at: HostClock.now)
        let midnight = try #require(WallClock.next([times[0]], after: now))
        clock.shift = .seconds(midnight - now - 10.5)
        var split = RecordingSplit()
        split.times = times
        var splitter = RecordingSplitter(split, clock: clock, silenceLevel: -50, sampleRate: Self.rate, channelCount: 1)
        let start = HostClock.now
        let begin = clock.time(at: start)
        var boundaries: [FileBoundary] = []
        for second in 0..<60 {
            let buffer = PCMBuffer(channels: [Self.silence(1)], sampleRate: Self.rate)
            boundaries += splitter.accept(buffer, hostTime: start + Int64(second) * 1_000_000_000)
        }
        let expected = [begin, midnight, midnight + 20]
        try #require(boundaries.count == 3, "\(boundaries)")
        for (boundary, time) in zip(boundaries, expected) {
            #expect(abs(boundary.time - time) < 0.01)
            // The two clocks are read one after another.
            #expect(abs(Double(boundary.frame) / Double(Self.rate) - (time - begin)) < 0.1)
        }
        #expect(boundaries[1].time == midnight && boundaries[2].time == midnight + 20)
    }

    @Test("Times of day are parsed, others are not")
    func parsing() {
        #expect(DayTime("7:30")?.seconds == 27_000 && DayTime("23:59:59")?.seconds == 86_399 && DayTime("00:00")?.seconds == 0)
        for text in ["", "7", "24:00", "7:60", "7:5:60", "-1:00", "7:30:00:0", "a:00", "007:30"] {
            #expect(DayTime(text) == nil, "\(text)")
        }
    }

    @Test("Patterns replace the conversions of strftime, and refuse others")
    func patterns() throws {
        let time = 1_790_000_000.0
        let pattern = try #require(FileNamePattern("100%% %Y/%m-%d_%H%M%S.m4a"))
        #expect(pattern.isDated && pattern.path(at: time) == "100% " + WallClock.text("%Y/%m-%d_%H%M%S", at: time) + ".m4a")
        #expect(FileNamePattern("100%%.wav")?.isDated == false)
        for text in ["100%.wav", "%", "%D.wav", "%n", "%é"] { #expect(FileNamePattern(text) == nil, "\(text)") }
    }
}
