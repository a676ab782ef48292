// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Computes the tables of ``MDCT``, in double precision.
enum MDCTTables {
    /// Returns exp(2πi (n + 1/8) / N) for 0 <= n < count / 2 and N = 2 count, four in a row: from row 0 times the square root of
    /// `forwardFactor`, from row 128 times that of `inverseFactor`.
    static func rotations(count: Int, forwardFactor: Double, inverseFactor: Double) -> InlineArray<256, ComplexVector> {
        var rows = InlineArray<256, ComplexVector>(repeating: .zero)
        let (forward, inverse) = (forwardFactor.squareRoot(), inverseFactor.squareRoot())
        for n in 0..<count / 2 {
            let turns = (Double(n) + 0.125) / Double(2 * count)
            let (cosine, sine) = (CircularFunctions.cosinePi(2 * turns), CircularFunctions.sinePi(2 * turns))
            rows[n / 4].real[n % 4] = Float(forward * cosine)
            rows[n / 4].imaginary[n % 4] = Float(forward * sine)
            rows[128 + n / 4].real[n % 4] = Float(inverse * cosine)
            rows[128 + n / 4].imaginary[n % 4] = Float(inverse * sine)
        }
        return rows
    }

    /// Returns exp(-2πi row lane / (4 rows)).
    static func laneTwiddles(rows: Int) -> InlineArray<128, ComplexVector> {
        var twiddles = InlineArray<128, ComplexVector>(repeating: .zero)
        for row in 0..<rows {
            for lane in 0..<4 {
                let turns = Double(row * lane) / Double(4 * rows)
                twiddles[row].real[lane] = Float(CircularFunctions.cosinePi(2 * turns))
                twiddles[row].imaginary[lane] = Float(-CircularFunctions.sinePi(2 * turns))
            }
        }
        return twiddles
    }

    /// Returns the twiddle factors of all passes but the last, pass after pass.
    static func passTwiddles(_ size: MDCT.Size) -> InlineArray<120, ComplexVector> {
        let passes: [(length: Int, radix: Int)] =
            switch size {
            case .coefficients1024: [(128, 4), (32, 4)]
            case .coefficients128: [(16, 4)]
            case .coefficients960: [(120, 5), (24, 3)]
            case .coefficients120: [(15, 5), (3, 3)]
            }
        var twiddles = InlineArray<120, ComplexVector>(repeating: .zero)
        var next = 0
        for pass in passes {
            for q in 0..<pass.length / pass.radix {
                for u in 1..<pass.radix {
                    let turns = Double(q * u) / Double(pass.length)
                    twiddles[next] = ComplexVector(
                        SIMD4(repeating: Float(CircularFunctions.cosinePi(2 * turns))),
                        SIMD4(repeating: Float(-CircularFunctions.sinePi(2 * turns))))
                    next += 1
                }
            }
        }
        return twiddles
    }
}
