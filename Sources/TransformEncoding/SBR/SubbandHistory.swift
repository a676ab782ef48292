// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The QMF slots for the analysis of one channel of a frame.
///
/// They cover the current frame and the next two, or in low delay SBR the previous and the current frame. A time slot has two QMF slots, or
/// one if only every second QMF slot is analyzed. The complex filter bank is oversampled by two.
package struct SubbandHistory: ~Copyable {
    /// The number of retained frames: 3, in low delay SBR 2.
    private let frameCount: Int
    private let layout: SlotLayout
    /// The real parts of the retained frames, in a ring buffer; in low delay SBR in order.
    private(set) var real: FixedArray<SIMD4<Float>>
    /// The imaginary parts, in the same order.
    private(set) var imaginary: FixedArray<SIMD4<Float>>
    /// |X|², in the same order.
    private(set) var energies: FixedArray<SIMD4<Float>>
    /// The index of the newest frame in the ring buffer.
    private var newest = 0
    /// The index of the current frame's first vector.
    private(set) var current = 0
    /// The index of the next frame's first vector.
    private var next = 0
    /// The number of analyzed QMF slots per time slot, 2 or 1.
    let qmfSlotsPerTimeSlot: Int
    let qmfSlotCount: Int
    /// The number of vectors per frame.
    private let vectorCount: Int

    /// Creates a silent history.
    ///
    /// - Parameters:
    ///   - layout: The time slots of a frame. In low delay SBR the current frame is the newest.
    ///   - qmfSlotsPerTimeSlot: The number of analyzed QMF slots per time slot, 2 or 1.
    package init(_ layout: SlotLayout, qmfSlotsPerTimeSlot: Int) {
        self.layout = layout
        frameCount = layout.isLowDelay ? 2 : 3
        self.qmfSlotsPerTimeSlot = qmfSlotsPerTimeSlot
        qmfSlotCount = layout.slotCount * qmfSlotsPerTimeSlot
        vectorCount = qmfSlotCount * SubbandSlots.rowCount
        real = FixedArray(repeating: SIMD4(repeating: 0), count: frameCount * vectorCount)
        imaginary = FixedArray(repeating: SIMD4(repeating: 0), count: frameCount * vectorCount)
        energies = FixedArray(repeating: SIMD4(repeating: 0), count: frameCount * vectorCount)
    }

    /// Appends a frame.
    ///
    /// The frame appended two calls earlier becomes current; in low delay SBR the new frame does.
    package mutating func append(_ qmfSlots: borrowing SubbandSlots) {
        if layout.isLowDelay {
            let vectors = vectorCount..<2 * vectorCount
            real.copy(vectors, to: 0)
            imaginary.copy(vectors, to: 0)
            energies.copy(vectors, to: 0)
            (newest, current, next) = (1, vectorCount, vectorCount)
        } else {
            newest = (newest + 1) % frameCount
            current = (newest + 1) % frameCount * vectorCount
            next = (newest + 2) % frameCount * vectorCount
        }
        let (first, count) = (newest &* vectorCount, vectorCount)
        let (newReal, newImaginary) = (qmfSlots.real.span.extracting(0..<count), qmfSlots.imaginary.span.extracting(0..<count))
        real.copy(newReal, to: first)
        imaginary.copy(newImaginary, to: first)
        var allSquares = energies.mutableSpan
        var squares = allSquares._mutatingExtracting(first..<first &+ count)
        // All spans have this count.
        for index in 0..<count {
            unsafe squares[unchecked: index] = ComplexVector(newReal[unchecked: index], newImaginary[unchecked: index]).energy
        }
    }

    /// Whether only every second QMF slot is analyzed.
    var isHalved: Bool { qmfSlotsPerTimeSlot == 1 && !layout.isLowDelay }

    /// The QMF slots for the current frame's tonality, as first vector index and slot count: the frame's slots.
    ///
    /// In low delay SBR, with frames half as long, the previous frame's slots are included.
    var tonalQMFSlots: (first: Int, count: Int) { layout.isLowDelay ? (0, 2 * qmfSlotCount) : (current, qmfSlotCount) }

    /// Collects the energies of four time slots starting at `slot`, one per lane, by subband.
    func collectEnergies(fromSlot slot: Int, rows: Range<Int>, into subbands: inout MutableSpan<SIMD4<Float>>) {
        let count = qmfSlotsPerTimeSlot
        let all = energies.span
        let (first, second) = (firstVector(ofSlot: slot), firstVector(ofSlot: slot &+ 1))
        let (third, fourth) = (firstVector(ofSlot: slot &+ 2), firstVector(ofSlot: slot &+ 3))
        precondition(rows.lowerBound >= 0 && rows.upperBound <= SubbandSlots.rowCount)
        // Constant lengths, so that bounds checks fold.
        let length = SubbandSlots.rowCount &* count
        let vectors = (
            all.extracting(first..<first &+ length), all.extracting(second..<second &+ length), all.extracting(third..<third &+ length),
            all.extracting(fourth..<fourth &+ length)
        )
        var subbands = subbands._mutatingExtracting(0..<4 &* SubbandSlots.rowCount)
        for row in rows {
            // Not one expression, because that is too complex for the type checker if vectors have no built-in operators.
            var slots = (vectors.0[row], vectors.1[row], vectors.2[row], vectors.3[row])
            if count == 2 {
                slots.0 += vectors.0[row &+ SubbandSlots.rowCount]
                slots.1 += vectors.1[row &+ SubbandSlots.rowCount]
                slots.2 += vectors.2[row &+ SubbandSlots.rowCount]
                slots.3 += vectors.3[row &+ SubbandSlots.rowCount]
            }
            let four = SIMD4<Float>.transposed(slots.0, slots.1, slots.2, slots.3)
            subbands[4 &* row] = four.0
            subbands[4 &* row &+ 1] = four.1
            subbands[4 &* row &+ 2] = four.2
            subbands[4 &* row &+ 3] = four.3
        }
    }

    /// Returns the first vector index of a time slot, 0 to 31 from the start of the current frame.
    private func firstVector(ofSlot slot: Int) -> Int { firstVector(ofQMFSlot: qmfSlotsPerTimeSlot &* slot) }

    /// Returns the first vector index of a QMF slot, 0 to 63 from the start of the current frame.
    private func firstVector(ofQMFSlot qmfSlot: Int) -> Int {
        qmfSlot < qmfSlotCount
            ? current &+ SubbandSlots.rowCount &* qmfSlot : next &+ SubbandSlots.rowCount &* (qmfSlot &- qmfSlotCount)
    }

    /// Sums the energies of rows of four subbands over time slots, 0 to 31 from the start of the current frame.
    func sumEnergies(slots: Range<Int>, rows: Range<Int>, into sums: inout MutableSpan<Float>) {
        let qmfSlots = qmfSlotsPerTimeSlot &* slots.lowerBound..<qmfSlotsPerTimeSlot &* slots.upperBound
        let all = energies.span
        let (inCurrent, inNext) = (qmfSlots.clamped(to: 0..<qmfSlotCount), qmfSlots.clamped(to: qmfSlotCount..<2 &* qmfSlotCount))
        let currentVectors = all.extracting(current..<current &+ vectorCount)
        let nextVectors = all.extracting(next..<next &+ vectorCount)
        for row in rows {
            var sum = SIMD4<Float>(repeating: 0)
            for qmfSlot in inCurrent { sum += currentVectors[SubbandSlots.rowCount &* qmfSlot &+ row] }
            for qmfSlot in inNext { sum += nextVectors[SubbandSlots.rowCount &* (qmfSlot &- qmfSlotCount) &+ row] }
            sums.store(sum, at: 4 &* row)
        }
    }
}
