// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import TransformCoding

/// The hybrid bands of a frame of one signal: band after band, each with all columns.
struct SurroundSignal: ~Copyable {
    /// The values: band k, column n at `columnCount` k + n.
    var values: FixedArray<SIMD2<Float>>
    /// The columns of a frame.
    let columnCount: Int

    /// Makes a silent frame.
    init(columnCount: Int) {
        self.columnCount = columnCount
        values = FixedArray(repeating: SIMD2(0, 0), count: SurroundTables.hybridBandCount * columnCount)
    }

    /// A value.
    @inline(__always)
    subscript(band: Int, column: Int) -> SIMD2<Float> {
        get { values[band &* columnCount &+ column] }
        set { values[band &* columnCount &+ column] = newValue }
    }

    /// Returns the energy of some bands in a column.
    func energy(_ bands: Range<Int>, _ column: Int) -> Float {
        var sum: Float = 0
        for band in bands {
            let value = self[band, column]
            sum += value.x * value.x + value.y * value.y
        }
        return sum
    }
}
