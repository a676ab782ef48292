// SPDX-License-Identifier: Apache-2.0

/// Windows and twiddle factors of the QMF filter banks (ISO/IEC 14496-3:2009, 4.6.18.4).
///
/// The filter banks transform four QMF slots at a time, one per lane, with a complex FFT whose size is the number of subbands.
package struct QMFTables: Sendable {
    /// The tables of the standard filter bank.
    package static let shared = QMFTables(
        QMFPrototype.coefficients, half: (0..<320).map { QMFPrototype.coefficients[2 * $0] }, analysisPhase: 0.5, synthesisPhase: 0,
        halfSynthesisPhase: 0)
    static func tables(_ bank: QMFBank) -> QMFTables {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        switch bank {
        case .standard: return shared
        case .lowDelay: return lowDelay
        case .lowDelaySurround: return lowDelaySurround
        }
        #else
        return shared
        #endif
    }

    /// The tables of the complex low delay filter bank, with other windows and phases.
    static let lowDelay = QMFTables(
        LowDelayPrototype.coefficients, half: means(LowDelayPrototype.coefficients), analysisPhase: 95, synthesisPhase: 1.5,
        halfSynthesisPhase: 1.5 + 1.0 / 128)

    /// The tables of the filter bank of low delay MPEG Surround.
    static let lowDelaySurround = QMFTables(
        SurroundPrototype.coefficients, half: means(SurroundPrototype.coefficients), analysisPhase: -65, fullAnalysisPhase: 383,
        synthesisPhase: 0, halfSynthesisPhase: 1.0 / 128)

    private static func means(_ coefficients: [Float]) -> [Float] {
        (0..<320).map { (coefficients[2 * $0] + coefficients[2 * $0 + 1]) / 2 }
    }

    /// Every second coefficient of the reversed prototype filter, for analysis into 32 subbands.
    let analysisWindow: ContiguousArray<SIMD4<Float>>
    /// The prototype filter, for synthesis from 64 subbands.
    let synthesisWindow: ContiguousArray<SIMD4<Float>>
    /// Every second coefficient of the prototype filter, for synthesis from 32 subbands.
    let halfSynthesisWindow: ContiguousArray<SIMD4<Float>>
    /// exp(iπ(31 - m)/64), the input twiddles of analysis into 32 subbands.
    let analysisInput: ContiguousArray<ComplexVector>
    /// The factors from output r of the transform to subband 2r, or for r >= 16 to the conjugate of subband 63 - 2r.
    let analysisOutput: ContiguousArray<ComplexVector>
    /// The reversed prototype filter, for analysis into 64 subbands.
    let fullAnalysisWindow: ContiguousArray<SIMD4<Float>>
    /// exp(-iπm/128), the input twiddles of analysis into 64 subbands.
    let fullAnalysisInput: ContiguousArray<ComplexVector>
    /// The factors that give the subbands of ``QMFAnalysis64`` the standard's phase.
    package let fullAnalysisPhases: ContiguousArray<ComplexVector>
    /// exp(iπ(k + 1/2)/128), the input twiddles of both synthesis filter banks.
    ///
    /// Odd subbands have conjugated twiddles.
    let synthesisInput: ContiguousArray<ComplexVector>
    /// The input twiddles of synthesis from 32 subbands.
    ///
    /// They differ only in the low delay banks, which are not shifted by a quarter sample.
    let halfSynthesisInput: ContiguousArray<ComplexVector>
    /// i exp(-iπn/128)/64, the output twiddles of synthesis from 64 subbands.
    let synthesisOutput: ContiguousArray<ComplexVector>
    /// i exp(-iπn/64)/64, the output twiddles of synthesis from 32 subbands.
    let halfSynthesisOutput: ContiguousArray<ComplexVector>
    /// The twiddles of the first pass of a 32-point transform.
    let passes32: ContiguousArray<ComplexVector>
    /// The twiddles of the first pass of a 64-point transform.
    let passes64: ContiguousArray<ComplexVector>

    /// Computes the tables.
    ///
    /// - Parameters:
    ///   - prototype: The prototype filter for 64 subbands.
    ///   - half: The prototype filter for 32 subbands.
    ///   - analysisPhase: The phase delay of subband k in analysis into 32 subbands, in units of π/64 (k + 1/2).
    ///   - fullAnalysisPhase: The phase advance of subband k in ``fullAnalysisPhases``, in units of π/128 (k + 1/2).
    ///   - synthesisPhase: The extra phase advance of subband k in synthesis relative to the standard bank, in units of π (k + 1/2).
    ///   - halfSynthesisPhase: The extra phase advance in synthesis from 32 subbands, in units of π (k + 1/2).
    private init(
        _ prototype: [Float], half: [Float], analysisPhase: Double, fullAnalysisPhase: Double = 253, synthesisPhase: Double,
        halfSynthesisPhase: Double
    ) {
        analysisWindow = Self.table(80) { row in
            SIMD4(half[319 - 4 * row], half[318 - 4 * row], half[317 - 4 * row], half[316 - 4 * row])
        }
        synthesisWindow = Self.table(160) { row in
            SIMD4(prototype[4 * row], prototype[4 * row + 1], prototype[4 * row + 2], prototype[4 * row + 3])
        }
        halfSynthesisWindow = Self.table(80) { row in
            SIMD4(half[4 * row], half[4 * row + 1], half[4 * row + 2], half[4 * row + 3])
        }
        analysisInput = Self.table(32) { Self.rotation(Double(31 - $0) / 64) }
        analysisOutput = Self.table(32) { r in
            let band = Double(r < 16 ? 2 * r : 63 - 2 * r) + 0.5
            return Self.rotation((r < 16 ? -band : band) * analysisPhase / 64 - Double(2 * r) / 32, scale: 2)
        }
        fullAnalysisWindow = Self.table(160) { row in
            SIMD4(prototype[639 - 4 * row], prototype[638 - 4 * row], prototype[637 - 4 * row], prototype[636 - 4 * row])
        }
        fullAnalysisInput = Self.table(64) { Self.rotation(-Double($0) / 128) }
        fullAnalysisPhases = Self.table(64) { Self.rotation((Double($0) + 0.5) * fullAnalysisPhase / 128 + ($0 % 2 == 0 ? -0.5 : 0.5)) }
        /// Returns the input twiddle of a subband.
        func inputRotation(_ index: Int, phase: Double) -> ComplexVector {
            let band = Double(index) + 0.5
            return Self.rotation((index % 2 == 0 ? 1 : -1) * (band / 128 + phase * band))
        }
        synthesisInput = Self.table(64) { inputRotation($0, phase: synthesisPhase) }
        halfSynthesisInput = Self.table(32) { inputRotation($0, phase: halfSynthesisPhase) }
        synthesisOutput = Self.table(64) { Self.rotation(0.5 - Double($0) / 128, scale: 1.0 / 64) }
        halfSynthesisOutput = Self.table(32) { Self.rotation(0.5 - Double($0) / 64, scale: 1.0 / 64) }
        passes32 = Self.table(24) { Self.rotation(-2 * Double(($0 / 3) * ($0 % 3 + 1)) / 32) }
        passes64 = Self.table(56) { Self.rotation(-2 * Double(($0 / 7) * ($0 % 7 + 1)) / 64) }
    }

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
