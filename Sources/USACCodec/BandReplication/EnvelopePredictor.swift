// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Predicts the high band's envelope from the low band (predictive vector coding, PVC, ISO/IEC 23003-3, 7.5.6).
package struct EnvelopePredictor: ~Copyable {
    package var envelopes = PredictedEnvelopes()
    /// The levels of the three low groups, in decibels: 15 previous time slots, then the current frame's.
    private var levels = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: historyCount + 16)
    /// Whether the previous frame was predicted.
    private var wasPredicted = false
    /// `kx` of the previous frame.
    private var crossover = 0
    /// The smoothing windows for 16, 12, 4 and 3 time slots, newest first.
    private let windows: [[Float]]
    /// `RATE`: the number of QMF slots per time slot.
    private let qmfSlotsPerTimeSlot: Int

    /// The number of previous time slots in the smoothing.
    private static let historyCount = 15
    /// The minimum energy of a group.
    private static let energyFloor: Float = 0.1

    package init(_ layout: SlotLayout) {
        qmfSlotsPerTimeSlot = layout.qmfSlotsPerTimeSlot
        windows = [16, 12, 4, 3].map { count in
            let weights = (0..<count).map { CircularFunctions.cosinePi(Double($0) / Double(2 * count)).squareRoot() }
            let sum = weights.reduce(0, +)
            return weights.map { Float($0 / sum) }
        }
    }

    /// Records a frame without prediction.
    package mutating func skip() { wasPredicted = false }

    /// Predicts the envelopes of a frame.
    ///
    /// - Parameters:
    ///   - filledCount: The number of time slots that the previous frame has filled.
    ///   - start: `t_E(0)`: the first time slot of the frame's own noise and sinusoids.
    package mutating func predict(
        _ data: PredictionData, low: borrowing LowBandSlots, tables: borrowing FrequencyBandTables, filledCount: Int, start: Int
    ) {
        envelopes.first = wasPredicted ? 0 : min(filledCount, 15)
        envelopes.start = wasPredicted ? start : envelopes.first
        envelopes.noisePosition = data.noisePosition
        envelopes.sinePosition = data.sinePosition
        measure(low, crossover: tables.crossoverSubband)
        let isNewCrossover = crossover != tables.crossoverSubband
        if !wasPredicted || isNewCrossover {
            for slot in 0..<Self.historyCount + envelopes.first { levels[slot] = levels[Self.historyCount + envelopes.first] }
        }
        for slot in envelopes.first..<16 { predict(slot, data, tables: tables) }
        levels.copy(16..<16 + Self.historyCount, to: 0)
        wasPredicted = true
        crossover = tables.crossoverSubband
    }

    /// Measures the levels of the three groups below the high band.
    private mutating func measure(_ low: borrowing LowBandSlots, crossover: Int) {
        let width = 8 / qmfSlotsPerTimeSlot
        for slot in 0..<16 {
            var result = SIMD4<Float>(repeating: -10)
            for group in 0..<3 {
                let first = crossover - (3 - group) * width
                guard first >= 0 else { continue }
                var sum: Float = 0
                for qmfSlot in qmfSlotsPerTimeSlot * slot..<qmfSlotsPerTimeSlot * (slot + 1) {
                    let row = LowBandSlots.row(ofQMFSlot: qmfSlot + 2)
                    for band in first..<first + width {
                        let (real, imaginary) = (low.real[row + band / 4][band % 4], low.imaginary[row + band / 4][band % 4])
                        sum += real * real + imaginary * imaginary
                    }
                }
                let energy = max(sum / Float(width * qmfSlotsPerTimeSlot), Self.energyFloor)
                result[group] = Float(PortableMath.decibelsPerOctave) * PortableMath.log2(energy)
            }
            levels[Self.historyCount + slot] = result
        }
    }

    private mutating func predict(_ slot: Int, _ data: PredictionData, tables: borrowing FrequencyBandTables) {
        let isFirstMode = data.mode == 1
        let window = windows[(data.isBrief ? 2 : 0) + (isFirstMode ? 0 : 1)]
        var smoothed = SIMD4<Float>(repeating: 0)
        for index in 0..<window.count { smoothed += levels[Self.historyCount + slot - index] * SIMD4(repeating: window[index]) }
        let vector = Int(data.vectors[slot])
        let weightTable = isFirstMode ? PredictionTables.firstWeights : PredictionTables.secondWeights
        let offsetTable = isFirstMode ? PredictionTables.firstOffsets : PredictionTables.secondOffsets
        let (weights, offsets) = (weightTable.span, offsetTable.span)
        let borders = isFirstMode ? (17, 68) : (16, 52)
        let scale: Float = isFirstMode ? 1 : 2
        let groupCount = isFirstMode ? 8 : 6
        let groupWidth = (isFirstMode ? 8 : 12) / qmfSlotsPerTimeSlot
        let kind = vector < borders.0 ? 0 : vector < borders.1 ? 1 : 2
        let factors = SIMD4<Float>(1.0 / 256, 1.0 / 256, 1.0 / 128, 0) * SIMD4(repeating: scale) * smoothed
        let (first, end) = (tables.crossoverSubband, tables.high.last)
        for group in 0..<groupCount {
            var level = Float(offsets[vector * groupCount + group]) * 0.5 * scale
            for low in 0..<3 { level += Float(weights[(3 * kind + low) * groupCount + group]) * factors[low] }
            let energy = PortableMath.exp2(level / Float(PortableMath.decibelsPerOctave))
            let start = first + group * groupWidth
            let stop = group == groupCount - 1 ? end : min(start + groupWidth, end)
            guard start < stop else { break }
            for band in start..<stop { envelopes.energies[64 * slot + band] = energy }
        }
    }
}
