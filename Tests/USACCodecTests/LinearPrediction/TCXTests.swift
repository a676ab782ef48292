// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct TCXTests {
    /// Returns quantized lines that fall with frequency, with gaps.
    private static func lines(_ count: Int, _ random: inout SeededRandom) -> [Int16] {
        let density = random.integer(in: 1..<20)
        let end = random.integer(in: count / 8..<count)
        return (0..<count).map { line in
            let limit = 1 + 60 * (count - line) / count
            return line < end && random.integer(in: 0..<20) < density ? Int16(random.integer(in: -limit..<limit + 1)) : 0
        }
    }

    // The decoder's transforms and windows are in single precision.
    @Test(
        "A block matches the transform of its lines, noise and envelopes, joined by its slope",
        arguments: [1024, 768], [(mode: 1, isShort: false), (1, true), (2, false), (3, true)])
    func block(frameLength: Int, form: (mode: Int, isShort: Bool)) {
        let quarterCount = 1 << (form.mode - 1)
        let length = frameLength / 4 * quarterCount
        var filterBank = CoreFilterBank(frameLength: frameLength)
        let comparison = ModelComparison(seeds: 300..<304, faultSeedCount: 2) { seed, fault in
            var random = SeededRandom(seed: seed)
            var state = LPDState(frameLength: frameLength, coreRate: 16_000)
            state.frequencies.decode(random.plainSets())
            let quarter = quarterCount * random.integer(in: 0..<4 / quarterCount)
            var data = LPDChannelData(frameLength: frameLength)
            for index in quarter..<quarter + quarterCount { data.modes[index] = UInt8(form.mode) }
            data.noiseFactors[quarter] = UInt8(random.integer(in: 0..<8))
            data.globalGains[quarter] = UInt8(random.integer(in: 40..<100))
            let lines = Self.lines(length, &random)
            for (index, line) in lines.enumerated() { data.lines[quarter * frameLength / 4 + index] = line }
            var noise = UInt32(seed)
            state.decodeTCX(data, quarter: quarter, seed: &noise, filterBank: &filterBank)
            var model = TCXModel(frameLength: frameLength, seed: UInt32(seed), fault: fault)
            let samples = model.samples(
                lines: lines.map(Int.init), noiseFactor: Int(data.noiseFactors[quarter]), globalGain: Int(data.globalGains[quarter]),
                old: state.frequencies.set(quarter), new: state.frequencies.set(quarter + quarterCount))
            #expect(fault != nil || noise == model.seed, "seed \(seed)")
            #expect(fault != nil || abs(Double(state.tcx.gain) - model.gain) <= 1e-5 * model.gain, "seed \(seed)")
            for (group, gain) in model.lowGains.enumerated() {
                #expect(fault != nil || abs(Double(state.tcx.low[group]) - gain) < 1e-5, "seed \(seed)")
            }
            // The previous block ends with a slope, or is ACELP, whose samples end at the boundary.
            let isAfterACELP = seed % 2 == 0
            let (border, overlap) = (state.origin + quarter * frameLength / 4, frameLength / (form.isShort ? 16 : 8))
            state.signal.set(random.samples(isAfterACELP ? border : border + overlap, amplitude: 2000), at: 0)
            let past = state.signal.doubles(0..<border + length + frameLength / 8)
            let window = filterBank.values(.init(length: form.isShort ? .short : .quarter))
            state.addTCX(at: quarter * frameLength / 4, filterBank.folded.span, window, isAfterACELP: isAfterACELP)
            var error = ModelError()
            for index in border - overlap..<border + length + frameLength / 8 {
                let distance = index - border
                let slope = distance < overlap ? sin(.pi / Double(4 * overlap) * (Double(distance + overlap) + 0.5)) : 1
                let added = isAfterACELP && distance < 0 ? 0 : samples[distance + length / 2] * slope
                error.add(state.signal[index], expected: past[index] + added)
            }
            return error
        }
        #expect(comparison.agrees(below: -100), "\(comparison)")
    }

    @Test("A block ends with its slope and is silent afterwards", arguments: [1024, 768], [false, true])
    func fall(frameLength: Int, isShort: Bool) {
        var random = SeededRandom(seed: 320)
        var state = LPDState(frameLength: frameLength, coreRate: 16_000)
        let filterBank = CoreFilterBank(frameLength: frameLength)
        let overlap = state.overlapLength(isShort: isShort)
        let border = state.origin + frameLength / 2
        state.signal.set(random.samples(border + frameLength / 8, amplitude: 2000), at: 0)
        let past = state.signal.doubles(0..<border + frameLength / 8)
        state.fall(at: frameLength / 2, filterBank.values(.init(length: isShort ? .short : .quarter)))
        for index in 0..<past.count {
            let distance = index - border
            let slope =
                distance < -overlap ? 1 : distance >= overlap ? 0 : cos(.pi / Double(4 * overlap) * (Double(distance + overlap) + 0.5))
            #expect(abs(Double(state.signal[index]) - past[index] * slope) < 1e-3, "\(distance)")
        }
    }
}
