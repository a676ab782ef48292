// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The magnitudes of the pairs of lines of the last window of a channel, by which the arithmetic coder chooses its models (ISO/IEC 23003-3, 7.4).
package struct SpectralContext: ~Copyable {
    /// The magnitude of each pair, 0 to 15; that after the last pair is 0.
    package private(set) var values: FixedArray<UInt8>
    /// The pairs of the last window, half its lines.
    private(set) var pairCount: Int
    /// Whether the magnitudes are those of the encoder: not after a damaged unit.
    private(set) var isKnown = false

    /// Makes a context of zeros.
    ///
    /// - Parameter frameLength: The samples of a core frame.
    package init(frameLength: Int) {
        values = FixedArray(repeating: 0, count: frameLength / 2 + 1)
        pairCount = frameLength / 2
    }

    /// Marks the magnitudes as unknown until the next reset.
    mutating func invalidate() { isKnown = false }

    /// Sets all magnitudes to 0 for windows of a number of lines.
    package mutating func reset(lineCount: Int) {
        values.fill(0)
        pairCount = lineCount / 2
        isKnown = true
    }

    /// Stretches or shrinks the context to windows of a number of lines.
    package mutating func resize(lineCount: Int) {
        let (old, new) = (pairCount, lineCount / 2)
        guard old != new else { return }
        // In an order in which no magnitude is replaced before it is used.
        if new > old {
            for pair in stride(from: new - 1, through: 0, by: -1) { values[pair] = values[pair * old / new] }
        } else {
            for pair in 0..<new { values[pair] = values[pair * old / new] }
        }
        values[new] = 0
        pairCount = new
    }

    /// Borrows the magnitudes of the current window and the one after them, to read and write.
    @_lifetime(&self)
    package mutating func magnitudes() -> MutableSpan<UInt8> { values.mutableSpan(first: pairCount + 1) }
}
