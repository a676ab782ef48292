// SPDX-License-Identifier: Apache-2.0

/// Divides a signal into columns of equal duration.
///
/// A column is one point wide in a picture.
package struct ColumnGrid: Hashable, Sendable {
    let frameCount: Int
    let sampleRate: Int
    /// At least 1.
    package let columnCount: Int

    static let columnLimit = 1200
    /// The minimum number of sample frames per column.
    private static let minimumWidth = 32

    package init(frameCount: Int, sampleRate: Int) {
        self.frameCount = max(1, frameCount)
        self.sampleRate = sampleRate
        columnCount = max(1, min(Self.columnLimit, frameCount / Self.minimumWidth))
    }

    package var seconds: Double { Double(frameCount) / Double(sampleRate) }

    /// Returns the first sample frame of a column, or the end of the signal for the column after the last.
    package func start(ofColumn column: Int) -> Int {
        let (high, low) = column.multipliedFullWidth(by: frameCount)
        return columnCount.dividingFullWidth((high, low)).quotient
    }

    package func frames(ofColumn column: Int) -> Range<Int> { start(ofColumn: column)..<start(ofColumn: column + 1) }

    /// Returns the column at a time, limited to the signal.
    package func column(atSeconds time: Double) -> Int {
        max(0, min(columnCount - 1, Int((time / seconds * Double(columnCount)).rounded(.down))))
    }
}
