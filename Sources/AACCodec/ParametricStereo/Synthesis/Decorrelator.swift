// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The parametric stereo decorrelator without transient reduction: derives a signal with the same spectrum as the mono signal and
/// uncorrelated with it (ISO/IEC 14496-3:2009, 8.6.4.5.2).
///
/// Hybrid bands and QMF subbands below 23 pass through a delay of two time slots and three all-pass links. Subbands below 35 are delayed by
/// 14 time slots, and the others by one.
package struct Decorrelator: ~Copyable {
    /// The number of four-band rows with all-pass links: 8 of hybrid bands, 6 of QMF subbands.
    private static let rowCount = 14
    /// The first QMF subband that is delayed instead of filtered.
    private static let firstDelayed = 23
    /// The first QMF subband with the short delay of one time slot.
    private static let firstShort = 35
    /// The long delay, in time slots.
    private static let longDelay = 14
    /// The number of values per delayed subband: the delay, a frame of at most 32 time slots, and two more for whole vectors.
    private static let stride = 48
    /// The number of values of all delayed subbands.
    private static let delayedCount = (64 - firstDelayed) * stride
    /// An inaudible offset that keeps filter states from becoming denormal.
    private static var bias: SIMD4<Float> { SIMD4(repeating: 1e-18) }

    /// The last two time slots of each row.
    private var history = FixedArray<ComplexVector>(repeating: .zero, count: 2 * rowCount)
    /// The states of the links: the last 3, 4 and 5 time slots.
    private var links = FixedArray<ComplexVector>(repeating: .zero, count: (3 + 4 + 5) * rowCount)
    /// The number of time slots so far, modulo 60.
    private var clock = 0
    /// Real parts of subbands 23 to 63, consecutively: 14 previous time slots, then the current frame's.
    private var real = FixedArray<Float>(repeating: 0, count: delayedCount)
    /// Imaginary parts in the same layout.
    private var imaginary = FixedArray<Float>(repeating: 0, count: delayedCount)
    /// The number of decorrelated QMF subbands.
    private let subbandCount: Int

    /// Creates a decorrelator with zeroed history.
    ///
    /// - Parameters:
    ///   - qmfSlotCount: The maximum number of time slots per frame.
    ///   - subbandCount: The number of decorrelated QMF subbands: up to 23, or 64.
    package init(qmfSlotCount: Int, subbandCount: Int = 64) {
        self.subbandCount = subbandCount
    }

    mutating func reset() {
        history.fill(.zero)
        links.fill(.zero)
        clock = 0
        real.fill(0)
        imaginary.fill(0)
    }

    /// Decorrelates up to four time slots, one per lane.
    ///
    /// - Parameters:
    ///   - low: The hybrid bands of the split subbands.
    ///   - subbands: The QMF subbands: all 64, or the first 36 or more if the others are 0 in these time slots and the previous one.
    ///   - qmfSlots: The 1 to 4 time slots, relative to the start of the frame.
    ///   - lowDecorrelated: Receives the decorrelated hybrid bands.
    ///   - decorrelated: Receives the decorrelated subbands that are not split.
    package mutating func decorrelate(
        low: Span<ComplexVector>, subbands: Span<ComplexVector>, bands: StereoBands, qmfSlots: Range<Int>,
        intoLow lowDecorrelated: inout MutableSpan<ComplexVector>,
        into decorrelated: inout MutableSpan<ComplexVector>
    ) {
        if subbandCount > Self.firstDelayed { delay(subbands, qmfSlot: qmfSlots.lowerBound, into: &decorrelated) }
        let qmfSlotCount = qmfSlots.count
        let qmfSlots = Columns(
            count: qmfSlotCount, rowCount: min((subbandCount &+ 3) / 4, 6),
            states: (StateRows(clock), StateRows(clock &+ 1), StateRows(clock &+ 2), StateRows(clock &+ 3)))
        if bands == .bands20 {
            linkLow(low, rowCount: 3, StereoTables.shared, is34: false, qmfSlots, into: &lowDecorrelated)
            linkSubbands(subbands, StereoTables.shared, is34: false, qmfSlots, into: &decorrelated)
        } else {
            linkLow(low, rowCount: 8, StereoTables.shared, is34: true, qmfSlots, into: &lowDecorrelated)
            linkSubbands(subbands, StereoTables.shared, is34: true, qmfSlots, into: &decorrelated)
        }
        clock = (clock &+ qmfSlotCount) % 60
    }

    /// Ends a frame, and keeps its last time slots for the next.
    package mutating func advance(qmfSlotCount: Int) {
        let longCount = Self.firstShort &- Self.firstDelayed
        for subband in 0..<longCount {
            let first = Self.stride &* subband
            real.copy(first &+ qmfSlotCount..<first &+ qmfSlotCount &+ Self.longDelay, to: first)
            imaginary.copy(first &+ qmfSlotCount..<first &+ qmfSlotCount &+ Self.longDelay, to: first)
        }
        for subband in longCount..<64 &- Self.firstDelayed {
            let last = Self.stride &* subband &+ Self.longDelay &- 1
            real[last] = real[last &+ qmfSlotCount]
            imaginary[last] = imaginary[last &+ qmfSlotCount]
        }
    }

    /// Delays the subbands starting at ``firstDelayed``.
    private mutating func delay(
        _ subbands: Span<ComplexVector>, qmfSlot: Int, into decorrelated: inout MutableSpan<ComplexVector>
    ) {
        var real = real.mutableSpan(first: Self.delayedCount)
        var imaginary = imaginary.mutableSpan(first: Self.delayedCount)
        // Bounds of all accesses below: four values from 14 before to 4 after the offset of each subband.
        var decorrelated = decorrelated._mutatingExtracting(0..<64)
        precondition(subbands.count >= Self.firstShort && subbands.count <= 64)
        precondition(qmfSlot >= 0 && qmfSlot &+ 4 <= Self.stride &- Self.longDelay)
        var offset = Self.longDelay &+ qmfSlot
        for subband in Self.firstDelayed..<Self.firstShort {
            let value = subbands[subband]
            unsafe real.store(value.real, unchecked: offset)
            unsafe imaginary.store(value.imaginary, unchecked: offset)
            let source = offset &- Self.longDelay
            decorrelated[subband] = unsafe ComplexVector(real.vector(unchecked: source), imaginary.vector(unchecked: source))
            offset &+= Self.stride
        }
        for subband in Self.firstShort..<subbands.count {
            let value = subbands[subband]
            // Reloading just-stored time slots with another vector alignment would stall.
            let (previousReal, previousImaginary) = unsafe (
                real.vector(unchecked: offset &- 4), imaginary.vector(unchecked: offset &- 4)
            )
            unsafe real.store(value.real, unchecked: offset)
            unsafe imaginary.store(value.imaginary, unchecked: offset)
            decorrelated[subband] = ComplexVector(
                SIMD4(previousReal.w, value.real.x, value.real.y, value.real.z),
                SIMD4(previousImaginary.w, value.imaginary.x, value.imaginary.y, value.imaginary.z))
            offset &+= Self.stride
        }
    }

    /// Filters the hybrid bands with the links.
    private mutating func linkLow(
        _ low: Span<ComplexVector>, rowCount: Int, _ tables: StereoTables, is34: Bool, _ qmfSlots: Columns,
        into decorrelated: inout MutableSpan<ComplexVector>
    ) {
        var history = history.mutableSpan(first: 28)
        var links = links.mutableSpan(first: 168)
        for row in 0..<rowCount {
            let result = Self.link(
                (low[4 &* row], low[4 &* row &+ 1], low[4 &* row &+ 2], low[4 &* row &+ 3]), row: row, tables, is34: is34,
                qmfSlots, &history, &links)
            decorrelated[4 &* row] = result.0
            decorrelated[4 &* row &+ 1] = result.1
            decorrelated[4 &* row &+ 2] = result.2
            decorrelated[4 &* row &+ 3] = result.3
        }
    }

    /// Filters the QMF subbands below ``firstDelayed`` with the links.
    private mutating func linkSubbands(
        _ subbands: Span<ComplexVector>, _ tables: StereoTables, is34: Bool, _ qmfSlots: Columns,
        into decorrelated: inout MutableSpan<ComplexVector>
    ) {
        var history = history.mutableSpan(first: 28)
        var links = links.mutableSpan(first: 168)
        for row in 0..<qmfSlots.rowCount {
            let result = Self.link(
                (subbands[4 &* row], subbands[4 &* row &+ 1], subbands[4 &* row &+ 2], subbands[4 &* row &+ 3]), row: row &+ 8,
                tables, is34: is34, qmfSlots, &history, &links)
            decorrelated[4 &* row] = result.0
            decorrelated[4 &* row &+ 1] = result.1
            decorrelated[4 &* row &+ 2] = result.2
            // The last subband, 23, is delayed instead.
            if row < 5 { decorrelated[4 &* row &+ 3] = result.3 }
        }
    }

    /// Filters four time slots of four bands with the links.
    ///
    /// Time slots are in the lanes of arguments and result.
    @inline(__always)
    private static func link(
        _ bands: (ComplexVector, ComplexVector, ComplexVector, ComplexVector), row: Int, _ tables: StereoTables,
        is34: Bool, _ qmfSlots: Columns, _ history: inout MutableSpan<ComplexVector>, _ links: inout MutableSpan<ComplexVector>
    ) -> (ComplexVector, ComplexVector, ComplexVector, ComplexVector) {
        // With `StateRows`, keeps the states' indices within their spans: 2 rows of history, 12 of links.
        precondition(row >= 0 && row < rowCount && history.count == 2 &* rowCount && links.count == 12 &* rowCount)
        let real = SIMD4<Float>.transposed(bands.0.real, bands.1.real, bands.2.real, bands.3.real)
        let imaginary = SIMD4<Float>.transposed(
            bands.0.imaginary, bands.1.imaginary, bands.2.imaginary, bands.3.imaginary)
        let phase = is34 ? tables.phases34[row] : tables.phases20[row]
        let rotations = is34 ? tables.links34.span : tables.links20.span
        let gains = is34 ? tables.gains34.span : tables.gains20.span
        let filter = Filter(
            phase: phase, rotations: (rotations[row], rotations[14 &+ row], rotations[28 &+ row]),
            gains: (gains[row], gains[14 &+ row], gains[28 &+ row]), row: row)
        let (count, states) = (qmfSlots.count, qmfSlots.states)
        let y0 = step(filter, ComplexVector(real.0, imaginary.0), states.0, &history, &links)
        let y1 = count > 1 ? step(filter, ComplexVector(real.1, imaginary.1), states.1, &history, &links) : .zero
        let y2 = count > 2 ? step(filter, ComplexVector(real.2, imaginary.2), states.2, &history, &links) : .zero
        let y3 = count > 3 ? step(filter, ComplexVector(real.3, imaginary.3), states.3, &history, &links) : .zero
        let r = SIMD4<Float>.transposed(y0.real, y1.real, y2.real, y3.real)
        let i = SIMD4<Float>.transposed(y0.imaginary, y1.imaginary, y2.imaginary, y3.imaginary)
        return (ComplexVector(r.0, i.0), ComplexVector(r.1, i.1), ComplexVector(r.2, i.2), ComplexVector(r.3, i.3))
    }

    /// The link coefficients of one row.
    private struct Filter {
        /// `φ`, the fractional delay before the links.
        var phase: ComplexVector
        /// `Q`, the fractional delay of each link.
        var rotations: (ComplexVector, ComplexVector, ComplexVector)
        /// `a` · `γ` of each link.
        var gains: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
        /// The row of states.
        var row: Int
    }

    /// One to four time slots, the rows of QMF subbands to filter, and the state rows for each time slot.
    private struct Columns {
        /// The number of time slots, 1 to 4.
        var count: Int
        /// The number of rows of QMF subbands to filter.
        var rowCount: Int
        /// The state rows for each time slot.
        var states: (StateRows, StateRows, StateRows, StateRows)
    }

    /// The first rows of the states that leave the delays in one time slot: after two time slots, and in the links after three, four and
    /// five.
    private struct StateRows {
        /// The row that leaves the delay of two time slots.
        let history: Int
        /// The row that leaves each link.
        let links: (Int, Int, Int)

        /// Computes the rows for a time slot, counted modulo 60.
        init(_ time: Int) {
            precondition(time >= 0)
            history = (time & 1) &* rowCount
            links = ((time % 3) &* rowCount, (3 &+ (time & 3)) &* rowCount, (7 &+ time % 5) &* rowCount)
        }
    }

    /// Filters one time slot with the delay of two time slots and the three links.
    ///
    /// The caller checks the row and the spans' lengths.
    @inline(__always)
    private static func step(
        _ filter: Filter, _ input: ComplexVector, _ states: StateRows, _ history: inout MutableSpan<ComplexVector>,
        _ links: inout MutableSpan<ComplexVector>
    ) -> ComplexVector {
        let offset = states.history &+ filter.row
        var value = unsafe history[unchecked: offset] * filter.phase
        value.real += bias
        unsafe history[unchecked: offset] = input
        value = unsafe pass(value, filter.rotations.0, filter.gains.0, &links[unchecked: states.links.0 &+ filter.row])
        value = unsafe pass(value, filter.rotations.1, filter.gains.1, &links[unchecked: states.links.1 &+ filter.row])
        return unsafe pass(value, filter.rotations.2, filter.gains.2, &links[unchecked: states.links.2 &+ filter.row])
    }

    /// Filters one time slot with an all-pass link: y(n) = Q · z(n - d) - a γ · v(n), z(n) = v(n) + a γ · y(n).
    ///
    /// - Parameter state: On input z(n - d), on output z(n).
    @inline(__always)
    private static func pass(
        _ value: ComplexVector, _ rotation: ComplexVector, _ gain: SIMD4<Float>, _ state: inout ComplexVector
    ) -> ComplexVector {
        let output = state * rotation - value * gain
        state = value + output * gain
        return output
    }
}
