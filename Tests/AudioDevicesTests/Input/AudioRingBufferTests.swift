// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import CAllocationCounter
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct AudioRingBufferTests {
    @Test("Transfers all bytes in order between two threads, with any sizes", arguments: [1, 2, 3] as [UInt64])
    func twoThreads(seed: UInt64) async {
        let ring = AudioRingBuffer(byteCount: 65_536)
        let total = 400_000
        let writer = Task.detached {
            var random = SeededRandom(seed: seed)
            var next = 0
            while next < total {
                let count = min(Int.random(in: 1...900, using: &random), total - next)
                let bytes = (next..<next + count).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ $0 >> 8) }
                // The reader must keep up, because a full queue drops by design.
                while ring.unreadByteCount > 40_000 { await Task.yield() }
                ring.write(bytes.span.bytes, bytesPerFrame: 1, hostTime: Int64(next), writeTime: 0)
                next += count
            }
        }
        var expected = 0
        var isRight = true
        while expected < total {
            guard let chunk = ring.next() else {
                await Task.yield()
                continue
            }
            isRight = isRight && chunk.hostTime == Int64(expected) && chunk.lostByteCount == 0
            for byte in chunk.bytes {
                isRight = isRight && byte == UInt8(truncatingIfNeeded: expected &* 167 ^ expected >> 8)
                expected += 1
            }
            if !isRight { break }
        }
        #expect(isRight, "seed \(seed)")
        await writer.value
    }

    @Test("Drops what does not fit, and reports its position and size")
    func overrun() {
        let ring = AudioRingBuffer(byteCount: 65_536)
        let bytes = [UInt8](repeating: 7, count: 8000)
        var kept = 0
        for _ in 0..<20 {
            let before = ring.unreadByteCount
            ring.write(bytes.span.bytes, bytesPerFrame: 4, hostTime: 0, writeTime: 0)
            if ring.unreadByteCount > before { kept += 1 }
        }
        #expect(kept == 8)
        for _ in 0..<kept { #expect(ring.next()?.lostByteCount == 0) }
        #expect(ring.next() == nil)
        ring.write(bytes.span.bytes, bytesPerFrame: 4, hostTime: 0, writeTime: 0)
        #expect(ring.next()?.lostByteCount == 8000 * (20 - kept))
    }

    @Test("Reports trailing losses; holes and breaks keep their position")
    func marks() {
        let ring = AudioRingBuffer(byteCount: 1)
        // The minimum capacity is 65 536 bytes, and audio is stored in runs of 16 384 with a header each: the fourth does not fit.
        let large = [UInt8](repeating: 1, count: 65_536)
        ring.write(large.span.bytes, bytesPerFrame: 2, hostTime: 5, writeTime: 9)
        #expect(ring.dequeueTrailingLoss() == 16_384)
        while ring.next() != nil {}
        ring.writeGap(byteCount: 96, hostTime: 1, writeTime: 2)
        ring.writeBreak()
        ring.write([1, 2].span.bytes, bytesPerFrame: 8, hostTime: 3, writeTime: 4)
        let gap = ring.next()
        #expect(gap?.gapByteCount == 96 && gap?.bytes.isEmpty == true && gap?.followsBreak == false)
        let audio = ring.next()
        #expect(audio?.bytes.count == 16 && audio?.followsBreak == true && audio?.hostTime == 3 && audio?.writeTime == 4)
    }

    @Test("Writing does not allocate", .enabled(if: linnet_allocation_count() >= 0))
    func noAllocation() {
        let ring = AudioRingBuffer(byteCount: 1 << 20)
        let bytes = [UInt8](repeating: 1, count: 3840)
        let before = linnet_allocation_count()
        for index in 0..<1000 {
            ring.write(bytes.span.bytes, bytesPerFrame: 8, hostTime: Int64(index), writeTime: 0)
            if index % 100 == 50 {
                ring.writeBreak()
                ring.writeGap(byteCount: 8, hostTime: 0, writeTime: 0)
            }
        }
        #expect(linnet_allocation_count() == before)
        _ = [UInt8](repeating: 0, count: Int(before % 2) + 1000)
        #expect(linnet_allocation_count() > before)
    }
}
