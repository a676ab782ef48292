// SPDX-License-Identifier: Apache-2.0

/// Computes the tables of ``MDCT``, in double precision.
enum MDCTTables {
    /// Returns exp(2πi (n + 1/8) / N) for 0 <= n < count / 2 and N = 2 count, four in a row: first times the square root of
    /// `forwardFactor`, then, in as many rows again, times that of `inverseFactor`.
    static func rotations(count: Int, forwardFactor: Double, inverseFactor: Double) -> FixedArray<ComplexVector> {
        var rows = FixedArray<ComplexVector>(repeating: .zero, count: count / 4)
        let (forward, inverse) = (forwardFactor.squareRoot(), inverseFactor.squareRoot())
        for n in 0..<count / 2 {
            let turns = (Double(n) + 0.125) / Double(2 * count)
            let (cosine, sine) = (CircularFunctions.cosinePi(2 * turns), CircularFunctions.sinePi(2 * turns))
            rows[n / 4].real[n % 4] = Float(forward * cosine)
            rows[n / 4].imaginary[n % 4] = Float(forward * sine)
            rows[count / 8 + n / 4].real[n % 4] = Float(inverse * cosine)
            rows[count / 8 + n / 4].imaginary[n % 4] = Float(inverse * sine)
        }
        return rows
    }

    /// Returns exp(-2πi row lane / (4 rows)).
    static func laneTwiddles(rows: Int) -> FixedArray<ComplexVector> {
        var twiddles = FixedArray<ComplexVector>(repeating: .zero, count: rows)
        for row in 0..<rows {
            for lane in 0..<4 {
                let turns = Double(row * lane) / Double(4 * rows)
                twiddles[row].real[lane] = Float(CircularFunctions.cosinePi(2 * turns))
                twiddles[row].imaginary[lane] = Float(-CircularFunctions.sinePi(2 * turns))
            }
        }
        return twiddles
    }

    /// Returns the twiddle factors of all passes, one pass after the other: one less than rows.
    static func passTwiddles(rows: Int) -> FixedArray<ComplexVector> {
        var factors: [ComplexVector] = []
        var length = rows
        while length > 1 {
            let radix = FFTPasses.radix(ofLength: length)
            for q in 0..<length / radix {
                for u in 1..<radix {
                    let turns = Double(q * u) / Double(length)
                    factors.append(
                        ComplexVector(
                            SIMD4(repeating: Float(CircularFunctions.cosinePi(2 * turns))),
                            SIMD4(repeating: Float(-CircularFunctions.sinePi(2 * turns)))))
                }
            }
            length /= radix
        }
        return FixedArray(count: factors.count) { factors[$0] }
    }
}
