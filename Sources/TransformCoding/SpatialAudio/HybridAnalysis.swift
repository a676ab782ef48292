// SPDX-License-Identifier: Apache-2.0

/// The hybrid analysis filter bank of parametric stereo and MPEG Surround, which splits the lowest QMF subbands into narrower bands.
///
/// It splits three subbands into 10 bands, or five into 32 for 34 stereo bands (ISO/IEC 14496-3:2009, 8.6.4.3; ISO/IEC 23003-1).
///
/// The filters extend six QMF slots back and six ahead. The decoder has the slots ahead, so there is no delay. In the encoder the delay
/// is ``encoderDelay``.
package struct HybridAnalysis: ~Copyable {
    /// The number of QMF slots before and after the current one that the filters cover.
    package static let reach = 6
    /// The delay from ``append(_:qmfSlot:)`` to ``split(_:isFine:into:)`` in QMF slots: a multiple of four, at least ``reach``.
    package static let encoderDelay = 8

    /// The real parts of five consecutive subbands: six previous QMF slots, the frame, six slots ahead.
    private var real: FixedArray<Float>
    /// The imaginary parts, in the same order.
    private var imaginary: FixedArray<Float>
    private let qmfSlotCount: Int
    /// The number of values per subband.
    private let stride: Int

    /// Creates a filter bank with silent history.
    ///
    /// - Parameter qmfSlotCount: The number of QMF slots per frame.
    package init(qmfSlotCount: Int) {
        self.qmfSlotCount = qmfSlotCount
        // A multiple of four QMF slots, plus the slots after them.
        stride = (qmfSlotCount + 3) & ~3 + 16
        real = FixedArray(repeating: 0, count: 5 * stride)
        imaginary = FixedArray(repeating: 0, count: 5 * stride)
    }

    package mutating func reset() {
        real.fill(0)
        imaginary.fill(0)
    }

    /// Loads the QMF slots of a frame, and those ahead, from the low band.
    package mutating func load(_ low: borrowing LowBandSlots) {
        var qmfSlot = 0
        while qmfSlot < qmfSlotCount + Self.reach {
            let first = min(qmfSlot, qmfSlotCount + Self.reach - 4)
            // QMF slot i of the frame is slot i + t_HFAdj of X_Low.
            let row = LowBandSlots.row(ofQMFSlot: first &+ 2)
            Self.store(low.real.span.extracting(row..<row &+ 26), qmfSlot: first, stride: stride, into: &real)
            Self.store(low.imaginary.span.extracting(row..<row &+ 26), qmfSlot: first, stride: stride, into: &imaginary)
            qmfSlot += 4
        }
    }

    /// Sets a value.
    ///
    /// The frame starts at QMF slot 0, and six more slots follow it.
    package mutating func set(_ value: SIMD2<Float>, subband: Int, qmfSlot: Int) {
        real[stride * subband + Self.reach + qmfSlot] = value.x
        imaginary[stride * subband + Self.reach + qmfSlot] = value.y
    }

    /// Stores four QMF slots of the lowest five subbands.
    @inline(__always)
    private static func store(
        _ source: Span<SIMD4<Float>>, qmfSlot: Int, stride: Int, into target: inout FixedArray<Float>
    ) {
        let source = source.extracting(0..<26)
        let lowest = SIMD4<Float>.transposed(source[0], source[8], source[16], source[24])
        let fifth = SIMD4(source[1].x, source[9].x, source[17].x, source[25].x)
        var span = target.mutableSpan
        let offset = reach &+ qmfSlot
        span.store(lowest.0, at: offset)
        span.store(lowest.1, at: stride &+ offset)
        span.store(lowest.2, at: 2 &* stride &+ offset)
        span.store(lowest.3, at: 3 &* stride &+ offset)
        span.store(fifth, at: 4 &* stride &+ offset)
    }

    /// Appends four QMF slots, one per lane, of the lowest three subbands, which are split for 20 stereo bands.
    package mutating func append(_ subbands: Span<ComplexVector>, qmfSlot: Int) {
        var reals = real.mutableSpan
        var imaginaries = imaginary.mutableSpan
        for subband in 0..<3 {
            let offset = stride &* subband &+ Self.reach &+ Self.encoderDelay &+ qmfSlot
            reals.store(subbands[subband].real, at: offset)
            imaginaries.store(subbands[subband].imaginary, at: offset)
        }
    }

    /// Finishes a frame and retains its last QMF slots.
    package mutating func advance(qmfSlotCount: Int) {
        for subband in 0..<5 {
            let start = stride &* subband
            let last = start &+ qmfSlotCount..<start &+ qmfSlotCount &+ Self.reach &+ Self.encoderDelay
            real.copy(last, to: start)
            imaginary.copy(last, to: start)
        }
    }

    /// Splits four QMF slots starting at `qmfSlot` into hybrid bands, one slot per lane.
    ///
    /// - Parameter isFine: Whether to split five subbands into 32 bands.
    package func split(_ qmfSlot: Int, isFine: Bool, into low: inout MutableSpan<ComplexVector>) {
        let taps = HybridFilters.taps
        let filters = taps.span
        guard isFine else { return split10(qmfSlot, filters, into: &low) }
        var target = 0
        for subband in 0..<5 {
            let filter = subband == 0 ? 1 : subband == 1 ? 2 : 3
            let partCount = subband == 0 ? 12 : subband == 1 ? 8 : 4
            let taps = Taps(real.span, imaginary.span, offset: offset(subband, qmfSlot))
            for pair in 0..<partCount / 2 {
                let parts = taps.pair(filters, HybridFilters.starts[filter] + 6 * pair, center: 1 / Float(partCount))
                low[target + pair] = parts.cosine + parts.sine.timesMinusI
                low[target + partCount - 1 - pair] = parts.cosine - parts.sine.timesMinusI
            }
            target += partCount
        }
    }

    /// Splits into 10 bands: subband 0 into eight parts, with the upper four added in pairs, and subbands 1 and 2 into two each.
    private func split10(_ qmfSlot: Int, _ filters: Span<SIMD2<Float>>, into low: inout MutableSpan<ComplexVector>) {
        let taps = Taps(real.span, imaginary.span, offset: offset(0, qmfSlot))
        let pair0 = taps.pair(filters, 0, center: 0.125)
        let pair1 = taps.pair(filters, 6, center: 0.125)
        let pair2 = taps.pair(filters, 12, center: 0.125)
        let pair3 = taps.pair(filters, 18, center: 0.125)
        low[0] = pair1.cosine - pair1.sine.timesMinusI
        low[1] = pair0.cosine - pair0.sine.timesMinusI
        low[2] = pair0.cosine + pair0.sine.timesMinusI
        low[3] = pair1.cosine + pair1.sine.timesMinusI
        low[4] = pair2.cosine + pair2.cosine
        low[5] = pair3.cosine + pair3.cosine
        let first = Taps(real.span, imaginary.span, offset: offset(1, qmfSlot)).halves()
        low[6] = first.upper
        low[7] = first.lower
        let second = Taps(real.span, imaginary.span, offset: offset(2, qmfSlot)).halves()
        low[8] = second.lower
        low[9] = second.upper
    }

    /// Returns the index of the first of four QMF slots of a subband.
    @inline(__always)
    private func offset(_ subband: Int, _ qmfSlot: Int) -> Int { stride &* subband &+ qmfSlot &+ Self.reach }

    /// The 13 QMF slots around each of four: the centre slot, and the sums and differences of slots at equal distance from it.
    private struct Taps {
        /// The centre QMF slot, to which the output belongs.
        var middle: ComplexVector
        /// The sums of the QMF slots at distances 1 to 6.
        let sums: SymmetricPairs
        /// The differences of the QMF slots at distances 1 to 6, later minus earlier.
        let differences: SymmetricPairs

        /// A value for each distance from 1 to 6.
        typealias SymmetricPairs = (ComplexVector, ComplexVector, ComplexVector, ComplexVector, ComplexVector, ComplexVector)

        /// Loads the QMF slots around four slots starting at `offset`.
        @inline(__always)
        init(_ real: Span<Float>, _ imaginary: Span<Float>, offset: Int) {
            let qmfSlots = offset &- HybridAnalysis.reach..<offset &+ HybridAnalysis.reach &+ 4
            let (real, imaginary) = (real.extracting(qmfSlots), imaginary.extracting(qmfSlots))
            let offset = HybridAnalysis.reach
            middle = ComplexVector(real.vector(at: offset), imaginary.vector(at: offset))
            let pairs = (
                Self.pair(real, imaginary, offset, distance: 1), Self.pair(real, imaginary, offset, distance: 2),
                Self.pair(real, imaginary, offset, distance: 3), Self.pair(real, imaginary, offset, distance: 4),
                Self.pair(real, imaginary, offset, distance: 5), Self.pair(real, imaginary, offset, distance: 6)
            )
            sums = (pairs.0.sum, pairs.1.sum, pairs.2.sum, pairs.3.sum, pairs.4.sum, pairs.5.sum)
            differences = (
                pairs.0.difference, pairs.1.difference, pairs.2.difference, pairs.3.difference, pairs.4.difference,
                pairs.5.difference
            )
        }

        /// Returns the sum and difference of the QMF slots at a distance.
        @inline(__always)
        private static func pair(
            _ real: Span<Float>, _ imaginary: Span<Float>, _ offset: Int, distance: Int
        ) -> (sum: ComplexVector, difference: ComplexVector) {
            let ahead = ComplexVector(real.vector(at: offset &+ distance), imaginary.vector(at: offset &+ distance))
            let back = ComplexVector(real.vector(at: offset &- distance), imaginary.vector(at: offset &- distance))
            return (ahead + back, ahead - back)
        }

        /// Returns the cosine and sine part of a pair of complex filters, whose outputs are cosine - i sine and cosine + i sine.
        @inline(__always)
        func pair(
            _ filters: Span<SIMD2<Float>>, _ first: Int, center: Float
        ) -> (cosine: ComplexVector, sine: ComplexVector) {
            var cosine = middle * SIMD4(repeating: center)
            var sine = ComplexVector.zero
            Self.add(filters[first], sums.0, differences.0, to: &cosine, &sine)
            Self.add(filters[first &+ 1], sums.1, differences.1, to: &cosine, &sine)
            Self.add(filters[first &+ 2], sums.2, differences.2, to: &cosine, &sine)
            Self.add(filters[first &+ 3], sums.3, differences.3, to: &cosine, &sine)
            Self.add(filters[first &+ 4], sums.4, differences.4, to: &cosine, &sine)
            Self.add(filters[first &+ 5], sums.5, differences.5, to: &cosine, &sine)
            return (cosine, sine)
        }

        /// Adds a tap's products with sum and difference to the cosine and sine part.
        @inline(__always)
        private static func add(
            _ factors: SIMD2<Float>, _ sum: ComplexVector, _ difference: ComplexVector, to cosine: inout ComplexVector,
            _ sine: inout ComplexVector
        ) {
            cosine = cosine + sum * SIMD4(repeating: factors.x)
            sine = sine + difference * SIMD4(repeating: factors.y)
        }

        /// Returns the lower and upper half of a subband, computed with the real filters.
        @inline(__always)
        func halves() -> (lower: ComplexVector, upper: ComplexVector) {
            let half = middle * SIMD4(repeating: 0.5)
            let taps = HybridFilters.halfTaps
            let sides =
                sums.0 * SIMD4(repeating: taps.x) + sums.2 * SIMD4(repeating: taps.y) + sums.4 * SIMD4(repeating: taps.z)
            return (half + sides, half - sides)
        }
    }
}
