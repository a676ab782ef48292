// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import TestSupport
import Testing
import TransformCoding

/// Compares each part of parametric stereo with models in double precision.
@Suite struct StereoModelTests {
    /// A continuous sequence of frames with 64 subbands, as the low band and as the mono signal of a decoder's frame.
    final class Feeder {
        private var low: LowBandSlots
        private let qmfSlotCount: Int
        /// All time slots so far.
        ///
        /// Time slot 0 of the current mono frame is six time slots before the newest frame.
        private(set) var qmfSlots = [[DoubleComplex]](repeating: [DoubleComplex](repeating: .zero, count: 64), count: 6)
        private var frameCount = 0

        init(qmfSlotCount: Int) {
            self.qmfSlotCount = qmfSlotCount
            low = LowBandSlots(SlotLayout(coreFrameLength: 32 * qmfSlotCount))
        }

        /// Appends a frame with varying energy and attacks.
        func next(_ random: inout SeededRandom) {
            if frameCount > 0 { low.advance() }
            frameCount += 1
            let attack = Int.random(in: 0..<qmfSlotCount, using: &random)
            let frame = (0..<qmfSlotCount).map { qmfSlot in
                (0..<64).map { _ in DoubleComplex.random(qmfSlot == attack ? 5000 : 300, &random) }
            }
            low.fill(frame)
            qmfSlots += frame
        }

        /// Returns a subband value in a time slot of the current mono frame, from -6 to the frame length + 5.
        func value(_ subband: Int, _ qmfSlot: Int) -> DoubleComplex {
            qmfSlots[max(0, qmfSlots.count - qmfSlotCount - 6 + qmfSlot)][subband]
        }

        func load(_ analysis: inout HybridAnalysis) { analysis.load(low) }

        func load(_ synthesis: inout ParametricStereoSynthesis) { synthesis.load(low) }
    }

    @Test(arguments: [0, 3]) func `mixing matrices match the formulas for all indices`(mode: Int) {
        for (levelMode, levels) in [(0, StereoParameterModel.coarse), (3, StereoParameterModel.fine)] {
            var header = ParametricStereoHeader()
            (header.levelMode, header.coherenceMode) = (levelMode, mode)
            for (index, decibels) in levels.enumerated() {
                for (coherence, rho) in StereoParameterModel.coherences.enumerated() {
                    let found = StereoTables.shared.matrix(header, level: index - levels.count / 2, coherence: coherence)
                    let expected =
                        mode == 0
                        ? StereoParameterModel.matrixA(decibels: decibels, coherence: rho)
                        : StereoParameterModel.matrixB(decibels: decibels, coherence: rho)
                    for entry in 0..<4 {
                        #expect(abs(Double(found[entry]) - expected[entry]) < 1e-6, "\(decibels) dB, coherence \(rho), entry \(entry)")
                    }
                }
            }
        }
    }

    @Test(arguments: [StereoBands.bands20, .bands34], [32, 30])
    func `hybrid bands match the filters across frames`(bands: StereoBands, qmfSlotCount: Int) throws {
        let reference = try HighEfficiencyTables.load()
        var random = SeededRandom(seed: 600)
        let model = StereoSignalModel(reference, bandCount: bands.count)
        let feeder = Feeder(qmfSlotCount: qmfSlotCount)
        var analysis = HybridAnalysis(qmfSlotCount: qmfSlotCount)
        var low = [ComplexVector](repeating: .zero, count: 32)
        for frame in 0..<4 {
            feeder.next(&random)
            feeder.load(&analysis)
            var error = ModelError()
            for qmfSlot in stride(from: 0, to: qmfSlotCount, by: 4) {
                var span = low.mutableSpan
                analysis.split(qmfSlot, isFine: bands == .bands34, into: &span)
                for lane in 0..<min(4, qmfSlotCount - qmfSlot) {
                    let expected = model.split { feeder.value($0, qmfSlot + lane + $1) }
                    for k in expected.indices { error.add(low[k].lane(lane), expected: expected[k]) }
                }
            }
            analysis.advance(qmfSlotCount: qmfSlotCount)
            #expect(error.decibels < -120 && error.signal > 0, "seed 600, frame \(frame): \(error.decibels) dB")
        }
    }

    @Test(arguments: [StereoBands.bands20, .bands34]) func `hybrid bands match the stereo band table`(bands: StereoBands) throws {
        let reference = try HighEfficiencyTables.load()
        let model = StereoSignalModel(reference, bandCount: bands.count)
        #expect(bands.lowBandCount == model.lowBandCount && bands.splitSubbandCount == model.splitSubbandCount)
        for (k, band) in model.stereoBands.enumerated() {
            let subband = model.subband(ofHybridBand: k)
            #expect((k < bands.lowBandCount ? bands.stereoBand(ofLowBand: k) : bands.stereoBand(ofSubband: subband)) == band, "\(k)")
        }
        #expect(bands.conjugatedLowBands == (bands == .bands20 ? 0..<2 : 9..<12))
    }

    @Test(arguments: [StereoBands.bands20, .bands34], [32, 30])
    func `the decorrelated signal matches the all-pass links and delays`(bands: StereoBands, qmfSlotCount: Int) throws {
        let reference = try HighEfficiencyTables.load()
        var random = SeededRandom(seed: 610)
        var model = StereoSignalModel(reference, bandCount: bands.count)
        var decorrelator = Decorrelator(qmfSlotCount: qmfSlotCount)
        var low = [ComplexVector](repeating: .zero, count: 32)
        var subbands = [ComplexVector](repeating: .zero, count: 64)
        var (lowResult, result) = (low, subbands)
        for frame in 0..<5 {
            var error = ModelError()
            for qmfSlot in stride(from: 0, to: qmfSlotCount, by: 4) {
                let count = min(4, qmfSlotCount - qmfSlot)
                let values = (0..<count).map { _ in (0..<model.signal.count).map { _ in DoubleComplex.random(100, &random) } }
                for lane in 0..<count {
                    for k in 0..<model.lowBandCount { low[k].set(values[lane][k], lane: lane) }
                    for k in model.lowBandCount..<model.signal.count {
                        subbands[model.subband(ofHybridBand: k)].set(values[lane][k], lane: lane)
                    }
                }
                var lowTarget = lowResult.mutableSpan
                var target = result.mutableSpan
                decorrelator.decorrelate(
                    low: low.span, subbands: subbands.span, bands: bands, qmfSlots: qmfSlot..<qmfSlot + count, intoLow: &lowTarget,
                    into: &target)
                for lane in 0..<count {
                    let expected = model.decorrelate(values[lane]).signal
                    for k in expected.indices {
                        let found = k < model.lowBandCount ? lowResult[k] : result[model.subband(ofHybridBand: k)]
                        error.add(found.lane(lane), expected: expected[k])
                    }
                }
            }
            decorrelator.advance(qmfSlotCount: qmfSlotCount)
            #expect(error.decibels < -120 && error.signal > 0, "seed 610, frame \(frame): \(error.decibels) dB")
        }
    }

    @Test(arguments: [20, 34]) func `transient reduction matches the formula`(bandCount: Int) throws {
        var random = SeededRandom(seed: 620)
        var model = StereoSignalModel(try HighEfficiencyTables.load(), bandCount: bandCount)
        var reducer = TransientReducer()
        var reducedCount = 0
        for group in 0..<200 {
            let count = group % 8 == 7 ? 2 : 4
            var values = [SIMD4<Float>](repeating: SIMD4(repeating: 0), count: 36)
            for band in 0..<bandCount {
                for lane in 0..<count { values[band][lane] = Float(exp2(Double.random(in: 0...30, using: &random))) }
            }
            let powers = values
            var span = values.mutableSpan
            reducer.reduce(&span, bandCount: bandCount, qmfSlotCount: count)
            for lane in 0..<count {
                for band in 0..<bandCount {
                    let expected = model.reduceTransients(Double(powers[band][lane]), band: band)
                    if expected < 0.5 { reducedCount += 1 }
                    #expect(abs(Double(values[band][lane]) - expected) < 1e-4 * expected, "seed 620, group \(group), band \(band)")
                }
            }
        }
        #expect(reducedCount > 100)
    }

    @Test(arguments: selectedCases([[0], [1], [2], [3], [4], [5], [1, 4, 0], [1, 2, 5, 4]], [false, true]))
    func `both channels match the formulas across frames and modes`(modes: [Int], hasPhases: Bool) throws {
        let reference = try HighEfficiencyTables.load()
        let seed = UInt64(640 + modes.count * 10 + modes[0])
        var random = SeededRandom(seed: seed)
        var generator = RandomStereo(seed: seed + 1)
        let feeder = Feeder(qmfSlotCount: 32)
        var synthesis = ParametricStereoSynthesis(SlotLayout(coreFrameLength: 1024))
        var parameters = StereoParameterModel(reference)
        var signals = StereoSignalModel(reference, bandCount: 20)
        var left = [ComplexVector](repeating: .zero, count: 64)
        var right = left
        for frame in 0..<24 {
            feeder.next(&random)
            let data = generator.data(mode: modes[frame / 4 % modes.count], hasHeader: frame % 4 == 0, hasPhases: hasPhases)
            feeder.load(&synthesis)
            synthesis.begin(data)
            let matrices = parameters.matrices(data, qmfSlotCount: 32)
            if parameters.hasChangedBands { signals = StereoSignalModel(reference, bandCount: parameters.bandCount) }
            var error = ModelError()
            for qmfSlot in stride(from: 0, to: 32, by: 4) {
                for subband in 0..<64 {
                    for lane in 0..<4 { left[subband].set(feeder.value(subband, qmfSlot + lane), lane: lane) }
                }
                var leftSpan = left.mutableSpan
                var rightSpan = right.mutableSpan
                synthesis.synthesize(&leftSpan, right: &rightSpan, qmfSlot: qmfSlot, qmfSlotCount: 4)
                for lane in 0..<4 {
                    let expected = Self.mix(&signals, feeder, qmfSlot: qmfSlot + lane, matrices[qmfSlot + lane])
                    for subband in 0..<64 {
                        error.add(left[subband].lane(lane), expected: expected.left[subband])
                        error.add(right[subband].lane(lane), expected: expected.right[subband])
                    }
                }
            }
            synthesis.advance()
            synthesis.advanceAnalysis()
            #expect(error.decibels < -105 && error.signal > 0, "seed \(seed), frame \(frame): \(error.decibels) dB")
        }
    }

    @Test(arguments: [0, 2]) func `rows without a signal can be left out`(mode: Int) {
        var random = SeededRandom(seed: 650)
        var generator = RandomStereo(seed: 651)
        let feeder = Feeder(qmfSlotCount: 32)
        var complete = ParametricStereoSynthesis(SlotLayout(coreFrameLength: 1024))
        var limited = ParametricStereoSynthesis(SlotLayout(coreFrameLength: 1024))
        var previousEnd = 16
        for (frame, end) in [16, 12, 9, 9, 13, 10, 16, 11].enumerated() {
            feeder.next(&random)
            feeder.load(&complete)
            feeder.load(&limited)
            let data = generator.data(mode: mode, hasHeader: frame == 0, hasPhases: false)
            complete.begin(data)
            limited.begin(data)
            let rowCount = max(end, previousEnd)
            previousEnd = end
            for qmfSlot in stride(from: 0, to: 32, by: 4) {
                var lefts = [[ComplexVector]](repeating: [ComplexVector](repeating: .zero, count: 64), count: 2)
                for subband in 0..<4 * end {
                    for lane in 0..<4 { lefts[0][subband].set(feeder.value(subband, qmfSlot + lane), lane: lane) }
                }
                lefts[1] = lefts[0]
                var rights = lefts
                do {
                    var left = lefts[0].mutableSpan
                    var right = rights[0].mutableSpan
                    complete.synthesize(&left, right: &right, qmfSlot: qmfSlot, qmfSlotCount: 4)
                }
                do {
                    var left = lefts[1].mutableSpan
                    var right = rights[1].mutableSpan
                    limited.synthesize(&left, right: &right, rowCount: rowCount, qmfSlot: qmfSlot, qmfSlotCount: 4)
                }
                for subband in 0..<64 {
                    let (left, right) = (lefts[0][subband], rights[0][subband])
                    let others = subband < 4 * rowCount ? (lefts[1][subband], rights[1][subband]) : (.zero, .zero)
                    let isEqual = left.real == others.0.real && left.imaginary == others.0.imaginary
                    #expect(isEqual && right.real == others.1.real && right.imaginary == others.1.imaginary, "frame \(frame), \(subband)")
                }
            }
            complete.advance()
            limited.advance()
            complete.advanceAnalysis()
            limited.advanceAnalysis()
        }
    }

    /// Returns the subbands of both channels in a time slot of the feeder's current frame.
    private static func mix(
        _ signals: inout StereoSignalModel, _ feeder: Feeder, qmfSlot: Int, _ matrices: [StereoParameterModel.Matrix]
    ) -> (left: [DoubleComplex], right: [DoubleComplex]) {
        let hybrid =
            signals.split { feeder.value($0, qmfSlot + $1) } + (signals.splitSubbandCount..<64).map { feeder.value($0, qmfSlot) }
        let decorrelated = signals.decorrelate(hybrid)
        var left = [DoubleComplex](repeating: .zero, count: 64)
        var right = left
        let conjugated = signals.bandCount == 20 ? [0, 1] : [9, 10, 11]
        for k in hybrid.indices {
            let band = signals.stereoBands[k]
            let h = conjugated.contains(k) ? matrices[band].map(\.conjugate) : matrices[band]
            let d = decorrelated.signal[k] * decorrelated.gains[band]
            let subband = signals.subband(ofHybridBand: k)
            left[subband] = left[subband] + h[0] * hybrid[k] + h[2] * d
            right[subband] = right[subband] + h[1] * hybrid[k] + h[3] * d
        }
        return (left, right)
    }
}
