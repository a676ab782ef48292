// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The synthesis filter banks of the channels of an element, with their working space.
struct ElementSynthesis: ~Copyable {
    /// A filter bank for each channel.
    private var banks: FixedArray<QMFSynthesis>
    /// Four columns of 64 subbands.
    private var pairs = FixedArray<ComplexVector>(repeating: .zero, count: 64)
    /// Working space of the filter bank.
    private var work = FixedArray<ComplexVector>(repeating: .zero, count: 64)

    /// Makes filter banks with a silent past.
    init(channelCount: Int) { banks = FixedArray(count: channelCount) { _ in QMFSynthesis() } }

    /// Synthesises a frame of a channel of enhanced SBR.
    ///
    /// - Parameter output: Receives 64 samples for each column, from `offset` on.
    mutating func synthesize(
        _ channel: Int, of element: borrowing EnhancedSBRElement, into output: inout MutableSpan<Float>, at offset: Int
    ) {
        var pairs = pairs.mutableSpan
        var work = work.mutableSpan
        for column in stride(from: 0, to: element.layout.columnCount, by: 4) {
            element.collectPairs(channel, column, into: &pairs)
            banks[channel].synthesizePaired64(&pairs, work: &work, columnCount: 4, into: &output, at: offset + 64 * column)
        }
    }
}
