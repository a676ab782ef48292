// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Makes a second signal of the same spectrum that has nothing to do with the first in phase (ISO/IEC 14496-3:2009,
/// 8.6.4.5.2), before transients are taken out of it.
///
/// Low bands and the QMF subbands below 23 go through three all-pass links, those below 35 are 14 columns late, the others
/// one column.
struct Decorrelator: ~Copyable {
    /// Rows of four bands that go through the links: 8 of low bands, 6 of QMF subbands.
    private static let rowCount = 14
    private static let firstDelayed = 23
    private static let firstShort = 35
    private static let longDelay = 14
    /// Places for the columns of a delayed subband.
    private static let stride = 48
    /// So small that nobody hears it, so large that states never become denormal.
    private static let bias = SIMD4<Float>(repeating: 1e-18)

    /// The last two columns of each row.
    private var past: [28 of ComplexVector] = .init(repeating: .zero)
    /// What the links hold: the last 3, 4 and 5 columns.
    private var links: [168 of ComplexVector] = .init(repeating: .zero)
    /// Columns so far, modulo 60.
    private var clock = 0
    /// Subbands 23 to 63, one after the other: 14 columns of the past, then the frame.
    private var real: [1968 of Float] = .init(repeating: 0)
    private var imaginary: [1968 of Float] = .init(repeating: 0)

    /// Makes a decorrelator with a silent past.
    init() {}

    /// Makes the twins of four columns, one in each lane.
    ///
    /// - Parameters:
    ///   - low: The low bands; `lowTwins` takes theirs.
    ///   - subbands: 64 QMF subbands; `twins` takes those of the ones that are not split.
    ///   - column: The first of the columns in the frame.
    ///   - columnCount: 1 to 4.
    ///   - subbandCount: As far as twins are needed, always the same.
    mutating func decorrelate(
        low: Span<ComplexVector>, subbands: Span<ComplexVector>, bands: StereoBands, column: Int, columnCount: Int,
        subbandCount: Int = 64, intoLow lowTwins: inout MutableSpan<ComplexVector>, into twins: inout MutableSpan<ComplexVector>
    ) {
        if subbandCount > Self.firstDelayed { delay(subbands, column: column, into: &twins) }
        let columns = Columns(
            count: columnCount, rowCount: min((subbandCount &+ 3) / 4, 6),
            places: (Places(clock), Places(clock &+ 1), Places(clock &+ 2), Places(clock &+ 3)))
        if bands == .bands20 {
            linkLow(low, rowCount: 3, StereoTables.shared, is34: false, columns, into: &lowTwins)
            linkSubbands(subbands, StereoTables.shared, is34: false, columns, into: &twins)
        } else {
            linkLow(low, rowCount: 8, StereoTables.shared, is34: true, columns, into: &lowTwins)
            linkSubbands(subbands, StereoTables.shared, is34: true, columns, into: &twins)
        }
        clock = (clock &+ columnCount) % 60
    }

    /// Keeps the last columns of a frame for the next.
    mutating func advance(columnCount: Int) {
        for subband in 0..<64 &- Self.firstDelayed {
            let isShort = subband &+ Self.firstDelayed >= Self.firstShort
            for column in (isShort ? Self.longDelay &- 1 : 0)..<Self.longDelay {
                let place = Self.stride &* subband &+ column
                real[place] = real[place &+ columnCount]
                imaginary[place] = imaginary[place &+ columnCount]
            }
        }
    }

    private mutating func delay(
        _ subbands: Span<ComplexVector>, column: Int, into twins: inout MutableSpan<ComplexVector>
    ) {
        var real = real.mutableSpan
        var imaginary = imaginary.mutableSpan
        for subband in Self.firstDelayed..<64 {
            let place = Self.stride &* (subband &- Self.firstDelayed) &+ Self.longDelay &+ column
            real.store(subbands[subband].real, at: place)
            imaginary.store(subbands[subband].imaginary, at: place)
            let source = place &- (subband < Self.firstShort ? Self.longDelay : 1)
            twins[subband] = ComplexVector(real.vector(at: source), imaginary.vector(at: source))
        }
    }

    private mutating func linkLow(
        _ low: Span<ComplexVector>, rowCount: Int, _ tables: StereoTables, is34: Bool, _ columns: Columns,
        into twins: inout MutableSpan<ComplexVector>
    ) {
        for row in 0..<rowCount {
            let result = link(
                (low[4 &* row], low[4 &* row &+ 1], low[4 &* row &+ 2], low[4 &* row &+ 3]), row: row, tables, is34: is34,
                columns)
            twins[4 &* row] = result.0
            twins[4 &* row &+ 1] = result.1
            twins[4 &* row &+ 2] = result.2
            twins[4 &* row &+ 3] = result.3
        }
    }

    private mutating func linkSubbands(
        _ subbands: Span<ComplexVector>, _ tables: StereoTables, is34: Bool, _ columns: Columns,
        into twins: inout MutableSpan<ComplexVector>
    ) {
        for row in 0..<columns.rowCount {
            let result = link(
                (subbands[4 &* row], subbands[4 &* row &+ 1], subbands[4 &* row &+ 2], subbands[4 &* row &+ 3]), row: row &+ 8,
                tables, is34: is34, columns)
            twins[4 &* row] = result.0
            twins[4 &* row &+ 1] = result.1
            twins[4 &* row &+ 2] = result.2
            // The last one of all, subband 23, is delayed instead.
            if row < 5 { twins[4 &* row &+ 3] = result.3 }
        }
    }

    /// Takes four columns of four bands through the links; bands come, and go back, with columns in the lanes.
    @inline(__always)
    private mutating func link(
        _ bands: (ComplexVector, ComplexVector, ComplexVector, ComplexVector), row: Int, _ tables: StereoTables,
        is34: Bool, _ columns: Columns
    ) -> (ComplexVector, ComplexVector, ComplexVector, ComplexVector) {
        let real = SIMD4<Float>.transposed(bands.0.real, bands.1.real, bands.2.real, bands.3.real)
        let imaginary = SIMD4<Float>.transposed(
            bands.0.imaginary, bands.1.imaginary, bands.2.imaginary, bands.3.imaginary)
        let phase = is34 ? tables.phases34[row] : tables.phases20[row]
        let turns = is34 ? tables.links34.span : tables.links20.span
        let gains = is34 ? tables.gains34.span : tables.gains20.span
        let filter = Filter(
            phase: phase, turns: (turns[row], turns[14 &+ row], turns[28 &+ row]),
            gains: (gains[row], gains[14 &+ row], gains[28 &+ row]), row: row)
        let (count, places) = (columns.count, columns.places)
        let y0 = step(filter, ComplexVector(real.0, imaginary.0), places.0)
        let y1 = count > 1 ? step(filter, ComplexVector(real.1, imaginary.1), places.1) : .zero
        let y2 = count > 2 ? step(filter, ComplexVector(real.2, imaginary.2), places.2) : .zero
        let y3 = count > 3 ? step(filter, ComplexVector(real.3, imaginary.3), places.3) : .zero
        let r = SIMD4<Float>.transposed(y0.real, y1.real, y2.real, y3.real)
        let i = SIMD4<Float>.transposed(y0.imaginary, y1.imaginary, y2.imaginary, y3.imaginary)
        return (ComplexVector(r.0, i.0), ComplexVector(r.1, i.1), ComplexVector(r.2, i.2), ComplexVector(r.3, i.3))
    }

    /// What the links of one row compute with.
    private struct Filter {
        var phase: ComplexVector
        var turns: (ComplexVector, ComplexVector, ComplexVector)
        var gains: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
        var row: Int
    }

    /// One to four columns, of as many rows of QMF subbands as are needed, and where things lie at their times.
    private struct Columns {
        var count: Int
        var rowCount: Int
        var places: (Places, Places, Places, Places)
    }

    /// The first rows of what comes back at one time: two columns later, and of the links three, four and five.
    private struct Places {
        let past: Int
        let links: (Int, Int, Int)

        init(_ time: Int) {
            past = (time & 1) &* rowCount
            links = ((time % 3) &* rowCount, (3 &+ (time & 3)) &* rowCount, (7 &+ time % 5) &* rowCount)
        }
    }

    /// One column through the two columns of delay and the three links.
    @inline(__always)
    private mutating func step(_ filter: Filter, _ input: ComplexVector, _ places: Places) -> ComplexVector {
        let place = places.past &+ filter.row
        var value = past[place] * filter.phase
        value.real += Self.bias
        past[place] = input
        value = pass(value, filter.turns.0, filter.gains.0, at: places.links.0 &+ filter.row)
        value = pass(value, filter.turns.1, filter.gains.1, at: places.links.1 &+ filter.row)
        return pass(value, filter.turns.2, filter.gains.2, at: places.links.2 &+ filter.row)
    }

    /// One all-pass link: y = Q z' - g v, z = v + g y.
    @inline(__always)
    private mutating func pass(
        _ value: ComplexVector, _ turn: ComplexVector, _ gain: SIMD4<Float>, at place: Int
    ) -> ComplexVector {
        let output = links[place] * turn - value * gain
        links[place] = value + output * gain
        return output
    }
}
