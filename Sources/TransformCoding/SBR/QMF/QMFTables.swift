// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Windows and twiddle factors of the QMF filter banks (ISO/IEC 14496-3:2009, 4.6.18.4).
///
/// The filter banks transform four columns at a time, one in each lane, by a complex Fourier transform of as many values as they
/// have subbands.
struct QMFTables: Sendable {
    /// The tables that all filter banks share.
    static let shared = QMFTables()

    /// Every second coefficient of the prototype filter in reverse, for analysis into 32 subbands.
    let analysisWindow: ContiguousArray<SIMD4<Float>>
    /// The prototype filter, for synthesis from 64 subbands.
    let synthesisWindow: ContiguousArray<SIMD4<Float>>
    /// Every second coefficient of the prototype filter, for synthesis from 32 subbands.
    let halfSynthesisWindow: ContiguousArray<SIMD4<Float>>
    /// exp(iπ(31 - m)/64), the input twiddles of analysis into 32 subbands.
    let analysisInput: ContiguousArray<ComplexVector>
    /// The factors from output r of the transform to subband 2r, or from r = 16 on to the conjugate of subband 63 - 2r.
    let analysisOutput: ContiguousArray<ComplexVector>
    /// The prototype filter in reverse, for analysis into 64 subbands.
    let fullAnalysisWindow: ContiguousArray<SIMD4<Float>>
    /// exp(-iπm/128), the input twiddles of analysis into 64 subbands.
    let fullAnalysisInput: ContiguousArray<ComplexVector>
    /// The factors from the subbands of ``QMFAnalysis64`` to those of the standard's phase.
    let fullAnalysisPhases: ContiguousArray<ComplexVector>
    /// exp(iπ(k + 1/2)/128), the input twiddles of both synthesis filter banks; those of odd subbands are conjugated.
    let synthesisInput: ContiguousArray<ComplexVector>
    /// i exp(-iπn/128)/64, the output twiddles of synthesis from 64 subbands.
    let synthesisOutput: ContiguousArray<ComplexVector>
    /// i exp(-iπn/64)/64, the output twiddles of synthesis from 32 subbands.
    let halfSynthesisOutput: ContiguousArray<ComplexVector>
    /// Twiddles of the first pass of the transform of 32 values.
    let passes32: ContiguousArray<ComplexVector>
    /// Twiddles of the first pass of the transform of 64 values.
    let passes64: ContiguousArray<ComplexVector>

    /// Computes the tables.
    private init() {
        let prototype = QMFPrototype.coefficients
        analysisWindow = Self.table(80) { row in
            SIMD4(prototype[638 - 8 * row], prototype[636 - 8 * row], prototype[634 - 8 * row], prototype[632 - 8 * row])
        }
        synthesisWindow = Self.table(160) { row in
            SIMD4(prototype[4 * row], prototype[4 * row + 1], prototype[4 * row + 2], prototype[4 * row + 3])
        }
        halfSynthesisWindow = Self.table(80) { row in
            SIMD4(prototype[8 * row], prototype[8 * row + 2], prototype[8 * row + 4], prototype[8 * row + 6])
        }
        analysisInput = Self.table(32) { Self.rotation(Double(31 - $0) / 64) }
        analysisOutput = Self.table(32) { r in
            let band = Double(r < 16 ? 2 * r : 63 - 2 * r) + 0.5
            return Self.rotation((r < 16 ? -band : band) / 128 - Double(2 * r) / 32, scale: 2)
        }
        fullAnalysisWindow = Self.table(160) { row in
            SIMD4(prototype[639 - 4 * row], prototype[638 - 4 * row], prototype[637 - 4 * row], prototype[636 - 4 * row])
        }
        fullAnalysisInput = Self.table(64) { Self.rotation(-Double($0) / 128) }
        fullAnalysisPhases = Self.table(64) { Self.rotation((Double($0) + 0.5) * 253 / 128 + ($0 % 2 == 0 ? -0.5 : 0.5)) }
        synthesisInput = Self.table(64) { Self.rotation(($0 % 2 == 0 ? 1 : -1) * (Double($0) + 0.5) / 128) }
        synthesisOutput = Self.table(64) { Self.rotation(0.5 - Double($0) / 128, scale: 1.0 / 64) }
        halfSynthesisOutput = Self.table(32) { Self.rotation(0.5 - Double($0) / 64, scale: 1.0 / 64) }
        passes32 = Self.table(24) { Self.rotation(-2 * Double(($0 / 3) * ($0 % 3 + 1)) / 32) }
        passes64 = Self.table(56) { Self.rotation(-2 * Double(($0 / 7) * ($0 % 7 + 1)) / 64) }
    }

    /// Returns a table of `count` entries.
    private static func table<Row>(_ count: Int, _ row: (Int) -> Row) -> ContiguousArray<Row> {
        ContiguousArray((0..<count).map(row))
    }

    /// Returns `scale` · exp(iπ `halfTurns`) in all lanes.
    private static func rotation(_ halfTurns: Double, scale: Double = 1) -> ComplexVector {
        ComplexVector(
            SIMD4(repeating: Float(scale * CircularFunctions.cosinePi(halfTurns))),
            SIMD4(repeating: Float(scale * CircularFunctions.sinePi(halfTurns))))
    }
}
