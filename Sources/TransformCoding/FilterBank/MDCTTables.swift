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

    /// Returns the twiddle factors of all passes but the last, pass after pass.
    static func passTwiddles(count: Int) -> FixedArray<ComplexVector> {
        let passes = passes(count: count)
        let twiddleCount = passes.reduce(0) { $0 + $1.length / $1.radix * ($1.radix - 1) }
        var twiddles = FixedArray<ComplexVector>(repeating: .zero, count: twiddleCount)
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

    /// Returns the length and the radix of all passes but the last.
    private static func passes(count: Int) -> [(length: Int, radix: Int)] {
        switch count {
        case 1024: [(128, 4), (32, 4)]
        case 128: [(16, 4)]
        case 960: [(120, 5), (24, 3)]
        case 120: [(15, 5), (3, 3)]
        case 512: [(64, 4), (16, 4)]
        case 480: [(60, 5), (12, 3)]
        case 768: [(96, 3), (32, 4)]
        case 96: [(12, 3)]
        case 256: [(32, 4)]
        case 384: [(48, 3), (16, 4)]
        case 192: [(24, 3)]
        default: preconditionFailure("MDCT.init(_:) admits no other count")
        }
    }
}
