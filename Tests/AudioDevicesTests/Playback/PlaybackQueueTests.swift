// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import CAllocationCounter
import Dispatch
import TestSupport
import Testing

@Suite struct PlaybackQueueTests {
    /// Returns a queue of 0.1 s for one channel of 32 bits.
    private static func queue(_ changed: DispatchSemaphore = DispatchSemaphore(value: 0)) -> PlaybackQueue {
        var configuration = PlaybackConfiguration(sampleRate: 48_000, channelCount: 1)
        configuration.bufferDuration = .milliseconds(100)
        return PlaybackQueue(configuration, changed: changed)
    }

    /// Writes numbered frames.
    ///
    /// Returns how many of them fitted.
    private static func write(_ numbers: Range<Int32>, to queue: PlaybackQueue) -> Int {
        queue.write(Array(numbers).span.bytes) / 4
    }

    private static func read(_ count: Int, of queue: PlaybackQueue, hostTime: Int64 = 0) -> [Int32] {
        var frames = [Int32](repeating: -1, count: count)
        frames.withUnsafeMutableBytes { queue.read(into: $0, hostTime: hostTime) }
        return frames
    }

    @Test func `Frames are read once and in order by another thread, followed by silence`() async {
        let queue = Self.queue()
        let reader = Task.detached {
            var random = SeededRandom(seed: 1)
            var heard: [Int32] = []
            while heard.last != 200_000 {
                let frames = Self.read(Int.random(in: 1...700, using: &random), of: queue)
                let end = frames.firstIndex(of: 0) ?? frames.count
                guard frames[end...].allSatisfy({ $0 == 0 }) else { break }
                heard += frames[..<end]
                await Task.yield()
            }
            return heard
        }
        var next: Int32 = 1
        while next <= 200_000 {
            next += Int32(Self.write(next..<min(next + 1000, 200_001), to: queue))
            await Task.yield()
        }
        #expect(await reader.value == Array(1...200_000))
    }

    @Test func `Capacity is the configured duration`() {
        let queue = Self.queue()
        #expect(Self.write(0..<3000, to: queue) == 3000)
        #expect(Self.write(3000..<6000, to: queue) == 1800)
        #expect(Self.write(4800..<6000, to: queue) == 0)
        #expect(Self.read(100, of: queue) == Array(0..<100))
        #expect(Self.write(4800..<6000, to: queue) == 100)
    }

    @Test func `Frames count until they are heard, also before a gap`() async throws {
        let queue = Self.queue()
        _ = Self.write(0..<4000, to: queue)
        #expect(queue.waitingFrameCount == 4000)
        // Heard in one hour: they count while the device has them.
        let hour = HostClock.now + 3_600_000_000_000
        _ = Self.read(1000, of: queue, hostTime: hour)
        #expect(queue.waitingFrameCount == 4000)
        _ = Self.read(1000, of: queue, hostTime: HostClock.now - 1_000_000_000)
        #expect(queue.waitingFrameCount == 2000)
        // After a gap the earlier frames do not count.
        _ = Self.read(500, of: queue, hostTime: hour)
        #expect(queue.waitingFrameCount == 2000)
        queue.discardAll()
        #expect(queue.waitingFrameCount == 0)
        #expect(Self.read(3, of: queue) == [0, 0, 0])
    }

    @Test func `Waiting ends when frames are read`() {
        let changed = DispatchSemaphore(value: 0)
        let queue = Self.queue(changed)
        _ = Self.read(10, of: queue)
        #expect(changed.wait(timeout: .now()) == .timedOut, "nobody had waited")
        let begin = HostClock.now
        queue.wait(until: begin + 20_000_000)
        #expect(HostClock.now - begin >= 20_000_000)
        _ = Self.read(10, of: queue)
        queue.wait(until: begin + 3_600_000_000_000)
        #expect(changed.wait(timeout: .now()) == .timedOut)
    }

    @Test("Reading does not allocate", .enabled(if: linnet_allocation_count() >= 0))
    func noAllocation() {
        let queue = Self.queue()
        _ = Self.write(0..<4000, to: queue)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * 512, alignment: 16)
        defer { memory.deallocate() }
        let before = linnet_allocation_count()
        for index in 0..<16 { queue.read(into: memory, hostTime: Int64(index) * 10_000_000) }
        #expect(linnet_allocation_count() == before)
    }
}
