// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

@Suite struct SurroundDataTests {
    @Test("Every codebook is a complete prefix code")
    func codebooks() {
        var first = 0
        for count in SurroundCodewords.counts {
            var sum: UInt64 = 0
            for index in first..<first + Int(count) where SurroundCodewords.lengths[index] > 0 {
                sum += 1 << UInt64(32 - SurroundCodewords.lengths[index])
            }
            #expect(sum == 1 << 32)
            first += Int(count)
        }
        #expect(first == SurroundCodewords.codes.count && first == SurroundCodewords.lengths.count)
    }

    @Test("Reads codewords as their index")
    func codewords() {
        var first = 0
        for (codebook, count) in SurroundCodewords.counts.enumerated() {
            for index in 0..<Int(count) where SurroundCodewords.lengths[first + index] > 0 {
                let length = Int(SurroundCodewords.lengths[first + index])
                let code = SurroundCodewords.codes[first + index] << UInt32(32 - length)
                var reader = BitReader([UInt8(code >> 24), UInt8(code >> 16 & 255), UInt8(code >> 8 & 255), UInt8(code & 255)])
                #expect(SurroundCodebooks.shared.read(codebook, from: &reader) == index)
                #expect(reader.bitPosition == length)
            }
            first += Int(count)
        }
    }

    @Test("Groups cover all bands in order", arguments: [4, 5, 7, 10, 14, 20, 28], 0..<4)
    func groups(bandCount: Int, strideCode: Int) {
        let groups = BandGroups(bandCount: bandCount, strideCode: strideCode)
        let width = [1, 2, 5, 28][strideCode]
        #expect(groups.count == (bandCount + width - 1) / width)
        #expect(groups[0] == 0 && groups[groups.count] == bandCount)
        for group in 0..<groups.count { #expect(groups[group] < groups[group + 1] && groups[group + 1] - groups[group] <= width) }
    }

    @Test("Random bits decode to a valid frame or throw", arguments: 0..<400 as Range<UInt64>, [false, true])
    func randomBits(seed: UInt64, isLowDelay: Bool) {
        var random = SeededRandom(seed: seed)
        var configuration = MPEGSurround212Config()
        let bandCounts = isLowDelay ? [23, 15, 12, 9, 7, 5, 4] : [28, 20, 14, 10, 7, 5, 4]
        configuration.bandCount = bandCounts.randomElement(using: &random) ?? 4
        configuration.temporalShaping = Int.random(in: 0...3, using: &random)
        configuration.isHighRate = Bool.random(using: &random)
        configuration.hasPhaseCoding = Bool.random(using: &random)
        configuration.phaseBandCount = configuration.bandCount / 2
        if isLowDelay { (configuration.temporalShaping, configuration.isHighRate, configuration.hasPhaseCoding) = (0, true, false) }
        let slotCount = (isLowDelay ? [8, 15, 16] : [32, 64]).randomElement(using: &random) ?? 8
        var reader = SurroundReader(configuration, slotCount: slotCount, isLowDelay: isLowDelay)
        var frame = SurroundFrame()
        for _ in 0..<20 {
            let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
            var bits = BitReader(bytes)
            guard (try? reader.read(&frame, from: &bits, isIndependent: Bool.random(using: &random))) != nil else { continue }
            reader.commit()
            #expect(frame.setCount <= SurroundFrame.capacity && Int(frame.slots[frame.setCount - 1]) == slotCount - 1, "seed \(seed)")
            for set in 0..<frame.setCount {
                for band in 0..<configuration.bandCount {
                    #expect(abs(frame.values(.levelDifference, set: set)[band]) <= 15)
                    #expect((0...7).contains(frame.values(.coherence, set: set)[band]))
                    #expect((0...15).contains(frame.values(.phaseDifference, set: set)[band]))
                }
            }
        }
    }

    @Test("Differences that leave the range of the quantizer are invalid", arguments: [false, true])
    func range(isCoarse: Bool) {
        var random = SeededRandom(seed: 7)
        var invalidCount = 0
        for round in 0..<2000 {
            let kind = round % 2 == 0 ? SurroundParameter.levelDifference : .coherence
            let range = kind == .levelDifference ? (isCoarse ? -7...7 : -15...15) : (isCoarse ? 0...3 : 0...7) as ClosedRange<Int16>
            var base = SIMD32<Int16>(repeating: 0)
            for index in 0..<10 { base[index] = Int16.random(in: range, using: &random) }
            var reader = SurroundPairReader(kind: kind, count: 10, isCoarse: isCoarse, isPair: round % 3 == 0, isLowDelay: false)
            var bits = BitReader((0..<60).map { _ in UInt8.random(in: 0...255, using: &random) })
            guard reader.read(from: &bits, base: base, refersBack: true) else {
                invalidCount += 1
                continue
            }
            #expect((0..<10).allSatisfy { range.contains(reader.first[$0]) && (round % 3 > 0 || range.contains(reader.second[$0])) })
        }
        #expect((100..<1900).contains(invalidCount), "\(invalidCount)")
    }

    @Test("Without a residual the outputs preserve the downmix energy", arguments: 0..<8)
    func energy(coherence: Int) {
        var configuration = MPEGSurround212Config()
        configuration.bandCount = 20
        var matrices = SurroundMatrices(configuration, hasResidual: false, qmfSlotCount: 32)
        var frame = SurroundFrame()
        frame.slots[0] = 31
        for level in -15...15 {
            frame.setValues(.levelDifference, set: 0, SIMD32(repeating: Int16(level)))
            frame.setValues(.coherence, set: 0, SIMD32(repeating: Int16(coherence)))
            matrices.compute(frame)
            let last = matrices.matrices[31].real
            #expect(abs((last * last).sum() - 1) < 1e-5)
        }
    }
}
