// SPDX-License-Identifier: Apache-2.0

/// Temporal shaping of high-band envelopes by low-band levels (inter-TES, ISO/IEC 23003-3, 7.5).
package enum TemporalShaper {
    /// The minimum gain of a QMF slot.
    private static let minimumGain: Float = 0.2

    /// Shapes the QMF slots of an envelope and preserves its energy.
    ///
    /// - Parameters:
    ///   - high: `Y` with noise but without sinusoids.
    ///   - low: `X_Low`. QMF slot i of the high band is slot i + 2 here.
    ///   - mode: `bs_inter_temp_shape_mode`, 1 to 3.
    package static func shape(
        _ high: inout HighBandSlots, by low: borrowing LowBandSlots, qmfSlots: Range<Int>, mode: UInt8,
        tables: borrowing FrequencyBandTables
    ) {
        let strength: Float = [0, 1, 2, 4][Int(mode & 3)]
        var total: Float = 1e-6
        for qmfSlot in qmfSlots { total += power(low, qmfSlot, bandCount: tables.crossoverSubband) }
        var (energy, shapedEnergy): (Float, Float) = (0, 1e-6)
        for qmfSlot in qmfSlots {
            let gain = gain(low, qmfSlot, tables, strength: strength, count: qmfSlots.count, total: total)
            let power = power(high, qmfSlot, tables)
            energy += power
            shapedEnergy += gain * gain * power
        }
        let scale = (energy / shapedEnergy).squareRoot()
        for qmfSlot in qmfSlots {
            let gain = scale * gain(low, qmfSlot, tables, strength: strength, count: qmfSlots.count, total: total)
            for row in tables.crossoverSubband / 4..<(tables.high.last + 3) / 4 {
                high.real[16 * qmfSlot + row] *= SIMD4(repeating: gain)
                high.imaginary[16 * qmfSlot + row] *= SIMD4(repeating: gain)
            }
        }
    }

    /// Returns the gain of a QMF slot before the energy correction.
    private static func gain(
        _ low: borrowing LowBandSlots, _ qmfSlot: Int, _ tables: borrowing FrequencyBandTables, strength: Float, count: Int, total: Float
    ) -> Float {
        let ratio = (Float(count) * power(low, qmfSlot, bandCount: tables.crossoverSubband) / total).squareRoot()
        return max(1 + strength * (ratio - 1), minimumGain)
    }

    /// Returns the low-band energy in a QMF slot of the high band.
    private static func power(_ low: borrowing LowBandSlots, _ qmfSlot: Int, bandCount: Int) -> Float {
        let first = LowBandSlots.row(ofQMFSlot: qmfSlot + 2)
        var sum: Float = 0
        for band in 0..<bandCount {
            let (real, imaginary) = (low.real[first + band / 4][band % 4], low.imaginary[first + band / 4][band % 4])
            sum += real * real + imaginary * imaginary
        }
        return sum
    }

    private static func power(_ high: borrowing HighBandSlots, _ qmfSlot: Int, _ tables: borrowing FrequencyBandTables) -> Float {
        var sum: Float = 0
        for band in tables.crossoverSubband..<tables.high.last {
            let index = 16 * qmfSlot + band / 4
            sum +=
                high.real[index][band % 4] * high.real[index][band % 4] + high.imaginary[index][band % 4] * high.imaginary[index][band % 4]
        }
        return sum
    }
}
