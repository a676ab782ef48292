// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct SurroundSynthesisTests {
    /// The random data of a frame, as bits and in the models' form.
    private struct Frame {
        var writer = BitWriter()
        /// Whether each output is shaped, and its reshaping values by time slot.
        var isShaped = [false, false]
        var reshaping: [[Int]] = [[], []]
        /// The phases of the time slots with TSD.
        var phases: [Int: Int] = [:]

        /// Creates the data of a frame of 32 time slots with the common set of level differences and coherences.
        init(_ configuration: MPEGSurround212Config, levels: [Int], coherences: [Int], _ random: inout SeededRandom) {
            for (values, offset, count) in [(levels, 0, 5), (coherences, 0, 3)] {
                // Coded, no pair, fine steps, every band, PCM codes.
                for (value, bits) in [(3, 2), (0, 1), (0, 1), (0, 2), (1, 1)] { writer.write(UInt32(value), count: bits) }
                for value in values { writer.write(UInt32(value + offset), count: count) }
            }
            guard configuration.temporalShaping > 0, random.integer(in: 0..<4) > 0 else {
                if configuration.temporalShaping > 0 { writer.write(false) }
                return
            }
            writer.write(true)
            if configuration.temporalShaping == 3 { writeTransients(&random) } else { writeShapes(configuration, &random) }
        }

        private mutating func writeShapes(_ configuration: MPEGSurround212Config, _ random: inout SeededRandom) {
            isShaped = [random.integer(in: 0..<3) > 0, random.integer(in: 0..<3) > 0]
            for flag in isShaped { writer.write(flag) }
            guard configuration.temporalShaping == 2 else { return }
            for output in 0..<2 where isShaped[output] {
                while reshaping[output].count < 32 {
                    let (value, run) = (random.integer(in: 0..<5), random.integer(in: 1..<min(8, 32 - reshaping[output].count) + 1))
                    let index = 8 * value + run - 1
                    let tables = UnifiedTables.shared
                    writer.write(UInt32(tables.reshapingCodes[index]), count: tables.reshapingLengths[index])
                    reshaping[output] += [Int](repeating: value, count: run)
                }
            }
        }

        /// Writes the TSD time slots: their number, their combination, and their phases.
        private mutating func writeTransients(_ random: inout SeededRandom) {
            let count = random.integer(in: 1..<17)
            let slots = (0..<32).shuffled(using: &random).prefix(count).sorted()
            // C(n, k) is an integer after each step.
            func combinations(_ n: Int, _ k: Int) -> Int { k > n ? 0 : k < 1 ? 1 : (0..<k).reduce(1) { $0 * (n - $1) / ($1 + 1) } }
            let word = slots.enumerated().reduce(0) { $0 + combinations($1.element, $1.offset + 1) }
            writer.write(UInt32(count - 1), count: 4)
            writer.write(UInt32(word), count: UnifiedTables.shared.transientWordBits[count - 1])
            for slot in slots {
                phases[slot] = random.integer(in: 0..<8)
                writer.write(UInt32(phases[slot] ?? 0), count: 3)
            }
        }
    }

    /// Returns H11, H12, H21 and H22 for a level difference and a coherence.
    private static func matrix(level: Int, coherence: Int) -> [Double] {
        let c = pow(10, UnifiedTables.shared.levelDifferences[level] / 20)
        let (c1, c2) = (c / (1 + c * c).squareRoot(), 1 / (1 + c * c).squareRoot())
        let alpha = 0.5 * acos(UnifiedTables.shared.coherences[coherence])
        let beta = atan(tan(alpha) * (c2 - c1) / (c2 + c1))
        return [c1 * cos(alpha + beta), c1 * sin(alpha + beta), c2 * cos(beta - alpha), c2 * sin(beta - alpha)]
    }

    /// Sets the time slots of a signal.
    private static func set(_ qmfSlots: [[DoubleComplex]], in signal: inout SurroundSignal) {
        for (qmfSlot, values) in qmfSlots.enumerated() {
            for (band, value) in values.enumerated() { signal[band, qmfSlot] = SIMD2(Float(value.real), Float(value.imaginary)) }
        }
    }

    /// Returns the decorrelated bands of a time slot, including those that TSD routes around the decorrelator.
    private static func decorrelated(
        _ model: inout SurroundDecorrelatorModel, _ downmix: [DoubleComplex], phase: Int?, fault: PlantedFault?
    ) -> [DoubleComplex] {
        guard let phase else { return model.decorrelate(downmix) }
        let first = fault == .boundary ? 8 : 7
        let result = model.decorrelate(downmix.enumerated().map { $0 < first ? $1 : .zero })
        let angle = .pi / 4 * Double(fault == .sign ? -phase : fault == .index ? phase + 1 : phase)
        return result.enumerated().map { $0 < first ? $1 : $1 + downmix[$0] * DoubleComplex.unit(angle) }
    }

    // Matrices and signals are in single precision. STP and GES divide small energies.
    @Test(
        "Outputs mix the downmix and its decorrelated signal: without shaping, with STP, GES and TSD",
        arguments: 0..<4, 0..<3)
    func outputs(shaping: Int, decorrelation: Int) throws {
        let bands20 = try HighEfficiencyTables.load().stereoBands20
        var duckedCount = 0
        let comparison = try ModelComparison(seeds: 1000..<1003, faultSeedCount: 1) { seed, fault in
            var random = SeededRandom(seed: seed)
            var configuration = MPEGSurround212Config()
            (configuration.temporalShaping, configuration.decorrelation) = (shaping, decorrelation)
            configuration.envelopeQuantization = shaping == 2 ? random.integer(in: 0..<2) : 0
            var synthesis = SurroundSynthesis(configuration, hasResidual: false, qmfSlotCount: 32)
            var decorrelator = SurroundDecorrelatorModel(configuration: decorrelation, fault: shaping == 0 ? fault : nil)
            var shaper = SurroundShaperModel(bands20: bands20, fault: fault)
            let levels = (0..<28).map { _ in random.integer(in: 0..<31) }
            let coherences = (0..<28).map { _ in random.integer(in: 0..<8) }
            let matrices = (0..<28).map { Self.matrix(level: levels[$0], coherence: coherences[$0]) }
            var error = ModelError()
            for frame in 0..<6 {
                let data = Frame(configuration, levels: levels, coherences: coherences, &random)
                var reader = BitReader(data.writer.bytes)
                try synthesis.read(from: &reader, isIndependent: true)
                #expect(reader.bitPosition == data.writer.bitCount, "seed \(seed)")
                synthesis.startFrame()
                let downmix = (0..<32).map { qmfSlot in
                    let level: Float = random.integer(in: 0..<8) == 0 ? 8000 : 300
                    return (0..<71).map { _ in DoubleComplex.random(level, &random) }
                }
                Self.set(downmix, in: &synthesis.downmix)
                synthesis.mix()
                for (qmfSlot, m) in downmix.enumerated() {
                    let d = Self.decorrelated(&decorrelator, m, phase: data.phases[qmfSlot], fault: fault)
                    // The first frame's matrices are interpolated from 0.
                    let weight = frame == 0 ? Double(qmfSlot + 1) / 32 : 1
                    func mixed(_ values: [DoubleComplex], _ entry: Int) -> [DoubleComplex] {
                        values.enumerated().map { $1 * (weight * matrices[UnifiedTables.shared.surroundBands28[$0]][entry]) }
                    }
                    let parts = SurroundShaperModel.Column(dry: [mixed(m, 0), mixed(m, 2)], wet: [mixed(d, 1), mixed(d, 3)])
                    let expected: [[DoubleComplex]]
                    switch shaping {
                    case 1: expected = shaper.subbandShaped(parts, isShaped: data.isShaped)
                    case 2:
                        let step = Double(configuration.envelopeQuantization + 2)
                        let gains = (0..<2).map { data.isShaped[$0] ? pow(2, Double(data.reshaping[$0][qmfSlot]) / step - 1) : nil }
                        expected = shaper.guided(parts, downmix: m, reshaping: gains)
                    default: expected = (0..<2).map { zip(parts.dry[$0], parts.wet[$0]).map { $0 + $1 } }
                    }
                    for output in 0..<2 {
                        for band in 0..<71 {
                            let value = synthesis.output.value(output, band, qmfSlot)
                            error.add(DoubleComplex(real: Double(value.x), imaginary: Double(value.y)), expected: expected[output][band])
                        }
                    }
                }
            }
            duckedCount += decorrelator.duckedCount
            return error
        }
        #expect(duckedCount > 100)
        #expect(comparison.agrees(below: -115), "\(comparison)")
    }
}
