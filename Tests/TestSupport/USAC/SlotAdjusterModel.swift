// SPDX-License-Identifier: Apache-2.0

import Foundation
package import TransformCoding

/// HF adjustment with predicted envelopes, one per time slot, following the standard's text in double precision (ISO/IEC 23003-3, 7.5.6).
///
/// Planted faults: sinusoids rotate in the opposite direction (sign). Noise is one table entry late (index). New sinusoids start one time
/// slot late (boundary).
package struct SlotAdjusterModel {
    package struct Frame {
        /// `E_OrigMapped` of each time slot and subband.
        package var energies: [[Double]]
        /// `t_E(0)`.
        package var start: Int
        /// The first time slot of the second noise floor; 0 without one.
        package var noisePosition: Int
        /// The noise floors by noise band.
        package var noises: [[Double]]
        /// The subbands with a sinusoid, and the time slot where new sinusoids start.
        package var sines: Set<Int>
        package var sinePosition: Int

        package init(
            energies: [[Double]], start: Int, noisePosition: Int, noises: [[Double]], sines: Set<Int>, sinePosition: Int
        ) {
            self.energies = energies
            self.start = start
            self.noisePosition = noisePosition
            self.noises = noises
            self.sines = sines
            self.sinePosition = sinePosition
        }
    }

    /// `V`.
    private let noiseTable: [DoubleComplex]
    private let qmfSlotsPerTimeSlot: Int
    private let fault: PlantedFault?
    private var noiseIndex = 0
    private var sineIndex = 0
    private var last = Frame(energies: [], start: 0, noisePosition: 0, noises: [], sines: [], sinePosition: 31)
    /// The sinusoids of the last frame but one, and of the last frame.
    private var lastCarried: Set<Int> = []
    private var carried: Set<Int> = []
    /// `G_Temp` and `Q_Temp`, latest last.
    private var gainHistory = [[Double]](repeating: [Double](repeating: 0, count: 64), count: 4)
    private var noiseHistory = [[Double]](repeating: [Double](repeating: 0, count: 64), count: 4)

    package init(_ reference: HighEfficiencyTables, qmfSlotsPerTimeSlot: Int, fault: PlantedFault? = nil) {
        noiseTable = reference.noise.map { DoubleComplex(real: $0[0], imaginary: $0[1]) }
        self.qmfSlotsPerTimeSlot = qmfSlotsPerTimeSlot
        self.fault = fault
    }

    /// Returns the sinusoids of a time slot.
    private func sines(_ frame: Frame, _ carried: Set<Int>, _ slot: Int) -> Set<Int> {
        slot >= frame.sinePosition + (fault == .boundary ? 1 : 0) ? frame.sines : frame.sines.intersection(carried)
    }

    /// Returns `Y` by QMF time slot and subband.
    ///
    /// - Parameter high: `X_High(subband, slot)`.
    package mutating func adjust(
        _ frame: Frame, _ header: SBRHeader, _ tables: FrequencyBandTables, isReset: Bool, high: (Int, Int) -> DoubleComplex
    ) -> [[DoubleComplex]] {
        let highBand = tables.high.first..<tables.high.last
        var result: [[DoubleComplex]] = []
        var current: Set<Int> = []
        for slot in 0..<16 {
            let isOwn = slot >= frame.start
            current = isOwn ? sines(frame, carried, slot) : sines(last, lastCarried, slot + 16)
            let floor = frame.noisePosition > 0 && slot >= frame.noisePosition ? 1 : 0
            let noises = isOwn ? frame.noises[floor] : last.noises.last ?? []
            let qmfSlots = qmfSlotsPerTimeSlot * slot..<qmfSlotsPerTimeSlot * (slot + 1)
            let levels = Self.levels(frame.energies[slot], noises, current, header, tables) { subband in
                qmfSlots.reduce(0.0) { $0 + high(subband, $1).energy } / Double(qmfSlotsPerTimeSlot)
            }
            if isReset && slot == 0 {
                noiseIndex = 0
                gainHistory = [[Double]](repeating: levels.gains, count: 4)
                noiseHistory = [[Double]](repeating: levels.noises, count: 4)
            }
            for qmfSlot in qmfSlots {
                gainHistory = gainHistory.suffix(4) + [levels.gains]
                noiseHistory = noiseHistory.suffix(4) + [levels.noises]
                var y = [DoubleComplex](repeating: .zero, count: 64)
                for subband in highBand {
                    let weights = header.smoothsGains ? Self.smoothing : [1]
                    func smoothed(_ history: [[Double]]) -> Double {
                        weights.indices.reduce(0) { $0 + weights[$1] * history[4 - $1][subband] }
                    }
                    let noise = levels.sines[subband] == 0 ? smoothed(noiseHistory) : 0
                    let elapsed = qmfSlot * highBand.count + subband - highBand.lowerBound
                    let index = (noiseIndex + elapsed + (fault == .index ? 0 : 1)) % 512
                    let phase = (sineIndex + qmfSlot) % 4
                    let sign = (subband % 2 == 0) == (fault != .sign) ? 1.0 : -1
                    let sine = DoubleComplex(real: [1, 0, -1, 0][phase], imaginary: sign * [0, 1, 0, -1][phase])
                    y[subband] = high(subband, qmfSlot) * smoothed(gainHistory) + noiseTable[index] * noise + sine * levels.sines[subband]
                }
                result.append(y)
            }
        }
        noiseIndex = (noiseIndex + highBand.count * result.count) % 512
        sineIndex = (sineIndex + result.count) % 4
        (lastCarried, carried, last) = (carried, current, frame)
        return result
    }

    private static let smoothing = [0.33333333333333, 0.30150283239582, 0.21816949906249, 0.11516383427084, 0.03183050093751]

    /// Returns `G_LimBoost`, `Q_MLimBoost` and `S_MBoost` of a time slot.
    private static func levels(
        _ original: [Double], _ noiseFloors: [Double], _ sines: Set<Int>, _ header: SBRHeader, _ tables: FrequencyBandTables,
        energy: (Int) -> Double
    ) -> HFAdjusterModel.Levels {
        var result = HFAdjusterModel.Levels()
        var current = (0..<64).map { $0 < tables.high.first || $0 >= tables.high.last ? 0 : energy($0) }
        var isUnderSine = [Bool](repeating: false, count: 64)
        for band in 0..<tables.low.count {
            let subbands = tables.low[band]..<tables.low[band + 1]
            let mean = subbands.reduce(0) { $0 + current[$1] } / Double(subbands.count)
            for subband in subbands {
                isUnderSine[subband] = subbands.contains { sines.contains($0) }
                if !header.interpolatesFrequency { current[subband] = mean }
            }
        }
        for subband in tables.high.first..<tables.high.last {
            let noiseBand = (0..<tables.noise.count).last { tables.noise[$0] <= subband } ?? 0
            let (e, q) = (original[subband], noiseFloors.isEmpty ? 0 : noiseFloors[noiseBand])
            result.noises[subband] = sqrt(e * q / (1 + q))
            result.sines[subband] = sines.contains(subband) ? sqrt(e / (1 + q)) : 0
            result.gains[subband] = sqrt(e * (isUnderSine[subband] ? q : 1) / ((1 + current[subband]) * (1 + q)))
        }
        for band in 0..<tables.limiter.count {
            let subbands = tables.limiter[band]..<tables.limiter[band + 1]
            let (originalSum, currentSum) = (subbands.reduce(1e-12) { $0 + original[$1] }, subbands.reduce(1e-12) { $0 + current[$1] })
            let maximum = min([0.70795, 1, 1.41254, 1e10][header.limiterGains] * sqrt(originalSum / currentSum), 1e5)
            var sum = 1e-12
            for subband in subbands {
                let gain = result.gains[subband]
                if gain > 0 { result.noises[subband] = min(result.noises[subband], result.noises[subband] * maximum / gain) }
                result.gains[subband] = min(gain, maximum)
                let (noise, sine) = (result.noises[subband], result.sines[subband])
                sum += current[subband] * result.gains[subband] * result.gains[subband] + (sine == 0 ? noise * noise : sine * sine)
            }
            let boost = min(sqrt(originalSum / sum), 1.584893192)
            for subband in subbands {
                result.gains[subband] *= boost
                result.noises[subband] *= boost
                result.sines[subband] *= boost
            }
        }
        return result
    }
}
