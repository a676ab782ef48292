// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The pair magnitudes of a channel's last window, which select the arithmetic coder's models (ISO/IEC 23003-3, 7.4).
package struct SpectralContext: ~Copyable {
    /// The magnitude of each pair, 0 to 15.
    ///
    /// The value after the last pair is 0.
    package private(set) var values: FixedArray<UInt8>
    /// The number of pairs in the last window, half its lines.
    private(set) var pairCount: Int
    /// Whether the magnitudes match the encoder's.
    ///
    /// False after a damaged access unit.
    private(set) var isKnown = false

    /// Creates a context of zeros.
    ///
    /// - Parameter frameLength: The number of samples per core frame.
    package init(frameLength: Int) {
        values = FixedArray(repeating: 0, count: frameLength / 2 + 1)
        pairCount = frameLength / 2
    }

    /// Marks the magnitudes as unknown until the next reset.
    mutating func invalidate() { isKnown = false }

    /// Resets all magnitudes to 0 for windows of `lineCount` lines.
    package mutating func reset(lineCount: Int) {
        values.fill(0)
        pairCount = lineCount / 2
        isKnown = true
    }

    /// Adopts the magnitudes of a context for the same frame length.
    package mutating func adopt(_ other: borrowing SpectralContext) {
        for pair in 0...other.pairCount { values[pair] = other.values[pair] }
        (pairCount, isKnown) = (other.pairCount, other.isKnown)
    }

    /// Stretches or shrinks the context to windows of `lineCount` lines.
    package mutating func resize(lineCount: Int) {
        let (old, new) = (pairCount, lineCount / 2)
        guard old != new else { return }
        // Ordered so that no magnitude is replaced before it is read. Window lengths are multiples of each other.
        if new > old {
            let count = new / old
            for pair in (0..<old).reversed() {
                let value = values[pair]
                for copy in pair * count..<(pair + 1) * count { values[copy] = value }
            }
        } else {
            let step = old / new
            for pair in 0..<new { values[pair] = values[pair * step] }
        }
        values[new] = 0
        pairCount = new
    }

    /// Returns the magnitude of a pair of lines, 0 before the first pair.
    @inline(__always)
    static func magnitude(_ lines: Span<Int16>, _ pair: Int) -> UInt32 {
        pair < 0 ? 0 : min(UInt32(lines[2 * pair].magnitude) + UInt32(lines[2 * pair + 1].magnitude) + 1, 15)
    }

    /// Sets the magnitudes by the lines of the current window.
    ///
    /// All lines after `pairCount` pairs must be 0.
    mutating func advance(_ lines: Span<Int16>, pairCount: Int) {
        let totalPairCount = self.pairCount
        var magnitudes = self.magnitudes()
        for pair in 0..<pairCount { magnitudes[pair] = UInt8(truncatingIfNeeded: Self.magnitude(lines, pair)) }
        for pair in pairCount..<totalPairCount { magnitudes[pair] = 1 }
    }

    /// Borrows the magnitudes of the current window and one following value, writable.
    @_lifetime(&self)
    package mutating func magnitudes() -> MutableSpan<UInt8> { values.mutableSpan(first: pairCount + 1) }
}
