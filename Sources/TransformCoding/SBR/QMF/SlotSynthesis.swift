// SPDX-License-Identifier: Apache-2.0

/// The synthesis filter banks of an element's channels, with workspace for four QMF slots.
package struct SlotSynthesis: ~Copyable {
    /// Four QMF slots of 64 subbands, one slot per lane.
    package var qmfSlots = FixedArray<ComplexVector>(repeating: .zero, count: 64)
    private var work = FixedArray<ComplexVector>(repeating: .zero, count: 64)
    private var banks: FixedArray<QMFSynthesis>
    /// Whether the filter banks have 32 instead of 64 subbands.
    let isDownsampled: Bool

    /// Creates filter banks with silent history.
    package init(channelCount: Int, bank: QMFBank = .standard, isDownsampled: Bool = false) {
        banks = FixedArray(count: channelCount) { _ in QMFSynthesis(bank) }
        self.isDownsampled = isDownsampled
    }

    package var qmfSlotLength: Int { isDownsampled ? 32 : 64 }

    /// Copies the history of another element's first channel to the first channel.
    package mutating func copyState(of other: borrowing SlotSynthesis) { banks[0].copyState(of: other.banks[0]) }

    /// Synthesizes up to four QMF slots from ``qmfSlots`` and overwrites them.
    ///
    /// - Parameters:
    ///   - rowCount: The number of rows of four subbands in use. Higher subbands are taken as 0, except at the core sample rate.
    ///   - output: Receives ``qmfSlotLength`` samples per QMF slot, starting at `offset`.
    package mutating func synthesize(
        _ channel: Int, qmfSlotCount: Int, rowCount: Int = 16, into output: inout MutableSpan<Float>, at offset: Int
    ) {
        var qmfSlots = qmfSlots.mutableSpan
        var work = work.mutableSpan
        if isDownsampled {
            banks[channel].synthesize32(&qmfSlots, work: &work, qmfSlotCount: qmfSlotCount, into: &output, at: offset)
        } else {
            banks[channel].synthesize64(
                &qmfSlots, work: &work, qmfSlotCount: qmfSlotCount, rowCount: rowCount, into: &output, at: offset)
        }
    }

    /// Synthesizes up to four QMF slots in the order of ``QMFSynthesis/synthesizePaired64(_:work:qmfSlotCount:into:at:)``.
    package mutating func synthesizePaired(_ channel: Int, qmfSlotCount: Int, into output: inout MutableSpan<Float>, at offset: Int) {
        var qmfSlots = qmfSlots.mutableSpan
        var work = work.mutableSpan
        banks[channel].synthesizePaired64(&qmfSlots, work: &work, qmfSlotCount: qmfSlotCount, into: &output, at: offset)
    }
}
