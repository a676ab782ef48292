// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What the QMF banks compute with, made once (ISO/IEC 14496-3:2009, 4.6.18.4).
///
/// Banks transform four columns at a time, one in each lane, by one complex Fourier transform as long as the bank has bands.
struct QMFTables: ~Copyable, Sendable {
    /// The tables of all decoders.
    static let shared = QMFTables()

    /// The prototype at every second tap and in reverse, for analysis into 32 bands of samples in order of time.
    let analysisWindow: [80 of SIMD4<Float>]
    /// The prototype, for synthesis from 64 bands.
    let synthesisWindow: [160 of SIMD4<Float>]
    /// The prototype at every second tap, for synthesis from 32 bands.
    let halfSynthesisWindow: [80 of SIMD4<Float>]
    /// exp(iπ(31 - m)/64).
    let analysisInput: [32 of ComplexVector]
    /// What turns output r of the transform into band 2r, or, from r = 16 on, the conjugate of band 63 - 2r.
    let analysisOutput: [32 of ComplexVector]
    /// exp(iπ(k + 1/2)/128), in banks of 64 and of 32 bands.
    let synthesisInput: [64 of ComplexVector]
    /// i exp(-iπn/128)/64.
    let synthesisOutput: [64 of ComplexVector]
    /// i exp(-iπn/64)/64.
    let halfSynthesisOutput: [32 of ComplexVector]
    /// Twiddles of the first pass of the transform of 32.
    let passes32: [24 of ComplexVector]
    /// Twiddles of the first two passes of the transform of 64.
    let passes64: [60 of ComplexVector]

    private init() {
        let prototype = QMFPrototype.coefficients
        analysisWindow = .init { row in
            SIMD4(prototype[638 - 8 * row], prototype[636 - 8 * row], prototype[634 - 8 * row], prototype[632 - 8 * row])
        }
        synthesisWindow = .init { row in
            SIMD4(prototype[4 * row], prototype[4 * row + 1], prototype[4 * row + 2], prototype[4 * row + 3])
        }
        halfSynthesisWindow = .init { row in
            SIMD4(prototype[8 * row], prototype[8 * row + 2], prototype[8 * row + 4], prototype[8 * row + 6])
        }
        analysisInput = .init { Self.rotation(Double(31 - $0) / 64) }
        analysisOutput = .init { r in
            let band = Double(r < 16 ? 2 * r : 63 - 2 * r) + 0.5
            return Self.rotation((r < 16 ? -band : band) / 128 - Double(2 * r) / 32, scale: 2)
        }
        synthesisInput = .init { Self.rotation((Double($0) + 0.5) / 128) }
        synthesisOutput = .init { Self.rotation(0.5 - Double($0) / 128, scale: 1.0 / 64) }
        halfSynthesisOutput = .init { Self.rotation(0.5 - Double($0) / 64, scale: 1.0 / 64) }
        passes32 = .init { Self.rotation(-2 * Double(($0 / 3) * ($0 % 3 + 1)) / 32) }
        passes64 = .init { index in
            index < 48
                ? Self.rotation(-2 * Double((index / 3) * (index % 3 + 1)) / 64)
                : Self.rotation(-2 * Double(((index - 48) / 3) * (index % 3 + 1)) / 16)
        }
    }

    /// scale · exp(iπ `halfTurns`) in all lanes.
    private static func rotation(_ halfTurns: Double, scale: Double = 1) -> ComplexVector {
        ComplexVector(
            SIMD4(repeating: Float(scale * CircularFunctions.cosinePi(halfTurns))),
            SIMD4(repeating: Float(scale * CircularFunctions.sinePi(halfTurns))))
    }
}
