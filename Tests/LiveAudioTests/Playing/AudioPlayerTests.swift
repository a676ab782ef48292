// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioFiles
import AudioPrimitives
import LiveAudio
import PCMFiles
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct AudioPlayerTests {
    private static let (first, second) = (CountedSource.samples(0..<10_001), CountedSource.samples(0..<7777, from: 100_000))

    private static func player(_ sources: sending [any PlayableSource], _ output: FakeOutput) -> AudioPlayer {
        AudioPlayer(sources) { output.open($0) }
    }

    /// A player that its own sources control.
    private final class Reference: Sendable {
        private let value = Mutex<AudioPlayer?>(nil)

        var player: AudioPlayer? {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }

        func play() async throws { try await player?.play() }
    }

    // MARK: Queue

    @Test func `Sources of one format follow each other without a gap, sample by sample`() async throws {
        let output = FakeOutput()
        let player = Self.player(
            [CountedSource(10_001), CountedSource(0), CountedSource(7777, from: 100_000, layout: ChannelLayout([.left, .right]))], output)
        try await player.play()
        #expect(output.heard == Self.first + Self.second)
        #expect(output.current.openings.count == 1 && output.current.closedCount == 1)
        #expect(player.currentIndex == 2 && player.position == player.duration)
    }

    @Test func `Source of another format plays through another device after everything before has been heard`() async throws {
        let output = FakeOutput()
        let player = Self.player([CountedSource(10_001), CountedSource(5000, rate: 44_100), CountedSource(300, channels: 1)], output)
        try await player.play()
        #expect(output.current.openings.map(\.sampleRate) == [48_000, 44_100, 48_000])
        #expect(output.current.heard == [Self.first, CountedSource.samples(0..<5000), CountedSource.samples(0..<300, channels: 1)])
        #expect(output.current.closedCount == 3)
    }

    @Test func `Source enqueued while the last one is read follows without a gap`() async throws {
        let (output, reference) = (FakeOutput(), Reference())
        let last = CountedSource(10_001, at: 10_001) { reference.player?.enqueue(CountedSource(7777, from: 100_000)) }
        reference.player = Self.player([last], output)
        try await reference.play()
        #expect(output.heard == Self.first + Self.second && output.current.openings.count == 1)
    }

    @Test func `Empty queue returns at once and opens nothing, also after playback`() async throws {
        let output = FakeOutput()
        let player = Self.player([], output)
        try await player.play()
        #expect(output.current.openings.isEmpty && player.position == .zero)
        player.enqueue(CountedSource(10_001))
        try await player.play()
        try await player.play()
        #expect(output.heard == Self.first && output.current.openings.count == 1)
        player.enqueue(CountedSource(7777, from: 100_000))
        try await player.play()
        #expect(output.heard == Self.first + Self.second && player.currentIndex == 1)
    }

    @Test func `Several tasks wait for one playback`() async throws {
        let output = FakeOutput()
        let player = Self.player([CountedSource(10_001)], output)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { try await player.play() } }
            try await group.waitForAll()
        }
        #expect(output.heard == Self.first)
    }

    @Test(arguments: [1000, 100_000])
    func `Skipping discards the rest of a source, even if the next one has been read`(capacity: Int) async throws {
        let (output, reference) = (FakeOutput(capacity: capacity), Reference())
        let next = CountedSource(7777, from: 100_000, at: 4096) { reference.player?.skip() }
        reference.player = Self.player([CountedSource(10_001), next, CountedSource(500)], output)
        try await reference.play()
        // With a short buffer the second source is audible when it is skipped, with a long one still the first.
        let last = CountedSource.samples(0..<500)
        if capacity == 1000 {
            #expect(output.heard.starts(with: Self.first + Self.second.prefix(2000)) && output.heard.suffix(1000) == last[...])
            #expect(output.heard.count < Self.first.count + Self.second.count)
        } else {
            #expect(output.heard == Self.second + last)
        }
    }

    // MARK: Pause and seek

    @Test(arguments: [false, true])
    func `Pause neither loses nor repeats audio, however it ends`(isResumed: Bool) async throws {
        let (output, reference) = (FakeOutput(), Reference())
        reference.player = Self.player([CountedSource(10_001, at: 8192) { reference.player?.pause() }], output)
        let player = try #require(reference.player)
        let playing = Task { try await player.play() }
        #expect(await Wait.until { output.current.isPaused && player.isPaused })
        let (heard, position) = (output.heard.count, player.position)
        try await Task.sleep(for: .milliseconds(100))
        #expect(output.heard.count == heard && player.position == position && player.isPaused)
        if isResumed { player.isPaused = false } else { try await player.play() }
        try await playing.value
        #expect(output.heard == Self.first && output.current.pausedWriteCount == 0)
    }

    @Test func `Pause by the system lasts until the user resumes`() async throws {
        let output = FakeOutput()
        let player = Self.player([CountedSource(10_001, at: 8192) { output.pauseBySystem() }], output)
        let playing = Task { try await player.play() }
        #expect(await Wait.until { player.isPaused })
        try await Task.sleep(for: .milliseconds(100))
        #expect(output.current.isPaused && output.heard.count < Self.first.count)
        player.isPaused = false
        try await playing.value
        #expect(output.heard == Self.first)
    }

    @Test func `Seeking continues at the frame of the time`() async throws {
        let (output, reference) = (FakeOutput(), Reference())
        reference.player = Self.player(
            [CountedSource(10_001, at: 8192) { reference.player?.seek(to: .milliseconds(10)) }, CountedSource(7777, from: 100_000)], output)
        try await reference.play()
        let rest = CountedSource.samples(480..<10_001) + Self.second
        let before = output.heard.count - rest.count
        #expect(before > 0 && output.heard == Self.first.prefix(before) + rest)
    }

    @Test func `Seeking during a pause changes the position, and playback continues there`() async throws {
        let (output, reference) = (FakeOutput(), Reference())
        reference.player = Self.player([CountedSource(10_001, at: 8192) { reference.player?.pause() }], output)
        let player = try #require(reference.player)
        let playing = Task { try await player.play() }
        #expect(await Wait.until { output.current.isPaused })
        let before = output.heard
        for (time, position) in [(Duration.seconds(9), player.duration), (.seconds(-1), .zero), (.milliseconds(100), .milliseconds(100))] {
            player.seek(to: time)
            #expect(player.position == position)
            try await Task.sleep(for: .milliseconds(20))
            #expect(player.position == position && output.heard == before)
        }
        try await player.play()
        try await playing.value
        #expect(output.heard == before + CountedSource.samples(4800..<10_001))
    }

    @Test func `Seeking repeats a following source that was already read`() async throws {
        let (output, reference) = (FakeOutput(capacity: 100_000), Reference())
        let next = CountedSource(7777, from: 100_000, at: 4096) { reference.player?.seek(to: .milliseconds(100)) }
        reference.player = Self.player([CountedSource(10_001), next], output)
        try await reference.play()
        #expect(output.heard == CountedSource.samples(4800..<10_001) + Self.second && reference.player?.currentIndex == 1)
    }

    @Test(arguments: [false, true])
    func `Source that is not seekable, or is followed by one, continues unchanged`(isFirst: Bool) async throws {
        let (output, reference) = (FakeOutput(capacity: 100_000), Reference())
        let next = CountedSource(7777, from: 100_000, canSeek: isFirst, at: 4096) { reference.player?.seek(to: .zero) }
        reference.player = Self.player([CountedSource(10_001, canSeek: !isFirst), next], output)
        try await reference.play()
        #expect(output.heard == Self.first + Self.second)
    }

    // MARK: Ends

    @Test func `Stop ends playback and the waiting task, clears the queue and closes the device`() async throws {
        let (output, reference) = (FakeOutput(), Reference())
        let source = CountedSource(1_000_000, at: 20_000) { reference.player?.stop() }
        reference.player = Self.player([source, CountedSource(10)], output)
        try await reference.play()
        let heard = output.heard
        #expect(heard == CountedSource.samples(0..<heard.count / 2))
        #expect(heard.count < 48_000 && output.current.closedCount == 1)
        try await reference.play()
        #expect(output.current.openings.count == 1)
        reference.player?.enqueue(CountedSource(10))
        try await reference.play()
        #expect(output.current.heard.last == CountedSource.samples(0..<10))
    }

    @Test func `Paused player stops, and so does a player whose task is cancelled`() async throws {
        for cancels in [false, true] {
            let (output, reference) = (FakeOutput(), Reference())
            reference.player = Self.player([CountedSource(1_000_000, at: 8192) { reference.player?.pause() }], output)
            let player = try #require(reference.player)
            let playing = Task { try await player.play() }
            #expect(await Wait.until { output.current.isPaused })
            if cancels { playing.cancel() } else { player.stop() }
            try await playing.value
            #expect(output.current.closedCount == 1 && output.heard.count < 20_000)
        }
    }

    @Test func `Cancelled task plays nothing, and the queue is kept`() async throws {
        let output = FakeOutput()
        let player = Self.player([CountedSource(10)], output)
        let playing = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await player.play()
        }
        try await playing.value
        #expect(output.current.openings.isEmpty)
        try await player.play()
        #expect(output.heard == CountedSource.samples(0..<10))
    }

    @Test(arguments: [15_000, 34_000])
    func `Lost device throws, and the next playback continues where it was heard`(loss: Int) async throws {
        let output = FakeOutput(samplesUntilLoss: loss)
        let player = Self.player([CountedSource(10_001), CountedSource(7777, from: 100_000)], output)
        let error = await #expect(throws: DeviceError.self) { try await player.play() }
        #expect(error == .failed(.writeStream, .program, code: 5))
        #expect(output.current.closedCount == 1)
        try await player.play()
        #expect(output.heard == Self.first + Self.second && output.current.openings.count == 2)
    }

    @Test func `Device that cannot be opened throws, and the queue is kept`() async throws {
        let isThere = Mutex(false)
        let output = FakeOutput()
        let player = AudioPlayer([CountedSource(10_001)]) { configuration throws(DeviceError) in
            guard isThere.withLock({ $0 }) else { throw .noBackend([]) }
            return output.open(configuration)
        }
        await #expect(throws: DeviceError.self) { try await player.play() }
        isThere.withLock { $0 = true }
        try await player.play()
        #expect(output.heard == Self.first)
    }

    @Test func `Unreadable source throws after the preceding audio was heard; the next one is kept`() async throws {
        let output = FakeOutput()
        let player = Self.player(
            [CountedSource(10_001), CountedSource(10_001, from: 50_000, failureFrame: 4096), CountedSource(7777, from: 100_000)], output)
        let error = await #expect(throws: DeviceError.self) { try await player.play() }
        guard case .playback = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let read = CountedSource.samples(0..<4096, from: 50_000)
        #expect(output.heard == Self.first + read)
        try await player.play()
        #expect(output.heard == Self.first + read + Self.second)
    }

    // MARK: All at once

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `Concurrent commands never hang, and only complete runs of samples are heard`(seed: UInt64) async throws {
        let output = FakeOutput(capacity: 3000 + Int(seed) * 500)
        let player = Self.player([], output)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3 as Range<UInt64> {
                group.addTask {
                    var random = SeededRandom(seed: seed * 10 + number)
                    for _ in 0..<30 {
                        switch UInt8.random(in: 0..<8, using: &random) {
                        case 0, 1: player.enqueue(CountedSource(Int.random(in: 0..<20_000, using: &random)))
                        case 2: player.isPaused.toggle()
                        case 3: player.seek(to: .milliseconds(Int.random(in: 0..<400, using: &random)))
                        case 4: player.skip()
                        case 5: if number == 0 { player.stop() }
                        default: try await Task.sleep(for: .microseconds(Int.random(in: 0..<2000, using: &random)))
                        }
                    }
                }
                group.addTask { for _ in 0..<5 { try await player.play() } }
            }
            group.addTask {
                // Resumes playback that another task has paused.
                while !Task.isCancelled, output.current.closedCount < 1_000_000 {
                    player.isPaused = false
                    try? await Task.sleep(for: .milliseconds(10))
                }
            }
            for _ in 0..<6 { try await group.next() }
            group.cancelAll()
        }
        try await player.play()
        let state = output.current
        #expect(state.closedCount == state.openings.count && state.pausedWriteCount == 0, "seed \(seed)")
        for heard in state.heard {
            // A stereo source starts with 1, so the first sample of a frame is odd.
            #expect(heard.count % 2 == 0, "seed \(seed)")
            for frame in stride(from: 0, to: heard.count, by: 2) where heard[frame + 1] != heard[frame] + 1 {
                Issue.record("a frame is broken, seed \(seed)")
                break
            }
        }
    }
}
