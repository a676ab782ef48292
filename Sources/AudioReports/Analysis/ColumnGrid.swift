// SPDX-License-Identifier: Apache-2.0

/// The division of a signal into columns of the same duration, which are as wide as a point of a picture.
package struct ColumnGrid: Hashable, Sendable {
    /// The number of sample frames.
    let frameCount: Int
    /// The sample rate in hertz.
    let sampleRate: Int
    /// The number of columns, at least 1.
    package let columnCount: Int

    /// The largest number of columns.
    static let columnLimit = 1200
    /// The smallest number of sample frames of a column.
    private static let smallestWidth = 32

    /// Divides a signal.
    package init(frameCount: Int, sampleRate: Int) {
        self.frameCount = max(1, frameCount)
        self.sampleRate = sampleRate
        columnCount = max(1, min(Self.columnLimit, frameCount / Self.smallestWidth))
    }

    /// The duration of the signal in seconds.
    package var seconds: Double { Double(frameCount) / Double(sampleRate) }

    /// Returns the first sample frame of a column; that of the one after the last is the end of the signal.
    package func start(ofColumn column: Int) -> Int {
        let (high, low) = column.multipliedFullWidth(by: frameCount)
        return columnCount.dividingFullWidth((high, low)).quotient
    }

    /// Returns the sample frames of a column.
    package func frames(ofColumn column: Int) -> Range<Int> { start(ofColumn: column)..<start(ofColumn: column + 1) }

    /// Returns the column that holds a time, the first or the last one for times outside the signal.
    package func column(atSeconds time: Double) -> Int {
        max(0, min(columnCount - 1, Int((time / seconds * Double(columnCount)).rounded(.down))))
    }
}
