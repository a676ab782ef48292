// SPDX-License-Identifier: Apache-2.0

/// The tables of ``MDCT``, computed in double precision.
enum MDCTTables {
    /// The tables for the most common long and short blocks, shared by all encoders of a file.
    private static let (long, short) = (make(1024), make(128))

    /// Returns the tables for `count` coefficients: rotations for both directions, twiddle factors of the first pass, twiddle
    /// factors of the others.
    static func tables(_ count: Int) -> ContiguousArray<ComplexVector> { count == 1024 ? long : count == 128 ? short : make(count) }

    private static func make(_ count: Int) -> ContiguousArray<ComplexVector> {
        let rows = count / 8
        // exp(-2πi n / (4 rows)), for the first pass and, of every fourth n, the others: each sine and cosine is computed once.
        let roots = (0..<4 * rows).map { index in
            let turns = Double(index) / Double(4 * rows)
            return SIMD2(Float(CircularFunctions.cosinePi(2 * turns)), Float(-CircularFunctions.sinePi(2 * turns)))
        }
        return rotations(count: count, forwardFactor: 2, inverseFactor: 1 / Double(count)) + firstTwiddles(roots)
            + passTwiddles(roots)
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

    /// Returns exp(-2πi n u / (4 rows)) of the first pass, for 0 <= n < rows and 0 < u < 4.
    ///
    /// If `rows` is a multiple of four, a vector has four n, and the vectors of u = 1, 2, 3 alternate. Otherwise vector n has all u.
    private static func firstTwiddles(_ roots: [SIMD2<Float>]) -> ContiguousArray<ComplexVector> {
        let rows = roots.count / 4
        var factors = ContiguousArray(repeating: ComplexVector(SIMD4(repeating: 1), SIMD4(repeating: 0)), count: rows)
        for n in 0..<rows {
            for u in 1..<4 {
                let (vector, lane) = rows % 4 == 0 ? (n / 4 * 3 + u - 1, n % 4) : (n, u)
                factors[vector].real[lane] = roots[n * u].x
                factors[vector].imaginary[lane] = roots[n * u].y
            }
        }
        return factors
    }

    /// Returns the twiddle factors of the other passes in order, one less than the rows.
    private static func passTwiddles(_ roots: [SIMD2<Float>]) -> ContiguousArray<ComplexVector> {
        var factors: ContiguousArray<ComplexVector> = []
        factors.reserveCapacity(roots.count / 4)
        var length = roots.count / 4
        while length > 1 {
            let radix = FFTPasses.radix(ofLength: length)
            for q in 0..<length / radix {
                for u in 1..<radix {
                    let root = roots[q * u * (roots.count / length)]
                    factors.append(ComplexVector(SIMD4(repeating: root.x), SIMD4(repeating: root.y)))
                }
            }
            length /= radix
        }
        return factors
    }
}
