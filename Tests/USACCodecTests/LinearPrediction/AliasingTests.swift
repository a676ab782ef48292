// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct AliasingTests {
    /// Returns random coefficients and their gain.
    private static func coefficients(_ frameLength: Int, count: Int, _ random: inout SeededRandom) -> AliasingData {
        var data = AliasingData(frameLength: frameLength)
        data.count = count
        data.gain = random.integer(in: 0..<128)
        for code in 0..<count / 8 { data.codes[code] = random.latticeCode(number: [0, 2, 3, 4, 5, 7, 10][random.integer(in: 0..<7)]) }
        return data
    }

    /// Returns the components of all vectors.
    private static func values(_ data: borrowing AliasingData) -> [Int] {
        let model = LatticeModel()
        return (0..<data.count / 8).flatMap { index in
            let code = data.codes[index]
            return model.vector(
                number: code.number, index: Int(code.index), offsets: code.offsets.indices.map { Int(code.offsets[$0]) })
        }
    }

    // The decoder's transform is in single precision.
    @Test(
        "The correction is the transform of the coefficients, filtered with 1 / W(z)",
        arguments: [(1024, 128), (1024, 64), (768, 96), (768, 48)], [0, 1, 2, 4])
    func correction(lengths: (frame: Int, count: Int), quarterCount: Int) {
        var filterBank = CoreFilterBank(frameLength: lengths.frame)
        // Between the frequency domain and ACELP, coefficients are not shaped. A TCX block has at least a quarter and all coefficients.
        guard quarterCount == 0 || lengths.count == lengths.frame / 8 else { return }
        let comparison = ModelComparison(seeds: 400..<406) { seed, fault in
            var random = SeededRandom(seed: seed)
            var state = LPDState(frameLength: lengths.frame, coreRate: 16_000)
            state.frequencies.decode(random.plainSets())
            let filter = state.frequencies.filter(from: 2, to: 2, share: 0)
            let data = Self.coefficients(lengths.frame, count: lengths.count, &random)
            var gains = AliasingModel.gains(count: lengths.count, code: data.gain)
            if quarterCount > 0 {
                state.tcx.length = lengths.frame / 4 * quarterCount
                state.tcx.gain = random.float(in: 1...300)
                for group in 0..<32 { state.tcx.low[group] = random.float(in: 0.1...1) }
                gains = AliasingModel.gains(
                    count: lengths.count, lineCount: state.tcx.length, gain: Double(state.tcx.gain),
                    lowGains: (0..<32).map { Double(state.tcx.low[$0]) })
            }
            let gain = quarterCount > 0 ? state.correctionGain(count: lengths.count) : LPDState.gain(data.gain)
            state.computeCorrection(data, gain: gain, isShaped: quarterCount > 0, filter: filter, filterBank: &filterBank)
            let model = AliasingModel(fault: fault)
            let expected = model.correction(
                Self.values(data), gains: gains,
                filter: LineSpectralModel().filter(from: state.frequencies.set(2), to: state.frequencies.set(2), share: 0))
            var error = ModelError()
            error.add(state.correction.values, from: 16, expected: expected)
            // It can be added to the signal at any time.
            state.signal.set(random.samples(state.signal.count, amplitude: 100), at: 0)
            let past = state.signal.doubles(0..<state.signal.count)
            state.addCorrection(at: lengths.frame / 4, count: 2 * lengths.count)
            for index in past.indices {
                let place = index - state.origin - lengths.frame / 4
                let added = (0..<2 * lengths.count).contains(place) ? Double(state.correction[16 + place]) : 0
                #expect(abs(Double(state.signal[index]) - past[index] - added) <= 1e-6 * (abs(past[index]) + abs(added)), "seed \(seed)")
            }
            return error
        }
        #expect(comparison.agrees(below: -100), "\(comparison)")
    }

    // The decay is computed in single precision.
    @Test("After ACELP a transform gets the filter's decay and the mirrored signal", arguments: [1024, 768], [false, true])
    func decay(frameLength: Int, isShort: Bool) {
        let filterBank = CoreFilterBank(frameLength: frameLength)
        let comparison = ModelComparison(seeds: 420..<430) { seed, fault in
            var random = SeededRandom(seed: seed)
            var state = LPDState(frameLength: frameLength, coreRate: 16_000)
            state.frequencies.decode(random.plainSets())
            state.lastFilter = state.frequencies.filter(from: 3, to: 3, share: 0)
            let time = frameLength / 4 * random.integer(in: 0..<4)
            let border = state.origin + time
            let overlap = state.overlapLength(isShort: isShort)
            state.signal.set(random.voice(border, period: 71, noise: 300), at: 0)
            let added = AliasingModel(fault: fault).decay(
                after: state.signal.doubles(0..<border), count: overlap, filter: state.lastFilter.coefficients)
            state.addDecay(at: time, filterBank.values(.init(length: isShort ? .short : .quarter)))
            var error = ModelError()
            for index in border..<state.signal.count {
                error.add(state.signal[index], expected: index < border + overlap ? added[index - border] : 0)
            }
            return error
        }
        #expect(comparison.agrees(below: -100), "\(comparison)")
    }
}
