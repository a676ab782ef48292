// SPDX-License-Identifier: Apache-2.0

import Foundation
package import TransformCoding

/// HF adjustment of one channel, following the standard's text in double precision (ISO/IEC 14496-3:2009, 4.6.18.7).
package struct HFAdjusterModel {
    /// `V`.
    package let noiseTable: [DoubleComplex]
    private var noiseIndex = 0
    private var sineIndex = 0
    private var previousSines: Set<Int> = []
    private var startsWithTransient = false
    /// `G_Temp` and `Q_Temp` of the previous four time slots by subband, latest last.
    private var gainHistory = [[Double]](repeating: [Double](repeating: 0, count: 64), count: 4)
    private var noiseHistory = [[Double]](repeating: [Double](repeating: 0, count: 64), count: 4)

    private static let smoothing = [0.33333333333333, 0.30150283239582, 0.21816949906249, 0.11516383427084, 0.03183050093751]

    /// The gains of an envelope by subband.
    package struct Levels {
        package var gains = [Double](repeating: 0, count: 64)
        package var noises = [Double](repeating: 0, count: 64)
        package var sines = [Double](repeating: 0, count: 64)
    }

    package init(_ reference: HighEfficiencyTables) {
        noiseTable = reference.noise.map { DoubleComplex(real: $0[0], imaginary: $0[1]) }
    }

    /// Returns `Y` by time slot, starting with the frame's first envelope.
    ///
    /// - Parameter high: `X_High(subband, slot)`.
    package mutating func adjust(
        _ frame: borrowing SBRChannelFrame, _ header: SBRHeader, _ tables: FrequencyBandTables, isReset: Bool,
        high: (_ subband: Int, _ qmfSlot: Int) -> DoubleComplex
    ) -> [[DoubleComplex]] {
        let boundaries = (0...frame.boundaries.count).map { frame.boundaries[$0] }
        let (crossover, top) = (tables.high.first, tables.high.last)
        let envelopeCount = boundaries.count - 1
        var levels: [Levels] = []
        var sines: Set<Int> = []
        func isTransient(_ envelope: Int) -> Bool {
            envelope == frame.boundaries.transient || (envelope == 0 && startsWithTransient)
        }
        for envelope in 0..<envelopeCount {
            sines = sineSubbands(envelope, frame, tables)
            let qmfSlots = 2 * boundaries[envelope]..<2 * boundaries[envelope + 1]
            let current = (0..<64).map { subband in
                subband < crossover || subband >= top
                    ? 0 : qmfSlots.reduce(0) { $0 + high(subband, $1).energy } / Double(qmfSlots.count)
            }
            levels.append(
                Self.levels(envelope, frame, header, tables, sines: sines, current: current, isTransient: isTransient(envelope)))
        }
        if isReset {
            noiseIndex = 0
            gainHistory = [[Double]](repeating: levels[0].gains, count: 4)
            noiseHistory = [[Double]](repeating: levels[0].noises, count: 4)
        }
        var result: [[DoubleComplex]] = []
        for envelope in 0..<envelopeCount {
            let level = levels[envelope]
            for qmfSlot in 2 * boundaries[envelope]..<2 * boundaries[envelope + 1] {
                gainHistory.append(level.gains)
                noiseHistory.append(level.noises)
                let smooths = header.smoothsGains && !isTransient(envelope)
                var y = [DoubleComplex](repeating: .zero, count: 64)
                for subband in crossover..<top {
                    var gain = level.gains[subband]
                    var noise = level.noises[subband]
                    if smooths {
                        gain = (0..<5).reduce(0) { $0 + Self.smoothing[$1] * gainHistory[gainHistory.count - 1 - $1][subband] }
                        noise = (0..<5).reduce(0) { $0 + Self.smoothing[$1] * noiseHistory[noiseHistory.count - 1 - $1][subband] }
                    }
                    if isTransient(envelope) || level.sines[subband] != 0 { noise = 0 }
                    let m = subband - crossover
                    let elapsed = qmfSlot - 2 * boundaries[0]
                    let index = (noiseIndex + elapsed * (top - crossover) + m + 1) % 512
                    let phase = (sineIndex + elapsed) % 4
                    let sign = subband % 2 == 0 ? 1.0 : -1
                    let sine = DoubleComplex(real: [1, 0, -1, 0][phase], imaginary: sign * [0, 1, 0, -1][phase])
                    y[subband] = high(subband, qmfSlot) * gain + noiseTable[index] * noise + sine * level.sines[subband]
                }
                result.append(y)
            }
        }
        advance(qmfSlotCount: result.count, highBandCount: top - crossover)
        previousSines = sines
        startsWithTransient = frame.boundaries.transient == envelopeCount
        return result
    }

    private mutating func advance(qmfSlotCount: Int, highBandCount: Int) {
        gainHistory = gainHistory.suffix(4)
        noiseHistory = noiseHistory.suffix(4)
        noiseIndex = (noiseIndex + highBandCount * qmfSlotCount) % 512
        sineIndex = (sineIndex + qmfSlotCount) % 4
    }

    /// Returns the subbands of an envelope with `S_IndexMapped` = 1.
    private func sineSubbands(_ envelope: Int, _ frame: borrowing SBRChannelFrame, _ tables: FrequencyBandTables) -> Set<Int> {
        var sines: Set<Int> = []
        for band in 0..<tables.high.count where frame.harmonics >> UInt64(band) & 1 != 0 {
            let middle = (tables.high[band] + tables.high[band + 1]) / 2
            if envelope >= frame.boundaries.transient || previousSines.contains(middle) { sines.insert(middle) }
        }
        return sines
    }

    /// Returns `G_LimBoost`, `Q_MLimBoost` and `S_MBoost` of an envelope (4.6.18.7.2 to 4.6.18.7.5).
    ///
    /// - Parameters:
    ///   - sines: The subbands with `S_IndexMapped` = 1.
    ///   - current: The mean energy of each subband over the envelope's time slots.
    package static func levels(
        _ envelope: Int, _ frame: borrowing SBRChannelFrame, _ header: SBRHeader, _ tables: FrequencyBandTables, sines: Set<Int>,
        current: [Double], isTransient: Bool
    ) -> Levels {
        var result = Levels()
        var current = current
        var original = [Double](repeating: 0, count: 64)
        var noise = [Double](repeating: 0, count: 64)
        var hasSine = [Bool](repeating: false, count: 64)
        let bands = tables.envelopeBands(isHighResolution: frame.isHighResolution(envelope))
        for band in 0..<bands.count {
            let subbands = bands[band]..<bands[band + 1]
            let mean = subbands.reduce(0) { $0 + current[$1] } / Double(subbands.count)
            for subband in subbands {
                original[subband] = Double(frame.energies[48 * envelope + band])
                hasSine[subband] = subbands.contains { sines.contains($0) }
                if !header.interpolatesFrequency { current[subband] = mean }
            }
        }
        let floor = frame.boundaries.noiseFloor(of: envelope)
        for band in 0..<tables.noise.count {
            for subband in tables.noise[band]..<tables.noise[band + 1] { noise[subband] = Double(frame.noises[5 * floor + band]) }
        }
        let delta = isTransient ? 0.0 : 1
        for subband in tables.high.first..<tables.high.last {
            let (e, q) = (original[subband], noise[subband])
            result.noises[subband] = sqrt(e * q / (1 + q))
            result.sines[subband] = sines.contains(subband) ? sqrt(e / (1 + q)) : 0
            result.gains[subband] =
                hasSine[subband]
                ? sqrt(e * q / ((1 + current[subband]) * (1 + q))) : sqrt(e / ((1 + current[subband]) * (1 + delta * q)))
        }
        let limitGain = [0.70795, 1, 1.41254, 1e10][header.limiterGains]
        for band in 0..<tables.limiter.count {
            let subbands = tables.limiter[band]..<tables.limiter[band + 1]
            let originalSum = subbands.reduce(1e-12) { $0 + original[$1] }
            let currentSum = subbands.reduce(1e-12) { $0 + current[$1] }
            let maximum = min(limitGain * sqrt(originalSum / currentSum), 1e5)
            var sum = 1e-12
            for subband in subbands {
                let gain = result.gains[subband]
                if gain > 0 { result.noises[subband] = min(result.noises[subband], result.noises[subband] * maximum / gain) }
                result.gains[subband] = min(gain, maximum)
                sum += current[subband] * result.gains[subband] * result.gains[subband]
                sum += result.sines[subband] * result.sines[subband]
                if result.sines[subband] == 0 && !isTransient { sum += result.noises[subband] * result.noises[subband] }
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
