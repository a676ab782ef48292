// SPDX-License-Identifier: Apache-2.0

/// The output of the harmonic transposer, `X_T`: QMF slots of 64 complex subbands, starting with the previous frame's last slots
/// (ISO/IEC 23003-3, 7.5.4).
package struct TransposedSlots: ~Copyable {
    /// The real parts, with subband k of QMF slot c at index 64 c + k.
    package var real: FixedArray<Float>
    /// The imaginary parts, in the same order.
    package var imaginary: FixedArray<Float>
    /// The boundaries of the transposer's ranges, for limiter bands.
    package var ranges = PatchTable()
    /// `t_HFGen`: the number of QMF slots of the previous frame.
    package let retainedCount: Int
    package let qmfSlotCount: Int

    /// Creates silent QMF slots.
    ///
    /// - Parameter spareCount: The number of QMF slots after the frame.
    package init(_ layout: SlotLayout, spareCount: Int) {
        retainedCount = layout.historyCount
        qmfSlotCount = layout.qmfSlotCount
        let count = 64 * (retainedCount + qmfSlotCount + spareCount)
        real = FixedArray(repeating: 0, count: count)
        imaginary = FixedArray(repeating: 0, count: count)
    }

    /// Creates an empty value for channels without a transposer.
    package init() {
        retainedCount = 0
        qmfSlotCount = 0
        real = FixedArray(repeating: 0, count: 0)
        imaginary = FixedArray(repeating: 0, count: 0)
    }

    /// Moves the last QMF slots of the frame, and those after it, to the start as the next frame's history.
    package mutating func advance() {
        let (shift, count) = (64 * qmfSlotCount, real.count)
        real.copy(shift..<count, to: 0)
        imaginary.copy(shift..<count, to: 0)
        for index in count - shift..<count {
            real[index] = 0
            imaginary[index] = 0
        }
    }

    /// Returns the value of a subband in a QMF slot, counted from the first retained slot.
    @inline(__always)
    private func value(_ band: Int, _ qmfSlot: Int) -> SIMD2<Double> {
        SIMD2(Double(real[64 &* qmfSlot &+ band]), Double(imaginary[64 &* qmfSlot &+ band]))
    }

    /// Generates the high band from the QMF slots.
    ///
    /// Each subband is inverse-filtered with its own prediction.
    ///
    /// - Parameter strengths: `bw` of each subband.
    func generate(
        into high: inout HighBandSlots, qmfSlots: Range<Int>, tables: borrowing FrequencyBandTables,
        strengths: borrowing SubbandStrengths, termCount: Int
    ) {
        for row in tables.crossoverSubband / 4...(tables.high.last - 1) / 4 {
            for qmfSlot in qmfSlots {
                high.real[16 * qmfSlot + row] = SIMD4(repeating: 0)
                high.imaginary[16 * qmfSlot + row] = SIMD4(repeating: 0)
            }
        }
        for band in tables.crossoverSubband..<tables.high.last {
            let strength = Double(strengths.row(band / 4)[band % 4])
            var (first, second) = (SIMD2<Double>(0, 0), SIMD2<Double>(0, 0))
            if strength != 0 {
                (first, second) = coefficients(band, termCount: termCount)
                first *= strength
                second *= strength * strength
            }
            let (row, lane) = (band / 4, band % 4)
            for qmfSlot in qmfSlots {
                var sum = value(band, qmfSlot + 2)
                if strength != 0 {
                    let (x1, x0) = (value(band, qmfSlot + 1), value(band, qmfSlot))
                    sum += SIMD2(first.x * x1.x - first.y * x1.y, first.x * x1.y + first.y * x1.x)
                    sum += SIMD2(second.x * x0.x - second.y * x0.y, second.x * x0.y + second.y * x0.x)
                }
                high.real[16 * qmfSlot + row][lane] = Float(sum.x)
                high.imaginary[16 * qmfSlot + row][lane] = Float(sum.y)
            }
        }
    }

    /// Returns `α0` and `α1` of a subband (ISO/IEC 14496-3:2009, 4.6.18.6.2).
    private func coefficients(_ band: Int, termCount: Int) -> (first: SIMD2<Double>, second: SIMD2<Double>) {
        var (energy1, energy2) = (0.0, 0.0)
        var (lag01, lag12, lag02) = (SIMD2<Double>(0, 0), SIMD2<Double>(0, 0), SIMD2<Double>(0, 0))
        var (x0, x1) = (value(band, 0), value(band, 1))
        for term in 0..<termCount {
            let x2 = value(band, term + 2)
            energy1 += x1.x * x1.x + x1.y * x1.y
            energy2 += x0.x * x0.x + x0.y * x0.y
            lag01 += Self.product(x2, x1)
            lag12 += Self.product(x1, x0)
            lag02 += Self.product(x2, x0)
            (x0, x1) = (x1, x2)
        }
        return LinearPrediction.solve(energy1: energy1, energy2: energy2, lag01: lag01, lag12: lag12, lag02: lag02)
    }

    /// Returns a · conj b.
    @inline(__always)
    private static func product(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y)
    }
}
