// SPDX-License-Identifier: Apache-2.0

/// The synthesis filter bank of one channel, with 64 complex subbands, or the lower 32 for output at the core sample rate
/// (ISO/IEC 14496-3:2009, 4.6.18.4.2 and 4.6.18.4.3).
package struct QMFSynthesis: ~Copyable {
    /// `V`: a ring buffer of the transforms of 16 QMF slots, 128 values each (64 with 32 subbands).
    private var blocks = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 512)
    /// The index of the next QMF slot in the ring buffer, 0 to 15.
    private var next = 0

    private let tables: QMFTables

    /// Creates a filter bank with silent history.
    package init(_ bank: QMFBank = .standard) { tables = QMFTables.tables(bank) }

    package mutating func copyState(of other: borrowing QMFSynthesis) {
        blocks.copy(other.blocks)
        next = other.next
    }

    /// Synthesizes up to four QMF slots of 64 subbands, one slot per lane.
    ///
    /// - Parameters:
    ///   - bands: Four QMF slots in the lanes of 64 subbands. Overwritten.
    ///   - work: Workspace of the same count as `bands`.
    ///   - qmfSlotCount: The number of QMF slots, 1 to 4.
    ///   - rowCount: The number of rows of four subbands in use. Higher subbands are taken as 0.
    ///   - output: Receives 64 samples per QMF slot, starting at `offset`.
    package mutating func synthesize64(
        _ bands: inout MutableSpan<ComplexVector>, work: inout MutableSpan<ComplexVector>, qmfSlotCount: Int, rowCount: Int = 16,
        into output: inout MutableSpan<Float>, at offset: Int
    ) {
        let tables = tables
        Self.pair(bands.span, rowCount: rowCount, into: &work, tables, bandCount: 64)
        synthesizePaired64(&work, work: &bands, qmfSlotCount: qmfSlotCount, into: &output, at: offset)
    }

    /// Synthesizes as ``synthesize64(_:work:qmfSlotCount:into:at:)`` does, from subbands in the order of ``pair(_:row:into:_:bandCount:)``.
    package mutating func synthesizePaired64(
        _ pairs: inout MutableSpan<ComplexVector>, work: inout MutableSpan<ComplexVector>, qmfSlotCount: Int,
        into output: inout MutableSpan<Float>, at offset: Int
    ) {
        let tables = tables
        // Spans of constant length, so that bounds checks fold into one.
        var pairs = pairs._mutatingExtracting(0..<64)
        var work = work._mutatingExtracting(0..<64)
        QMFTransform.transform64(&pairs, &work, tables)
        storeBlocks(pairs.span, tables.synthesisOutput.span.extracting(0..<64), bandCount: 64)
        window(tables.synthesisWindow.span.extracting(0..<160), bandCount: 64, qmfSlotCount: qmfSlotCount, into: &output, at: offset)
    }

    /// Synthesizes up to four QMF slots of 32 subbands, one slot per lane, to 32 samples per slot.
    package mutating func synthesize32(
        _ bands: inout MutableSpan<ComplexVector>, work: inout MutableSpan<ComplexVector>, qmfSlotCount: Int,
        into output: inout MutableSpan<Float>, at offset: Int
    ) {
        let tables = tables
        Self.pair(bands.span, rowCount: 8, into: &work, tables, bandCount: 32)
        var pairs = work._mutatingExtracting(0..<32)
        var bands = bands._mutatingExtracting(0..<32)
        QMFTransform.transform32(&pairs, &bands, tables)
        storeBlocks(pairs.span, tables.halfSynthesisOutput.span.extracting(0..<32), bandCount: 32)
        window(tables.halfSynthesisWindow.span.extracting(0..<80), bandCount: 32, qmfSlotCount: qmfSlotCount, into: &output, at: offset)
    }

    /// Writes all subbands in the order of ``pair(_:row:into:_:bandCount:)``.
    @inline(__always)
    private static func pair(
        _ bands: Span<ComplexVector>, rowCount: Int, into output: inout MutableSpan<ComplexVector>, _ tables: QMFTables, bandCount: Int
    ) {
        let bands = bands.extracting(0..<bandCount)
        var output = output._mutatingExtracting(0..<bandCount)
        let twiddles = (bandCount == 32 ? tables.halfSynthesisInput : tables.synthesisInput).span.extracting(0..<bandCount)
        for row in 0..<rowCount {
            let four = (bands[4 &* row], bands[4 &* row &+ 1], bands[4 &* row &+ 2], bands[4 &* row &+ 3])
            pair(four, row: row, into: &output, twiddles, bandCount: bandCount)
        }
        clear(fromRow: rowCount, in: &output, bandCount: bandCount)
    }

    /// Clears the rows starting at `row` in the order of ``pair(_:row:into:_:bandCount:)``.
    @inline(__always)
    static func clear(fromRow row: Int, in output: inout MutableSpan<ComplexVector>, bandCount: Int) {
        for index in 2 &* row..<bandCount &- 2 &* row { output[index] = .zero }
    }

    /// Multiplies subbands 4 `row` to 4 `row` + 3 by their twiddles, for an inverse transform.
    ///
    /// Even subbands are stored in order from the start of `output`, the conjugates of odd ones in reverse from the end.
    ///
    /// - Parameter twiddles: ``QMFTables/synthesisInput``.
    @inline(__always)
    package static func pair(
        _ bands: (ComplexVector, ComplexVector, ComplexVector, ComplexVector), row: Int, into output: inout MutableSpan<ComplexVector>,
        _ twiddles: Span<ComplexVector>, bandCount: Int
    ) {
        output[2 &* row] = (bands.0 * twiddles[4 &* row]).swapped
        output[2 &* row &+ 1] = (bands.2 * twiddles[4 &* row &+ 2]).swapped
        output[bandCount &- 1 &- 2 &* row] = twiddles[4 &* row &+ 1].timesConjugate(of: bands.1).swapped
        output[bandCount &- 2 &- 2 &* row] = twiddles[4 &* row &+ 3].timesConjugate(of: bands.3).swapped
    }

    /// Stores the real values of four QMF slots from their transform.
    @inline(__always)
    private mutating func storeBlocks(_ input: Span<ComplexVector>, _ twiddles: Span<ComplexVector>, bandCount: Int) {
        var target = blocks.mutableSpan(first: 512)
        let block0 = 32 &* (next & 15)
        let block1 = 32 &* ((next &+ 1) & 15)
        let block2 = 32 &* ((next &+ 2) & 15)
        let block3 = 32 &* ((next &+ 3) & 15)
        for row in 0..<bandCount / 4 {
            let a = input[4 &* row] * twiddles[4 &* row]
            let b = input[4 &* row &+ 1] * twiddles[4 &* row &+ 1]
            let c = input[4 &* row &+ 2] * twiddles[4 &* row &+ 2]
            let d = input[4 &* row &+ 3] * twiddles[4 &* row &+ 3]
            let low = SIMD4<Float>.transposed(a.real, b.real, c.real, d.real)
            let high = SIMD4<Float>.transposed(a.imaginary, b.imaginary, c.imaginary, d.imaginary)
            let upper = row &+ bandCount / 4
            target[block0 &+ row] = low.0
            target[block1 &+ row] = low.1
            target[block2 &+ row] = low.2
            target[block3 &+ row] = low.3
            target[block0 &+ upper] = high.0
            target[block1 &+ upper] = high.1
            target[block2 &+ upper] = high.2
            target[block3 &+ upper] = high.3
        }
    }

    /// Windows the newest QMF slots, two at a time, then advances past them.
    @inline(__always)
    private mutating func window(
        _ window: Span<SIMD4<Float>>, bandCount: Int, qmfSlotCount: Int, into output: inout MutableSpan<Float>, at offset: Int
    ) {
        for qmfSlot in stride(from: 0, to: qmfSlotCount, by: 2) {
            let first = offset &+ bandCount &* qmfSlot
            if qmfSlot &+ 1 == qmfSlotCount {
                var samples = output._mutatingExtracting(first..<first &+ bandCount)
                Self.window(blocks.span(first: 512), window, block: next &+ qmfSlot, isPair: false, bandCount: bandCount, into: &samples)
            } else {
                var samples = output._mutatingExtracting(first..<first &+ 2 &* bandCount)
                Self.window(blocks.span(first: 512), window, block: next &+ qmfSlot, isPair: true, bandCount: bandCount, into: &samples)
            }
        }
        next = (next &+ qmfSlotCount) & 15
    }

    /// Windows and adds ten blocks.
    ///
    /// Counted back from the newest block, even ones contribute their lower half, odd ones their upper half.
    ///
    /// - Parameter isPair: Whether to compute the next QMF slot as well, with the same coefficients. Loading these takes half as long as
    ///   the sums.
    @inline(__always)
    private static func window(
        _ blocks: Span<SIMD4<Float>>, _ window: Span<SIMD4<Float>>, block: Int, isPair: Bool, bandCount: Int,
        into output: inout MutableSpan<Float>
    ) {
        let rows = bandCount / 4
        let b = (
            blocks.extracting(blockRange(block &- 0)),
            blocks.extracting(blockRange(block &- 1)),
            blocks.extracting(blockRange(block &- 2)),
            blocks.extracting(blockRange(block &- 3)),
            blocks.extracting(blockRange(block &- 4)),
            blocks.extracting(blockRange(block &- 5)),
            blocks.extracting(blockRange(block &- 6)),
            blocks.extracting(blockRange(block &- 7)),
            blocks.extracting(blockRange(block &- 8)),
            blocks.extracting(blockRange(block &- 9))
        )
        let after = blocks.extracting(blockRange(block &+ 1))
        for row in 0..<rows {
            let upper = row &+ rows
            let w0 = window[row]
            let w1 = window[row &+ 1 &* rows]
            let w2 = window[row &+ 2 &* rows]
            let w3 = window[row &+ 3 &* rows]
            let w4 = window[row &+ 4 &* rows]
            let w5 = window[row &+ 5 &* rows]
            let w6 = window[row &+ 6 &* rows]
            let w7 = window[row &+ 7 &* rows]
            let w8 = window[row &+ 8 &* rows]
            let w9 = window[row &+ 9 &* rows]
            var even = b.0[row] * w0 + b.2[row] * w2
            var odd = b.1[upper] * w1 + b.3[upper] * w3
            even += b.4[row] * w4
            odd += b.5[upper] * w5
            even += b.6[row] * w6
            odd += b.7[upper] * w7
            even += b.8[row] * w8
            odd += b.9[upper] * w9
            output.store(even + odd, at: 4 &* row)
            guard isPair else { continue }
            even = after[row] * w0 + b.1[row] * w2
            odd = b.0[upper] * w1 + b.2[upper] * w3
            even += b.3[row] * w4
            odd += b.4[upper] * w5
            even += b.5[row] * w6
            odd += b.6[upper] * w7
            even += b.7[row] * w8
            odd += b.8[upper] * w9
            output.store(even + odd, at: bandCount &+ 4 &* row)
        }
    }

    /// Returns the range of a block in the ring buffer.
    private static func blockRange(_ block: Int) -> Range<Int> { 32 &* (block & 15)..<32 &* (block & 15) &+ 32 }
}
