// SPDX-License-Identifier: Apache-2.0

/// The synthesis filter banks of the channels of an element, with working space for four columns.
package struct ColumnSynthesis: ~Copyable {
    /// Four columns of 64 subbands, one column in each lane.
    package var columns = FixedArray<ComplexVector>(repeating: .zero, count: 64)
    /// Working space of the filter bank.
    private var work = FixedArray<ComplexVector>(repeating: .zero, count: 64)
    /// A filter bank for each channel.
    private var banks: FixedArray<QMFSynthesis>
    /// Whether the filter banks have 32 subbands instead of 64.
    let isDownsampled: Bool

    /// Makes filter banks with a silent past.
    package init(channelCount: Int, bank: QMFBank = .standard, isDownsampled: Bool = false) {
        banks = FixedArray(count: channelCount) { _ in QMFSynthesis(bank) }
        self.isDownsampled = isDownsampled
    }

    /// The samples of a column.
    package var columnLength: Int { isDownsampled ? 32 : 64 }

    /// Gives the first channel the past of the first channel of another.
    package mutating func copyState(of other: borrowing ColumnSynthesis) { banks[0].copyState(of: other.banks[0]) }

    /// Synthesises up to four of ``columns``, whose values are lost.
    ///
    /// - Parameter output: Receives ``columnLength`` samples for each column, from `offset` on.
    package mutating func synthesize(_ channel: Int, columnCount: Int, into output: inout MutableSpan<Float>, at offset: Int) {
        var columns = columns.mutableSpan
        var work = work.mutableSpan
        if isDownsampled {
            banks[channel].synthesize32(&columns, work: &work, columnCount: columnCount, into: &output, at: offset)
        } else {
            banks[channel].synthesize64(&columns, work: &work, columnCount: columnCount, into: &output, at: offset)
        }
    }

    /// Synthesises up to four columns of 64 subbands in the form of ``QMFSynthesis/synthesizePaired64(_:work:columnCount:into:at:)``.
    package mutating func synthesizePaired(_ channel: Int, columnCount: Int, into output: inout MutableSpan<Float>, at offset: Int) {
        var columns = columns.mutableSpan
        var work = work.mutableSpan
        banks[channel].synthesizePaired64(&columns, work: &work, columnCount: columnCount, into: &output, at: offset)
    }
}
