// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio

/// The mixing matrices of an MPEG Surround 2-1-2 frame, by parameter band and time slot (ISO/IEC 23003-1; ISO/IEC 23003-3, 7.11).
@usableFromInline package struct SurroundMatrices: ~Copyable {
    /// A matrix from the downmix and the decorrelated or residual signal to two outputs.
    @usableFromInline package struct Matrix: BitwiseCopyable {
        /// The real parts: left from downmix, left from the other signal, right from downmix, right from the other signal.
        @usableFromInline package var real = SIMD4<Float>(repeating: 0)
        /// The imaginary parts, in the same order.
        @usableFromInline package var imaginary = SIMD4<Float>(repeating: 0)

        /// The real factors of the downmix, repeated for real and imaginary parts of left and right.
        @inlinable package var fromDownmix: SIMD4<Float> { SIMD4(real.x, real.x, real.z, real.z) }
        /// The real factors of the other signal, repeated.
        @inlinable package var fromOther: SIMD4<Float> { SIMD4(real.y, real.y, real.w, real.w) }
        /// The imaginary factors of the downmix, repeated.
        @inlinable package var imaginaryFromDownmix: SIMD4<Float> {
            SIMD4(imaginary.x, imaginary.x, imaginary.z, imaginary.z)
        }
        /// The imaginary factors of the other signal, repeated.
        @inlinable package var imaginaryFromOther: SIMD4<Float> {
            SIMD4(imaginary.y, imaginary.y, imaginary.w, imaginary.w)
        }

        static func between(_ a: Matrix, _ b: Matrix, _ share: Float) -> Matrix {
            Matrix(
                real: a.real * SIMD4(repeating: 1 - share) + b.real * SIMD4(repeating: share),
                imaginary: a.imaginary * SIMD4(repeating: 1 - share) + b.imaginary * SIMD4(repeating: share))
        }
    }

    /// The matrices, with band b, time slot n at index `qmfSlotCount` b + n.
    package private(set) var matrices: FixedArray<Matrix>
    /// Whether any matrix so far has imaginary parts, which can be ignored until then.
    package private(set) var isTurned = false
    /// The matrices of the last set, before phase rotation.
    private var lastMatrices = FixedArray(repeating: Matrix(), count: 28)
    /// The output phases of the last set, in half turns.
    private var lastPhases = FixedArray<SIMD2<Double>>(repeating: SIMD2(0, 0), count: 28)
    /// The states of phase smoothing, in half turns.
    private var phaseStates = FixedArray<SIMD2<Double>>(repeating: SIMD2(0, 0), count: 28)
    private let configuration: MPEGSurround212Config
    /// Whether the second signal is a residual in some bands.
    private let hasResidual: Bool
    /// The number of time slots per frame.
    private let qmfSlotCount: Int

    package init(_ configuration: MPEGSurround212Config, hasResidual: Bool, qmfSlotCount: Int) {
        self.configuration = configuration
        self.hasResidual = hasResidual
        self.qmfSlotCount = qmfSlotCount
        matrices = FixedArray(repeating: Matrix(), count: 28 * qmfSlotCount)
    }

    package mutating func compute(_ frame: borrowing SurroundFrame) {
        for band in 0..<configuration.bandCount {
            var previousSlot = -1
            for set in 0..<frame.setCount {
                let slot = Int(frame.slots[set])
                computeSet(set, band, frame, previousSlot: previousSlot, slot: slot)
                previousSlot = slot
            }
        }
    }

    /// Computes the matrices of a band up to the time slot of a set.
    private mutating func computeSet(_ set: Int, _ band: Int, _ frame: borrowing SurroundFrame, previousSlot: Int, slot: Int) {
        let hasPhase = frame.hasPhases && band < configuration.phaseBandCount
        let level = Int(frame.values(.levelDifference, set: set)[band])
        let coherence = SurroundTables.coherences[Int(frame.values(.coherence, set: set)[band]) & 7]
        let phase = hasPhase ? Int(frame.values(.phaseDifference, set: set)[band]) & 15 : 0
        let ratio = PortableMath.power(10, SurroundTables.levelDifferences[level + 15] / 20)
        var matrix: Matrix
        var phases = SIMD2<Double>(0, 0)
        if hasResidual {
            matrix = residualMatrix(band, ratio: ratio, coherence: coherence, phase: phase, isEqual: level == 0, hasPhase: hasPhase)
        } else {
            matrix = Self.parametricMatrix(ratio: ratio, coherence: coherence)
            if hasPhase { phases = Self.outputPhases(ratio: ratio, coherence: coherence, phase: phase, isEqual: level == 0) }
        }
        let elapsed = slot - previousSlot
        if frame.smoothedBands[set] >> UInt32(band) & 1 != 0 && !(hasResidual && band < configuration.residualBandCount) {
            matrix = Matrix.between(lastMatrices[band], matrix, Float(elapsed) / Float(frame.smoothingTimes[set]))
        }
        if frame.hasPhases && !hasResidual {
            phases = smoothed(phases, band, frame, set: set, elapsed: elapsed)
        } else {
            phaseStates[band] = phases
        }
        let lastPhases = lastPhases[band]
        let arcs = SIMD2(Self.arc(phases.x - lastPhases.x), Self.arc(phases.y - lastPhases.y))
        let hasAngles = lastPhases != SIMD2(0, 0) || phases != SIMD2(0, 0)
        if hasAngles || matrix.imaginary != SIMD4(repeating: 0) { isTurned = true }
        for qmfSlot in previousSlot + 1..<max(previousSlot + 1, slot + 1) {
            let share = Double(qmfSlot - previousSlot) / Double(elapsed)
            var mixed = Matrix.between(lastMatrices[band], matrix, Float(share))
            if hasAngles { mixed = Self.turned(mixed, lastPhases + arcs * share) }
            matrices[band * qmfSlotCount + qmfSlot] = mixed
        }
        lastMatrices[band] = matrix
        self.lastPhases[band] = phases
    }

    /// Wraps an angle in half turns to the range from -1 to 1.
    private static func arc(_ angle: Double) -> Double { angle > 1 ? angle - 2 : angle < -1 ? angle + 2 : angle }

    /// Returns a matrix with rotated outputs.
    private static func turned(_ matrix: Matrix, _ phases: SIMD2<Double>) -> Matrix {
        let cosines = SIMD2(Float(CircularFunctions.cosinePi(phases.x)), Float(CircularFunctions.cosinePi(phases.y)))
        let sines = SIMD2(Float(CircularFunctions.sinePi(phases.x)), Float(CircularFunctions.sinePi(phases.y)))
        let (cosine, sine) = (SIMD4(cosines.x, cosines.x, cosines.y, cosines.y), SIMD4(sines.x, sines.x, sines.y, sines.y))
        return Matrix(
            real: matrix.real * cosine - matrix.imaginary * sine, imaginary: matrix.real * sine + matrix.imaginary * cosine)
    }

    /// Returns the matrix for a level difference and coherence, without a residual.
    package static func parametricMatrix(ratio: Double, coherence: Double) -> Matrix {
        let norm = (1 + ratio * ratio).squareRoot()
        let (left, right) = (ratio / norm, 1 / norm)
        let alpha = PortableMath.arccosine(coherence) / 2
        let tangent = CircularFunctions.sinePi(alpha / .pi) / CircularFunctions.cosinePi(alpha / .pi)
        let slope = tangent * (right - left) / (right + left)
        let beta = slope < 0 ? -PortableMath.arctangent(-slope) : PortableMath.arctangent(slope)
        let (sum, difference) = ((alpha + beta) / .pi, (beta - alpha) / .pi)
        return Matrix(
            real: SIMD4(
                Float(left * CircularFunctions.cosinePi(sum)), Float(left * CircularFunctions.sinePi(sum)),
                Float(right * CircularFunctions.cosinePi(difference)), Float(right * CircularFunctions.sinePi(difference))))
    }

    /// Returns the phases of both outputs, in half turns from 0 to 2.
    private static func outputPhases(ratio: Double, coherence: Double, phase: Int, isEqual: Bool) -> SIMD2<Double> {
        let difference = Double(phase) / 8
        var left = 0.0
        if !(isEqual && phase == 8) {
            let (cosine, sine) = (CircularFunctions.cosinePi(difference), CircularFunctions.sinePi(difference))
            let base = ratio * ratio + 1
            let quotient = max(0, (base + 2 * coherence * ratio * cosine) / (base + 2 * coherence * ratio))
            let second = quotient.squareRoot().squareRoot()
            left = angle(y: second * sine, x: (2 - second) * ratio + second * cosine) / .pi
        }
        return SIMD2(wrapped(left), wrapped(left - difference))
    }

    /// Returns the angle of a point, in radians from -π to π.
    private static func angle(y: Double, x: Double) -> Double {
        if x == 0 && y == 0 { return 0 }
        let ratio = abs(x) > 0 ? PortableMath.arctangent(min(abs(y) / abs(x), 1e15)) : .pi / 2
        let upper = x < 0 ? .pi - ratio : ratio
        return y < 0 ? -upper : upper
    }

    /// Wraps an angle in half turns to the range from 0 to 2.
    private static func wrapped(_ angle: Double) -> Double {
        var result = angle
        while result < 0 { result += 2 }
        while result >= 2 { result -= 2 }
        return result
    }

    /// Returns the smoothed phases of a set (`bsOPDSmoothingMode`).
    private mutating func smoothed(
        _ phases: SIMD2<Double>, _ band: Int, _ frame: borrowing SurroundFrame, set: Int, elapsed: Int
    ) -> SIMD2<Double> {
        guard frame.smoothsPhases else {
            phaseStates[band] = phases
            return phases
        }
        let share = Double(elapsed) / 128
        var state = phaseStates[band]
        for channel in 0..<2 {
            let target = state[channel] + Self.arc(phases[channel] - state[channel])
            state[channel] = share * target + (1 - share) * state[channel]
        }
        let deviation = abs(Self.arc(Self.wrapped(Self.wrapped(phases.x - phases.y) - Self.wrapped(state.x - state.y))))
        let isCoarse = frame.coarsePhases >> UInt16(min(set, 15)) & 1 != 0
        if deviation > (isCoarse ? 50.0 : 25.0) / 180 { state = phases }
        state = SIMD2(Self.wrapped(state.x), Self.wrapped(state.y))
        phaseStates[band] = state
        return state
    }

    /// Returns the matrix for residual coding, in prediction form.
    private func residualMatrix(
        _ band: Int, ratio: Double, coherence: Double, phase: Int, isEqual: Bool, hasPhase: Bool
    ) -> Matrix {
        let isResidual = band < configuration.residualBandCount
        if hasPhase && isEqual && coherence == 1 && phase == 8 {
            let factor = Float(1 / 2.4)
            return Matrix(real: isResidual ? SIMD4(factor, factor, factor, -factor) : SIMD4(factor, 0, -factor, 0))
        }
        let turn = Double(phase) / 8
        let (cosine, sine) = (CircularFunctions.cosinePi(turn), CircularFunctions.sinePi(turn))
        let base = ratio * ratio + 1
        let total = base + 2 * coherence * ratio * cosine
        let weight = 0.5 * max((total / base).squareRoot(), 1 / 1.2)
        let real = (1 - ratio * ratio) / total
        let imaginary = -2 * coherence * ratio * sine / total
        let side =
            isResidual ? weight : 2 * ratio * max(0, 1 - coherence * coherence).squareRoot() * weight / total
        return Matrix(
            real: SIMD4(Float(weight * (1 - real)), Float(side), Float(weight * (1 + real)), Float(-side)),
            imaginary: SIMD4(Float(-weight * imaginary), 0, Float(weight * imaginary), 0))
    }
}
