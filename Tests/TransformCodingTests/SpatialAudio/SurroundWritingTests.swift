// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

/// Level differences and coherences, written and read again.
@Suite struct SurroundWritingTests {
    /// The values of the previous frame's last set and of each set, 32 per set.
    private struct Rows {
        let setCount: Int
        var levels: [Int8]
        var coherences: [Int8]

        init(setCount: Int) {
            self.setCount = setCount
            levels = [Int8](repeating: 0, count: 32 * (setCount + 1))
            coherences = levels
        }

        /// Starts the next frame, with values up to a distance from the previous set's or the previous band's.
        mutating func advance(distance: Int, followsBands: Bool, _ random: inout SeededRandom) {
            for band in 0..<32 {
                levels[band] = levels[32 * setCount + band]
                coherences[band] = coherences[32 * setCount + band]
            }
            for index in 32..<32 * (setCount + 1) {
                let base = followsBands && index % 32 > 0 ? index - 1 : index - 32
                func next(_ value: Int8, _ range: ClosedRange<Int>) -> Int8 {
                    let sum = Int(value) + Int.random(in: -distance...distance, using: &random)
                    return Int8(min(max(sum, range.lowerBound), range.upperBound))
                }
                levels[index] = next(levels[base], -15...15)
                coherences[index] = next(coherences[base], 0...7)
            }
        }

        func write(bandCount: Int, isIndependent: Bool, to writer: inout BitWriter) {
            if setCount > 1 { writer.write(UInt32(setCount - 1), count: 4) }
            if !isIndependent { writer.write(false) }
            for (kind, rows) in [(SurroundParameter.levelDifference, levels), (.coherence, coherences)] {
                kind.write(
                    rows.span, rowLength: 32, setCount: setCount, bandCount: bandCount, isIndependent: isIndependent, to: &writer)
            }
            if setCount > 1 { writer.write(0, count: 2 * setCount) }
        }
    }

    @Test("Written values are read again, with the same bits", arguments: [4, 5, 7, 10, 14, 20, 28], [1, 2, 4])
    func roundTrip(bandCount: Int, setCount: Int) throws {
        var random = SeededRandom(seed: UInt64(100 * bandCount + setCount))
        var configuration = MPEGSurround212Config()
        configuration.bandCount = bandCount
        configuration.isHighRate = setCount > 1
        var reader = SurroundReader(configuration, slotCount: 32)
        var frame = SurroundFrame()
        var rows = Rows(setCount: setCount)
        for index in 0..<60 {
            rows.advance(distance: [0, 1, 1, 2, 4, 9, 30][index % 7], followsBands: Bool.random(using: &random), &random)
            let isIndependent = index % 5 == 0
            var writer = BitWriter()
            rows.write(bandCount: bandCount, isIndependent: isIndependent, to: &writer)
            var bits = BitReader(writer.bytes)
            try reader.read(&frame, from: &bits, isIndependent: isIndependent)
            reader.commit()
            #expect(bits.bitPosition == writer.bitCount, "frame \(index)")
            for set in 0..<setCount {
                #expect(Int(frame.slots[set]) == 32 * (set + 1) / setCount - 1)
                for band in 0..<bandCount {
                    let position = 32 * (set + 1) + band
                    #expect(frame.values(.levelDifference, set: set)[band] == Int16(rows.levels[position]), "frame \(index)")
                    #expect(frame.values(.coherence, set: set)[band] == Int16(rows.coherences[position]), "frame \(index)")
                }
            }
        }
    }

    @Test("Unchanged values take two bits per set, and zeros need no previous frame")
    func shortForms() {
        var rows = Rows(setCount: 1)
        var writer = BitWriter()
        rows.write(bandCount: 20, isIndependent: true, to: &writer)
        #expect(writer.bitCount == 4)
        for index in rows.levels.indices { rows.levels[index] = 3 }
        writer.reset()
        rows.write(bandCount: 20, isIndependent: false, to: &writer)
        #expect(writer.bitCount == 5)
        // A difference per band, of one bit each in the shortest case, and the first level.
        writer.reset()
        rows.write(bandCount: 20, isIndependent: true, to: &writer)
        #expect(writer.bitCount > 20 && writer.bitCount < 50)
    }
}
