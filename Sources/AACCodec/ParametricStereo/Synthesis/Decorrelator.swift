// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The decorrelator of parametric stereo, without transient reduction: derives from the mono signal a signal of the same spectrum
/// that is uncorrelated with it (ISO/IEC 14496-3:2009, 8.6.4.5.2).
///
/// Hybrid bands and the QMF subbands below 23 are filtered by a delay of two columns and three all-pass links; the subbands below
/// 35 are delayed by 14 columns, the others by one column.
package struct Decorrelator: ~Copyable {
    /// Rows of four bands with all-pass links: 8 of hybrid bands, 6 of QMF subbands.
    private static let rowCount = 14
    /// The first QMF subband that is delayed instead of filtered.
    private static let firstDelayed = 23
    /// The first QMF subband with the short delay of one column.
    private static let firstShort = 35
    /// The long delay, in columns.
    private static let longDelay = 14
    /// Values for the columns of a delayed subband: those of the delay, those of a frame, which are at most 32, and two more for whole vectors.
    private static let stride = 48
    /// The values of all delayed subbands.
    private static let delayedCount = (64 - firstDelayed) * stride
    /// An inaudible offset that keeps the filter states from becoming denormal.
    private static let bias = SIMD4<Float>(repeating: 1e-18)

    /// The last two columns of each row.
    private var past = FixedArray<ComplexVector>(repeating: .zero, count: 2 * rowCount)
    /// The states of the links: the last 3, 4 and 5 columns.
    private var links = FixedArray<ComplexVector>(repeating: .zero, count: (3 + 4 + 5) * rowCount)
    /// Columns so far, modulo 60.
    private var clock = 0
    /// Real parts of subbands 23 to 63, one after the other: 14 columns of the past, then those of the frame.
    private var real = FixedArray<Float>(repeating: 0, count: delayedCount)
    /// Imaginary parts, likewise.
    private var imaginary = FixedArray<Float>(repeating: 0, count: delayedCount)
    /// The QMF subbands that are decorrelated.
    private let subbandCount: Int

    /// Makes a decorrelator with a silent past.
    ///
    /// - Parameters:
    ///   - columnCount: The most columns of a frame.
    ///   - subbandCount: The QMF subbands that are decorrelated: 23 or fewer, or 64.
    package init(columnCount: Int, subbandCount: Int = 64) {
        self.subbandCount = subbandCount
    }

    /// Returns to a silent past.
    mutating func reset() {
        past.fill(.zero)
        links.fill(.zero)
        clock = 0
        real.fill(0)
        imaginary.fill(0)
    }

    /// Decorrelates four columns, one in each lane.
    ///
    /// - Parameters:
    ///   - low: The hybrid bands of the split subbands.
    ///   - subbands: The 64 QMF subbands.
    ///   - bands: The frequency bands of processing.
    ///   - columns: The 1 to 4 columns, counted from the start of the frame.
    ///   - lowDecorrelated: Receives the decorrelated hybrid bands.
    ///   - decorrelated: Receives the decorrelated subbands that are not split.
    package mutating func decorrelate(
        low: Span<ComplexVector>, subbands: Span<ComplexVector>, bands: StereoBands, columns: Range<Int>,
        intoLow lowDecorrelated: inout MutableSpan<ComplexVector>,
        into decorrelated: inout MutableSpan<ComplexVector>
    ) {
        if subbandCount > Self.firstDelayed { delay(subbands, column: columns.lowerBound, into: &decorrelated) }
        let columnCount = columns.count
        let columns = Columns(
            count: columnCount, rowCount: min((subbandCount &+ 3) / 4, 6),
            states: (StateRows(clock), StateRows(clock &+ 1), StateRows(clock &+ 2), StateRows(clock &+ 3)))
        if bands == .bands20 {
            linkLow(low, rowCount: 3, StereoTables.shared, is34: false, columns, into: &lowDecorrelated)
            linkSubbands(subbands, StereoTables.shared, is34: false, columns, into: &decorrelated)
        } else {
            linkLow(low, rowCount: 8, StereoTables.shared, is34: true, columns, into: &lowDecorrelated)
            linkSubbands(subbands, StereoTables.shared, is34: true, columns, into: &decorrelated)
        }
        clock = (clock &+ columnCount) % 60
    }

    /// Ends a frame: keeps its last columns for the next.
    package mutating func advance(columnCount: Int) {
        for subband in 0..<64 &- Self.firstDelayed {
            let delay = subband &+ Self.firstDelayed < Self.firstShort ? Self.longDelay : 1
            let end = Self.stride &* subband &+ Self.longDelay
            real.copy(end &- delay &+ columnCount..<end &+ columnCount, to: end &- delay)
            imaginary.copy(end &- delay &+ columnCount..<end &+ columnCount, to: end &- delay)
        }
    }

    /// Delays the subbands from ``firstDelayed`` on.
    private mutating func delay(
        _ subbands: Span<ComplexVector>, column: Int, into decorrelated: inout MutableSpan<ComplexVector>
    ) {
        var real = real.mutableSpan(first: Self.delayedCount)
        var imaginary = imaginary.mutableSpan(first: Self.delayedCount)
        for subband in Self.firstDelayed..<Self.firstShort {
            let offset = Self.stride &* (subband &- Self.firstDelayed) &+ Self.longDelay &+ column
            real.store(subbands[subband].real, at: offset)
            imaginary.store(subbands[subband].imaginary, at: offset)
            let source = offset &- Self.longDelay
            decorrelated[subband] = ComplexVector(real.vector(at: source), imaginary.vector(at: source))
        }
        for subband in Self.firstShort..<64 {
            let offset = Self.stride &* (subband &- Self.firstDelayed) &+ Self.longDelay &+ column
            let value = subbands[subband]
            // Columns that have just been stored can't be loaded in another division into vectors without waiting.
            let (pastReal, pastImaginary) = (real.vector(at: offset &- 4), imaginary.vector(at: offset &- 4))
            real.store(value.real, at: offset)
            imaginary.store(value.imaginary, at: offset)
            decorrelated[subband] = ComplexVector(
                SIMD4(pastReal.w, value.real.x, value.real.y, value.real.z),
                SIMD4(pastImaginary.w, value.imaginary.x, value.imaginary.y, value.imaginary.z))
        }
    }

    /// Filters the hybrid bands by the links.
    private mutating func linkLow(
        _ low: Span<ComplexVector>, rowCount: Int, _ tables: StereoTables, is34: Bool, _ columns: Columns,
        into decorrelated: inout MutableSpan<ComplexVector>
    ) {
        var past = past.mutableSpan(first: 28)
        var links = links.mutableSpan(first: 168)
        for row in 0..<rowCount {
            let result = Self.link(
                (low[4 &* row], low[4 &* row &+ 1], low[4 &* row &+ 2], low[4 &* row &+ 3]), row: row, tables, is34: is34,
                columns, &past, &links)
            decorrelated[4 &* row] = result.0
            decorrelated[4 &* row &+ 1] = result.1
            decorrelated[4 &* row &+ 2] = result.2
            decorrelated[4 &* row &+ 3] = result.3
        }
    }

    /// Filters the QMF subbands below ``firstDelayed`` by the links.
    private mutating func linkSubbands(
        _ subbands: Span<ComplexVector>, _ tables: StereoTables, is34: Bool, _ columns: Columns,
        into decorrelated: inout MutableSpan<ComplexVector>
    ) {
        var past = past.mutableSpan(first: 28)
        var links = links.mutableSpan(first: 168)
        for row in 0..<columns.rowCount {
            let result = Self.link(
                (subbands[4 &* row], subbands[4 &* row &+ 1], subbands[4 &* row &+ 2], subbands[4 &* row &+ 3]), row: row &+ 8,
                tables, is34: is34, columns, &past, &links)
            decorrelated[4 &* row] = result.0
            decorrelated[4 &* row &+ 1] = result.1
            decorrelated[4 &* row &+ 2] = result.2
            // The last subband, 23, is delayed instead.
            if row < 5 { decorrelated[4 &* row &+ 3] = result.3 }
        }
    }

    /// Filters four columns of four bands by the links; columns are in the lanes of the arguments and of the result.
    @inline(__always)
    private static func link(
        _ bands: (ComplexVector, ComplexVector, ComplexVector, ComplexVector), row: Int, _ tables: StereoTables,
        is34: Bool, _ columns: Columns, _ past: inout MutableSpan<ComplexVector>, _ links: inout MutableSpan<ComplexVector>
    ) -> (ComplexVector, ComplexVector, ComplexVector, ComplexVector) {
        let real = SIMD4<Float>.transposed(bands.0.real, bands.1.real, bands.2.real, bands.3.real)
        let imaginary = SIMD4<Float>.transposed(
            bands.0.imaginary, bands.1.imaginary, bands.2.imaginary, bands.3.imaginary)
        let phase = is34 ? tables.phases34[row] : tables.phases20[row]
        let rotations = is34 ? tables.links34.span : tables.links20.span
        let gains = is34 ? tables.gains34.span : tables.gains20.span
        let filter = Filter(
            phase: phase, rotations: (rotations[row], rotations[14 &+ row], rotations[28 &+ row]),
            gains: (gains[row], gains[14 &+ row], gains[28 &+ row]), row: row)
        let (count, states) = (columns.count, columns.states)
        let y0 = step(filter, ComplexVector(real.0, imaginary.0), states.0, &past, &links)
        let y1 = count > 1 ? step(filter, ComplexVector(real.1, imaginary.1), states.1, &past, &links) : .zero
        let y2 = count > 2 ? step(filter, ComplexVector(real.2, imaginary.2), states.2, &past, &links) : .zero
        let y3 = count > 3 ? step(filter, ComplexVector(real.3, imaginary.3), states.3, &past, &links) : .zero
        let r = SIMD4<Float>.transposed(y0.real, y1.real, y2.real, y3.real)
        let i = SIMD4<Float>.transposed(y0.imaginary, y1.imaginary, y2.imaginary, y3.imaginary)
        return (ComplexVector(r.0, i.0), ComplexVector(r.1, i.1), ComplexVector(r.2, i.2), ComplexVector(r.3, i.3))
    }

    /// The coefficients of the links of one row.
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

    /// One to four columns, the rows of QMF subbands to filter, and the states that apply at each column.
    private struct Columns {
        /// The number of columns, 1 to 4.
        var count: Int
        /// The rows of QMF subbands to filter.
        var rowCount: Int
        /// The states of each column.
        var states: (StateRows, StateRows, StateRows, StateRows)
    }

    /// The first rows of the states that leave the delays at one column: after two columns, and in the links after three, four and five.
    private struct StateRows {
        /// The row that leaves the delay of two columns.
        let past: Int
        /// The row that leaves each link.
        let links: (Int, Int, Int)

        /// Returns the rows at a column, counted modulo 60.
        init(_ time: Int) {
            past = (time & 1) &* rowCount
            links = ((time % 3) &* rowCount, (3 &+ (time & 3)) &* rowCount, (7 &+ time % 5) &* rowCount)
        }
    }

    /// Filters one column by the delay of two columns and the three links.
    @inline(__always)
    private static func step(
        _ filter: Filter, _ input: ComplexVector, _ states: StateRows, _ past: inout MutableSpan<ComplexVector>,
        _ links: inout MutableSpan<ComplexVector>
    ) -> ComplexVector {
        let offset = states.past &+ filter.row
        var value = past[offset] * filter.phase
        value.real += bias
        past[offset] = input
        value = pass(value, filter.rotations.0, filter.gains.0, &links[states.links.0 &+ filter.row])
        value = pass(value, filter.rotations.1, filter.gains.1, &links[states.links.1 &+ filter.row])
        return pass(value, filter.rotations.2, filter.gains.2, &links[states.links.2 &+ filter.row])
    }

    /// Filters one column by an all-pass link: y(n) = Q · z(n - d) - a γ · v(n), z(n) = v(n) + a γ · y(n).
    ///
    /// - Parameter state: z of the column that leaves the link, which becomes that of this column.
    @inline(__always)
    private static func pass(
        _ value: ComplexVector, _ rotation: ComplexVector, _ gain: SIMD4<Float>, _ state: inout ComplexVector
    ) -> ComplexVector {
        let output = state * rotation - value * gain
        state = value + output * gain
        return output
    }
}
