// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import Testing

@Suite struct EchoBlocksTests {
    @Test("A block that fails passes unchanged, as late as the others, and is counted")
    func failure() {
        var (calls, previous) = (0, [Float](repeating: 0, count: 4))
        // Processing that is two samples late and doubles.
        var blocks = EchoBlocks(size: 4, delay: 2) { (block, reference) throws(DeviceError) in
            calls += 1
            let delayed = Array(previous.suffix(2) + block.prefix(2))
            previous = block
            block = [0, 0, 0, 0]
            if calls == 2 { throw .echoCanceller(code: -7) }
            block = zip(delayed, reference).map { $0 * 2 + $1 }
        }
        let reference: [Float] = [100, 100, 100, 100]
        #expect(blocks.process([1, 2, 3, 4], reference: reference) == [100, 100, 102, 104])
        #expect(blocks.failureCount == 0 && blocks.latestError == nil)
        #expect(blocks.process([5, 6, 7, 8], reference: reference) == [3, 4, 5, 6])
        #expect(blocks.failureCount == 1 && blocks.latestError == .echoCanceller(code: -7))
        #expect(blocks.process([9, 10, 11, 12], reference: reference) == [114, 116, 118, 120])
        #expect(blocks.failureCount == 1)
    }
}
