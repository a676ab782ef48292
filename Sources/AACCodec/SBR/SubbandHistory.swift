// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import TransformCoding

/// The QMF columns from which one channel of a frame is analysed: those of the current frame and the two after it.
///
/// A time slot has two columns, or one where only every second column is analysed: the columns of a complex filter bank are
/// oversampled by two.
struct SubbandHistory: ~Copyable {
    /// The number of kept frames.
    private static let frameCount = 3
    /// Real parts of the kept frames, in a ring.
    private(set) var real: FixedArray<SIMD4<Float>>
    /// Imaginary parts, likewise.
    private(set) var imaginary: FixedArray<SIMD4<Float>>
    /// |X|², likewise.
    private var energies: FixedArray<SIMD4<Float>>
    /// The frame of the ring appended last.
    private var newest = 0
    /// The index of the first vector of the current frame.
    private(set) var current = 0
    /// The index of the first vector of the frame after the current one.
    private var next = 0
    /// The columns of a time slot, 2 or 1.
    let columnsPerSlot: Int
    /// The columns of a frame.
    let columnCount: Int
    /// Vectors of a frame.
    private let vectorCount: Int

    /// Makes a silent history.
    ///
    /// - Parameters:
    ///   - slotCount: The time slots of a frame.
    ///   - columnsPerSlot: The columns of a time slot, 2 or 1.
    init(slotCount: Int, columnsPerSlot: Int) {
        self.columnsPerSlot = columnsPerSlot
        columnCount = slotCount * columnsPerSlot
        vectorCount = columnCount * SubbandColumns.rowCount
        real = FixedArray(repeating: SIMD4(repeating: 0), count: Self.frameCount * vectorCount)
        imaginary = FixedArray(repeating: SIMD4(repeating: 0), count: Self.frameCount * vectorCount)
        energies = FixedArray(repeating: SIMD4(repeating: 0), count: Self.frameCount * vectorCount)
    }

    /// Appends a frame; the current frame becomes the one appended two frames before.
    mutating func append(_ columns: borrowing SubbandColumns) {
        newest = (newest + 1) % Self.frameCount
        current = (newest + 1) % Self.frameCount * vectorCount
        next = (newest + 2) % Self.frameCount * vectorCount
        let (first, count) = (newest &* vectorCount, vectorCount)
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

    /// Collects the energies of four time slots from `slot` on, one in each lane, by subband.
    func collectEnergies(fromSlot slot: Int, rows: Range<Int>, into subbands: inout MutableSpan<SIMD4<Float>>) {
        let count = columnsPerSlot
        let all = energies.span
        let (first, second) = (firstVector(ofSlot: slot), firstVector(ofSlot: slot &+ 1))
        let (third, fourth) = (firstVector(ofSlot: slot &+ 2), firstVector(ofSlot: slot &+ 3))
        for row in rows {
            // Not one expression, which is too long for the type checker where vectors have no operators of their own.
            var slots = (all[first &+ row], all[second &+ row], all[third &+ row], all[fourth &+ row])
            if count == 2 {
                slots.0 += all[first &+ 16 &+ row]
                slots.1 += all[second &+ 16 &+ row]
                slots.2 += all[third &+ 16 &+ row]
                slots.3 += all[fourth &+ 16 &+ row]
            }
            let four = SIMD4<Float>.transposed(slots.0, slots.1, slots.2, slots.3)
            subbands[4 &* row] = four.0
            subbands[4 &* row &+ 1] = four.1
            subbands[4 &* row &+ 2] = four.2
            subbands[4 &* row &+ 3] = four.3
        }
    }

    /// Returns the index of the first vector of a time slot, 0 to 31 from the start of the current frame.
    private func firstVector(ofSlot slot: Int) -> Int { firstVector(ofColumn: columnsPerSlot &* slot) }

    /// Returns the index of the first vector of a column, 0 to 63 from the start of the current frame.
    private func firstVector(ofColumn column: Int) -> Int {
        column < columnCount
            ? current &+ SubbandColumns.rowCount &* column : next &+ SubbandColumns.rowCount &* (column &- columnCount)
    }

    /// Sums the energies of rows of four subbands over time slots, 0 to 31 from the start of the current frame.
    func sumEnergies(slots: Range<Int>, rows: Range<Int>, into sums: inout MutableSpan<Float>) {
        let columns = columnsPerSlot &* slots.lowerBound..<columnsPerSlot &* slots.upperBound
        let all = energies.span
        for row in rows {
            var sum = SIMD4<Float>(repeating: 0)
            for column in columns { sum += all[firstVector(ofColumn: column) &+ row] }
            sums.store(sum, at: 4 &* row)
        }
    }
}
