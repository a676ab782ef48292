// SPDX-License-Identifier: Apache-2.0

/// An analysis filter bank with 16 or 24 complex subbands for the lower spectrum, for one channel (ISO/IEC 23003-3, 7.5).
///
/// Its prototype filter is interpolated from the filter for 64 subbands. The few subbands are computed individually, without a
/// fast transform. Each is a type-IV transform of the differences and sums of opposite samples, rotated by an angle per subband.
package struct GenericQMFAnalysis: ~Copyable {
    /// The number of subbands, and of samples per QMF slot; a multiple of 4.
    package let bandCount: Int
    private let qmfSlotCount: Int
    /// The samples of the previous frame's last nine QMF slots, then the current frame.
    private var samples: FixedArray<Float>
    /// The time-reversed prototype filter.
    private let window: FixedArray<Float>
    /// The factors of the differences (real) and of the sums (imaginary): for each four subbands, the factors of each pair of samples.
    private let factors: FixedArray<ComplexVector>
    /// The rotations, in rows of four subbands.
    private let twiddles: FixedArray<ComplexVector>
    /// The folded samples of a QMF slot.
    private var folded: FixedArray<Float>
    /// The differences of sample pairs in four QMF slots.
    private var differences: FixedArray<SIMD4<Float>>
    /// The sums of sample pairs in four QMF slots.
    private var sums: FixedArray<SIMD4<Float>>

    /// The magnitude to which samples are clipped, as in ``QMFAnalysis``.
    private static let limit: Float = 4_194_304

    /// Creates a filter bank with silent history.
    package init(_ layout: SlotLayout) {
        let count = layout.analysisBandCount
        bandCount = count
        qmfSlotCount = layout.qmfSlotCount
        samples = FixedArray(repeating: 0, count: count * (9 + qmfSlotCount))
        window = FixedArray(count: 10 * count) { Float(Self.prototype(10 * count - 1 - $0, bandCount: count)) }
        /// Returns cosines and sines, times `factor`, of the centres of four subbands times `angle` in half turns.
        func products(row: Int, angle: Double, factor: Double) -> ComplexVector {
            var result = ComplexVector.zero
            for lane in 0..<4 {
                let turn = (Double(4 * row + lane) + 0.5) * angle
                result.real[lane] = Float(factor * CircularFunctions.cosinePi(turn))
                result.imaginary[lane] = Float(factor * CircularFunctions.sinePi(turn))
            }
            return result
        }
        let size = Double(count)
        // The angles of sample n belong to 2 n - count / 64: to 2 n + 1, minus a rotation that is equal for all samples.
        factors = FixedArray(count: count * (count / 4)) {
            products(row: $0 / count, angle: Double(2 * ($0 % count) + 1) / (2 * size), factor: 64 / size)
        }
        twiddles = FixedArray(count: count / 4) { products(row: $0, angle: (1 + size / 64) / (2 * size), factor: 1) }
        folded = FixedArray(repeating: 0, count: 2 * count)
        differences = FixedArray(repeating: SIMD4(repeating: 0), count: count)
        sums = FixedArray(repeating: SIMD4(repeating: 0), count: count)
    }

    /// Returns a coefficient of the prototype filter for 64 subbands, interpolated for fewer subbands (ISO/IEC 23003-3, 7.5).
    package static func prototype(_ index: Int, bandCount: Int) -> Double {
        let position = 64 * index
        let (whole, rest) = (position / bandCount, Double(position % bandCount) / Double(bandCount))
        let coefficients = QMFPrototype.coefficients
        let next = whole + 1 < coefficients.count ? Double(coefficients[whole + 1]) : 0
        return (1 - rest) * Double(coefficients[whole]) + rest * next
    }

    /// Analyzes a frame.
    ///
    /// - Parameters:
    ///   - core: Samples of one channel, full scale ±32768.
    ///   - retainedCount: The number of subbands to keep. The others become 0.
    package mutating func analyze(_ core: Span<Float>, bandCount retainedCount: Int, into low: inout LowBandSlots) {
        let historyCount = 9 * bandCount
        for index in 0..<bandCount * qmfSlotCount {
            samples[historyCount + index] = max(-Self.limit, min(Self.limit, core[index]))
        }
        for qmfSlot in stride(from: 0, to: qmfSlotCount, by: 4) {
            for lane in 0..<4 { fold(qmfSlot + lane, lane: lane) }
            low.store(bandCount: bandCount, qmfSlot: qmfSlot) { row in subbands(row, bandCount: retainedCount) }
        }
        samples.copy(bandCount * qmfSlotCount..<bandCount * (qmfSlotCount + 9), to: 0)
    }

    /// Folds the samples of a QMF slot to differences and sums in one lane.
    private mutating func fold(_ qmfSlot: Int, lane: Int) {
        let count = bandCount
        let samples = samples.span.extracting(qmfSlot * count..<qmfSlot * count + 10 * count)
        let window = window.span.extracting(0..<10 * count)
        var folded = folded.mutableSpan
        for index in stride(from: 0, to: 2 * count, by: 4) {
            var sum = SIMD4<Float>(repeating: 0)
            for block in 0..<5 {
                let offset = index &+ 2 &* block &* count
                sum += samples.vector(at: offset) * window.vector(at: offset)
            }
            folded.store(sum, at: index)
        }
        var differences = differences.mutableSpan
        var sums = sums.mutableSpan
        // Samples are reversed: sample n of the standard is at 2 count - 1 - n.
        for index in 0..<count {
            let (first, opposite) = (folded[2 &* count &- 1 &- index], folded[index])
            differences[index][lane] = first - opposite
            sums[index][lane] = first + opposite
        }
    }

    /// Returns four subbands of four QMF slots; those from `retainedCount` are 0.
    private func subbands(_ row: Int, bandCount retainedCount: Int) -> LowBandSlots.Row {
        let factors = factors.span.extracting(row * bandCount..<(row + 1) * bandCount)
        let (differences, sums) = (differences.span.extracting(0..<bandCount), sums.span.extracting(0..<bandCount))
        let zero = ComplexVector.zero
        var (first, second, third, fourth) = (zero, zero, zero, zero)
        for index in 0..<factors.count {
            let factor = factors[index]
            let (difference, sum) = (differences[index], sums[index])
            first = first + ComplexVector(factor.real * SIMD4(repeating: difference.x), factor.imaginary * SIMD4(repeating: sum.x))
            second = second + ComplexVector(factor.real * SIMD4(repeating: difference.y), factor.imaginary * SIMD4(repeating: sum.y))
            third = third + ComplexVector(factor.real * SIMD4(repeating: difference.z), factor.imaginary * SIMD4(repeating: sum.z))
            fourth = fourth + ComplexVector(factor.real * SIMD4(repeating: difference.w), factor.imaginary * SIMD4(repeating: sum.w))
        }
        let kept = max(0, min(4, retainedCount - 4 * row))
        first = turned(first, row, kept)
        second = turned(second, row, kept)
        third = turned(third, row, kept)
        fourth = turned(fourth, row, kept)
        return (
            (first.real, second.real, third.real, fourth.real), (first.imaginary, second.imaginary, third.imaginary, fourth.imaginary)
        )
    }

    /// Rotates four subbands and clears those after the first `kept`.
    @inline(__always)
    private func turned(_ value: ComplexVector, _ row: Int, _ kept: Int) -> ComplexVector {
        var result = value.timesConjugate(of: twiddles[row])
        for lane in kept..<4 {
            result.real[lane] = 0
            result.imaginary[lane] = 0
        }
        return result
    }
}
