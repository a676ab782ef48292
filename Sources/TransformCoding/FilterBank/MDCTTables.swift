// SPDX-License-Identifier: Apache-2.0

/// The tables of ``MDCT``, computed in double precision.
enum MDCTTables {
    /// The tables for the most common long and short blocks, shared by all encoders of a file.
    private static let (long, short) = (make(1024), make(128))

    /// Returns the tables for `count` coefficients: rotations for both directions, twiddle factors of the lanes, twiddle factors of the
    /// passes.
    static func tables(_ count: Int) -> ContiguousArray<ComplexVector> { count == 1024 ? long : count == 128 ? short : make(count) }

    private static func make(_ count: Int) -> ContiguousArray<ComplexVector> {
        rotations(count: count, forwardFactor: 2, inverseFactor: 1 / Double(count)) + laneTwiddles(rows: count / 8)
            + passTwiddles(rows: count / 8)
    }

    /// Returns exp(2πi (n + 1/8) / N) for 0 <= n < count / 2 and N = 2 count, four per row: first times the square root of
    /// `forwardFactor`, then the same rows times the square root of `inverseFactor`.
    private static func rotations(count: Int, forwardFactor: Double, inverseFactor: Double) -> ContiguousArray<ComplexVector> {
        var rows = ContiguousArray<ComplexVector>(repeating: .zero, count: count / 4)
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
    private static func laneTwiddles(rows: Int) -> ContiguousArray<ComplexVector> {
        var twiddles = ContiguousArray<ComplexVector>(repeating: .zero, count: rows)
        for row in 0..<rows {
            for lane in 0..<4 {
                let turns = Double(row * lane) / Double(4 * rows)
                twiddles[row].real[lane] = Float(CircularFunctions.cosinePi(2 * turns))
                twiddles[row].imaginary[lane] = Float(-CircularFunctions.sinePi(2 * turns))
            }
        }
        return twiddles
    }

    /// Returns the `rows` - 1 twiddle factors of all passes in order.
    private static func passTwiddles(rows: Int) -> ContiguousArray<ComplexVector> {
        var factors: ContiguousArray<ComplexVector> = []
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
        return factors
    }
}
