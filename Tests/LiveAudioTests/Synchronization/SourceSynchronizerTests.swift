// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import LiveAudio
import TestSupport
import Testing

@Suite struct SourceSynchronizerTests {
    /// The recorded pulses of each source, and the frame count.
    private struct Recording {
        var centers: [[Double]]
        var frameCount = 0
        /// The drift of the second source at the end.
        var drift = 0.0

        /// The maximum distance between the pulses of two sources, in seconds, matched by time.
        func offset(_ first: Int, _ second: Int) -> Double {
            centers[second].map { center in centers[first].map { abs($0 - center) }.min() ?? .infinity }.max() ?? .infinity
        }
    }

    /// Runs simulated sources for some seconds of host time after 1000 s.
    ///
    /// - Parameter ends: The host times at which sources end earlier.
    private static func record(
        _ sources: [SimulatedSource], rate: Int, seconds: Double, ends: [Int: Double] = [:]
    ) throws -> Recording {
        var sources = sources
        let synchronizer = SourceSynchronizer(sampleRate: rate, sources: sources.map { _ in (1, true) })
        var detectors = sources.map { _ in PulseDetector(rate: rate) }
        var recording = Recording(centers: [])
        var latest: Int64 = 0
        var isOrdered = true
        let emit = { (block: SynchronizedBlock) in
            for index in detectors.indices { detectors[index].accept(block.buffers[index].channel(0)) }
            recording.frameCount += block.buffers[0].frameCount
            isOrdered = isOrdered && (block.hostTime == 0 || block.hostTime > latest)
            latest = block.hostTime
        }
        var ended: Set<Int> = []
        while let index = sources.indices.filter({ !ended.contains($0) }).min(by: { sources[$0].nextArrival < sources[$1].nextArrival }) {
            if sources[index].nextArrival > ends[index] ?? (1000 + seconds) {
                ended.insert(index)
                for audio in sources[index].end() { try synchronizer.accept(audio, from: index, emit: emit) }
                try synchronizer.end(source: index, emit: emit)
            } else {
                for audio in sources[index].next() { try synchronizer.accept(audio, from: index, emit: emit) }
            }
        }
        #expect(isOrdered, "host times go backwards")
        recording.centers = detectors.map(\.centers)
        recording.drift = synchronizer.drift(ofSource: 1)
        return recording
    }

    @Test("Two sources 200 ppm apart stay within 1 ms, for an hour each night", arguments: [1, 2] as [UInt64])
    func drift(seed: UInt64) throws {
        #if DEBUG
        let seconds = 20.0
        #else
        let seconds = RandomDamage.caseShare == 1 ? 3600.0 : 300
        #endif
        let sources = [SimulatedSource(8000, speed: 1.0001, seed: seed), SimulatedSource(8000, speed: 0.9999, seed: seed + 10)]
        let recording = try Self.record(sources, rate: 8000, seconds: seconds)
        #expect(recording.centers.allSatisfy { $0.count >= Int(seconds) - 1 })
        let offset = recording.offset(0, 1)
        #expect(offset < 0.001, "\(offset * 1000) ms, seed \(seed)")
        #expect(abs(recording.drift + 0.0002) < 0.000_005, "\(recording.drift), seed \(seed)")
        #expect(abs(Double(recording.frameCount) / 8000 - seconds * 1.0001) < 0.1, "\(recording.frameCount) frames, seed \(seed)")
    }

    @Test("Sources at 96 and 16 kHz with reported times are aligned in a recording at 48 kHz", arguments: [3, 4] as [UInt64])
    func rates(seed: UInt64) throws {
        let sources = [
            SimulatedSource(96_000, speed: 0.9998, reportsTime: true, seed: seed),
            SimulatedSource(16_000, speed: 1.0001, latency: 0.08, reportsTime: true, seed: seed + 10),
            SimulatedSource(48_000, reportsTime: true, seed: seed + 20),
        ]
        let recording = try Self.record(sources, rate: 48_000, seconds: 12)
        for index in 1...2 {
            let offset = recording.offset(0, index)
            #expect(offset < 0.001, "\(offset * 1000) ms in source \(index), seed \(seed)")
        }
    }

    @Test("A source that starts later is silent before, and aligned then")
    func laterStart() throws {
        let sources = [SimulatedSource(8000, seed: 5), SimulatedSource(8000, speed: 1.0001, start: 1006.3, seed: 6)]
        let recording = try Self.record(sources, rate: 8000, seconds: 20)
        #expect(recording.centers[0].count >= 19 && (12...14).contains(recording.centers[1].count), "\(recording.centers)")
        #expect(recording.offset(0, 1) < 0.001)
    }

    @Test("Both are aligned after a gap in either", arguments: [(0, 4), (1, 4), (0, 120)])
    func gap(index: Int, length: Int) throws {
        var sources = [SimulatedSource(8000, speed: 1.0003, seed: 7), SimulatedSource(8000, speed: 0.9999, seed: 8)]
        sources[index].gap = 1008.2..<1007.9 + Double(length)
        let recording = try Self.record(sources, rate: 8000, seconds: 26 + Double(length))
        let counts = recording.centers.map { $0.count }
        #expect(counts[1 - index] == 26 + length && counts[index] == 26, "\(counts)")
        #expect(recording.offset(1 - index, index) < 0.001, "\(recording.offset(1 - index, index))")
    }

    @Test("When the first source ends, the recording follows the host clock without a jump")
    func end() throws {
        let sources = [SimulatedSource(8000, speed: 1.0003, seed: 9), SimulatedSource(8000, speed: 0.9998, seed: 10)]
        let recording = try Self.record(sources, rate: 8000, seconds: 40, ends: [0: 1020])
        let pulses = recording.centers[1]
        #expect(pulses.count >= 39 && (19...20).contains(recording.centers[0].count))
        let distances = zip(pulses, pulses.dropFirst()).map { $1 - $0 }
        #expect(distances[10..<18].allSatisfy { abs($0 - 1.0003) < 0.0001 }, "\(distances)")
        #expect(distances.suffix(15).allSatisfy { abs($0 - 1) < 0.0001 }, "\(distances)")
        #expect(distances.allSatisfy { abs($0 - 1) < 0.001 }, "\(distances)")
    }

    @Test("Recordings shorter than the measurement of the clocks are whole")
    func short() throws {
        let sources = [SimulatedSource(8000, start: 1000.2, seed: 11), SimulatedSource(8000, start: 1000.1, seed: 12)]
        let recording = try Self.record(sources, rate: 8000, seconds: 0.6)
        #expect(recording.frameCount >= 2800 && recording.centers.allSatisfy { $0.count == 1 }, "\(recording)")
        #expect(recording.offset(0, 1) < 0.002)
    }

    @Test("A source that starts with a gap is aligned after it, and the other one is whole", arguments: [0, 1], [1003.2, 1012.4])
    func initialGap(index: Int, end: Double) throws {
        var sources = [SimulatedSource(8000, seed: 18), SimulatedSource(8000, speed: 1.0001, seed: 19)]
        sources[index].gap = 999..<end
        let recording = try Self.record(sources, rate: 8000, seconds: 30)
        #expect(recording.centers[1 - index].count >= 29 && recording.centers[index].count >= Int(1029 - end), "\(recording)")
        // The start of the gap is known only to the time between capture and arrival.
        let late = recording.centers[index].filter { $0 > 22 }.map { center in
            recording.centers[1 - index].map { abs($0 - center) }.min() ?? .infinity
        }
        #expect(late.count >= 7 && late.allSatisfy { $0 < 0.001 }, "\(late)")
        #expect(recording.offset(1 - index, index) < 0.05, "\(recording)")
    }

    @Test("A source that ends before the clocks are measured is whole")
    func earlyEnd() throws {
        let sources = [SimulatedSource(8000, start: 1000.3, seed: 14), SimulatedSource(8000, start: 1000.3, seed: 15)]
        let recording = try Self.record(sources, rate: 8000, seconds: 0.7, ends: [1: 1000.65])
        #expect(recording.centers.allSatisfy { $0.count == 1 }, "\(recording)")
        #expect(recording.offset(0, 1) < 0.002)
    }

    @Test("Without audio from the first source, the next one leads until it comes", arguments: [1012.2, 1100])
    func emptyReference(start: Double) throws {
        let sources = [SimulatedSource(8000, start: start, seed: 16), SimulatedSource(8000, speed: 1.0002, seed: 17)]
        let recording = try Self.record(sources, rate: 8000, seconds: 25)
        #expect(abs(recording.frameCount - 200_000) < 800 && recording.centers[1].count >= 24, "\(recording)")
        #expect(recording.centers[0].count == (start < 1025 ? 13 : 0), "\(recording)")
        #expect(start > 1025 || recording.offset(1, 0) < 0.001, "\(recording.offset(1, 0))")
    }

    @Test("Sources without a clock are read as needed, sample by sample")
    func pulled() throws {
        let synchronizer = SourceSynchronizer(sampleRate: 8000, sources: [(1, false), (2, false)])
        var timelines = (0..<2).map { index in
            let format = CaptureFormat(
                sampleRate: 8000, pcm: PCMFormat(.float32, channelCount: index + 1), bufferFrames: 160, device: "d", deviceName: "d")
            return CaptureTimeline(format: format, policy: .fill)
        }
        var output: [[Float]] = [[], [], []]
        let emit = { (block: SynchronizedBlock) in
            output[0] += block.buffers[0].channel(0)
            output[1] += block.buffers[1].channel(0)
            output[2] += block.buffers[1].channel(1)
        }
        var random = SeededRandom(seed: 13)
        var expected: [[Float]] = [[], [], []]
        for step in 0..<200 {
            let index = step % 2
            let frames = Int.random(in: 1...500, using: &random)
            var samples: [Float] = []
            for _ in 0..<frames {
                for channel in 0...index {
                    samples.append(Float.random(in: -1...1, using: &random))
                    expected[index + channel].append(samples[samples.count - 1])
                }
            }
            let chunk = AudioRingBuffer.Chunk(
                bytes: samples.withUnsafeBytes { Array($0) }, gapByteCount: 0, lostByteCount: 0, hostTime: 0, writeTime: Int64(step),
                followsBreak: false)
            var captured: [CapturedAudio] = []
            timelines[index].accept(chunk) { if case .audio(let audio) = $0 { captured.append(audio) } }
            for audio in captured { try synchronizer.accept(audio, from: index, emit: emit) }
        }
        for index in 0..<2 { try synchronizer.end(source: index, emit: emit) }
        let count = max(expected[0].count, expected[1].count)
        for index in 0..<3 { #expect(output[index] == expected[index] + [Float](repeating: 0, count: count - expected[index].count)) }
    }
}
