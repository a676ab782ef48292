// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What a frame of SBR is made from, for one channel: columns of the frame at hand and of the two that follow.
///
/// A time slot is two columns, of which the first may be left out: two columns hold twice the values that their band can
/// differ in.
struct SubbandHistory: ~Copyable {
    /// Frames kept.
    private static let frameCount = 3
    private static let vectorCount = SubbandColumns.columnCount * SubbandColumns.rowCount

    private(set) var real: [1536 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private(set) var imaginary: [1536 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// |X|² likewise.
    private var energies: [1536 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private var newest = 0
    /// The first vectors of the frame at hand and of the one after it.
    private(set) var current = 0
    private var next = 0
    /// Columns of a time slot, 2 or 1.
    let columnsPerSlot: Int

    /// Makes a silent history.
    init(columnsPerSlot: Int = 2) { self.columnsPerSlot = columnsPerSlot }

    /// Columns of a frame.
    var columnCount: Int { 16 &* columnsPerSlot }

    /// Takes the next frame; the one at hand becomes that which came two before.
    mutating func append(_ columns: inout SubbandColumns) {
        newest = (newest + 1) % Self.frameCount
        current = (newest + 1) % Self.frameCount * Self.vectorCount
        next = (newest + 2) % Self.frameCount * Self.vectorCount
        let (first, count) = (newest &* Self.vectorCount, SubbandColumns.rowCount &* columnCount)
        let (newReal, newImaginary) = (columns.real.span, columns.imaginary.span)
        var reals = real.mutableSpan
        var imaginaries = imaginary.mutableSpan
        var squares = energies.mutableSpan
        for index in 0..<count {
            let value = ComplexVector(newReal[index], newImaginary[index])
            reals[first &+ index] = value.real
            imaginaries[first &+ index] = value.imaginary
            squares[first &+ index] = value.energy
        }
    }

    /// The energies of four slots, one in each lane, from `slot` on, by subband.
    mutating func collectEnergies(fromSlot slot: Int, rows: Range<Int>, into subbands: inout MutableSpan<SIMD4<Float>>) {
        let count = columnsPerSlot
        let all = energies.span
        let (first, second) = (place(ofSlot: slot), place(ofSlot: slot &+ 1))
        let (third, fourth) = (place(ofSlot: slot &+ 2), place(ofSlot: slot &+ 3))
        for row in rows {
            let slots =
                count == 1
                ? (all[first &+ row], all[second &+ row], all[third &+ row], all[fourth &+ row])
                : (
                    all[first &+ row] + all[first &+ 16 &+ row], all[second &+ row] + all[second &+ 16 &+ row],
                    all[third &+ row] + all[third &+ 16 &+ row], all[fourth &+ row] + all[fourth &+ 16 &+ row]
                )
            let four = SIMD4<Float>.transposed(slots.0, slots.1, slots.2, slots.3)
            subbands[4 &* row] = four.0
            subbands[4 &* row &+ 1] = four.1
            subbands[4 &* row &+ 2] = four.2
            subbands[4 &* row &+ 3] = four.3
        }
    }

    /// Where the first column of a slot lies, 0 to 31 from the start of the frame at hand.
    private func place(ofSlot slot: Int) -> Int { place(ofColumn: columnsPerSlot &* slot) }

    private func place(ofColumn column: Int) -> Int {
        column < columnCount
            ? current &+ SubbandColumns.rowCount &* column : next &+ SubbandColumns.rowCount &* (column &- columnCount)
    }

    /// Adds up the energies of rows of four subbands over slots 0 to 31, counted from the start of the frame at hand.
    ///
    /// Mutating, as everything that takes a span of a member, so that the member is not copied.
    mutating func sumEnergies(slots: Range<Int>, rows: Range<Int>, into sums: inout MutableSpan<Float>) {
        let columns = columnsPerSlot &* slots.lowerBound..<columnsPerSlot &* slots.upperBound
        let all = energies.span
        for row in rows {
            var sum = SIMD4<Float>(repeating: 0)
            for column in columns { sum += all[place(ofColumn: column) &+ row] }
            sums.store(sum, at: 4 &* row)
        }
    }
}
