// SPDX-License-Identifier: Apache-2.0

import ILBCCodec
import TestSupport
import Testing

@Suite struct BitstreamTests {
    @Test("Bits per class match the RFC's table")
    func classSums() {
        for (mode, sums) in [(ILBCMode.milliseconds20, [48, 64, 192]), (.milliseconds30, [64, 96, 240])] {
            let table = BitAllocation.table(of: mode)
            #expect((0..<3).map { sensitivity in table.reduce(0) { $0 + $1.bits(ofClass: sensitivity).count } } == sums)
            #expect(table.reduce(0) { $0 + $1.bitCount } == 8 * mode.bytesPerFrame)
        }
    }

    @Test("Each bit maps to one parameter and back", arguments: ILBCMode.allCases)
    func singleBits(mode: ILBCMode) {
        var seen: Set<[UInt8]> = []
        for bit in 0..<8 * mode.bytesPerFrame {
            var bytes = [UInt8](repeating: 0, count: mode.bytesPerFrame)
            bytes[bit / 8] = 0x80 >> UInt8(bit % 8)
            var frame = FrameParameters(mode: mode)
            frame.unpack(bytes)
            #expect(frame.values.filter { $0 != 0 }.count == 1)
            #expect(frame.packed() == bytes)
            seen.insert(frame.values)
        }
        #expect(seen.count == 8 * mode.bytesPerFrame)
    }

    @Test("Random bytes round-trip", arguments: ILBCMode.allCases, 0..<20 as Range<UInt64>)
    func randomBytes(mode: ILBCMode, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bytes = RandomFrames.bytes(mode: mode, random: &random)
        var frame = FrameParameters(mode: mode)
        frame.unpack(bytes)
        #expect(frame.packed() == bytes, "seed \(seed)")
    }

    @Test("Parameters are at the RFC 3951 positions", arguments: ILBCMode.allCases)
    func places(mode: ILBCMode) {
        var frame = FrameParameters(mode: mode)
        frame[lsfSet: 0, split: 0] = 0b100001
        frame.stateBlock = 3
        frame.isEmpty = true
        let bytes = frame.packed()
        #expect(bytes[0] == 0b10000100)
        #expect(bytes[mode.bytesPerFrame - 1] == 1)
        // The 2 or 3 position bits follow 20 or 40 bits of frequencies.
        #expect(mode == .milliseconds20 ? bytes[2] == 0b1100 : bytes[5] == 0b0110_0000)
        #expect(frame.packed() == bytes)
    }

    @Test("Accessors are independent and cover the frame", arguments: ILBCMode.allCases)
    func accessors(mode: ILBCMode) {
        var frame = FrameParameters(mode: mode)
        for set in 0..<mode.lsfSetCount { for split in 0..<3 { frame[lsfSet: set, split: split] += 1 } }
        frame.stateBlock += 1
        frame.isStateFirst = true
        frame.stateScale += 1
        for index in 0..<mode.stateLength { frame[stateSample: index] += 1 }
        for segment in 0..<mode.segmentCount {
            for stage in 0..<3 {
                frame[codebookIndex: stage, segment: segment] += 1
                frame[gainIndex: stage, segment: segment] += 1
            }
        }
        frame.isEmpty = true
        #expect(frame.values.allSatisfy { $0 == 1 })
    }
}
