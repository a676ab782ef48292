// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What a frame of SBR is made from, for one channel: columns of the frame at hand and of those that follow.
struct SubbandHistory: ~Copyable {
    /// Frames kept.
    private static let frameCount = 3
    private static let vectorCount = SubbandColumns.columnCount * SubbandColumns.rowCount

    private(set) var real: [1536 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private(set) var imaginary: [1536 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// |X|² likewise.
    private var energies: [1536 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private var newest = 0
    /// The first vectors of the frame at hand and of the one after it.
    private(set) var current = 0
    private var next = 0
    /// Frames that follow the one at hand.
    private let lookAhead: Int

    /// Makes a silent history; `lookAhead` is 1 or 2 frames.
    init(lookAhead: Int) { self.lookAhead = lookAhead }

    /// Takes the next frame; the one at hand becomes that which came `lookAhead` before.
    mutating func append(_ columns: borrowing SubbandColumns) {
        newest = (newest + 1) % Self.frameCount
        current = (newest + Self.frameCount - lookAhead) % Self.frameCount * Self.vectorCount
        next = (newest + Self.frameCount - lookAhead + 1) % Self.frameCount * Self.vectorCount
        let first = newest &* Self.vectorCount
        let (newReal, newImaginary) = (columns.real.span, columns.imaginary.span)
        var reals = real.mutableSpan
        var imaginaries = imaginary.mutableSpan
        var squares = energies.mutableSpan
        for index in 0..<Self.vectorCount {
            let (x, y) = (newReal[index], newImaginary[index])
            reals[first &+ index] = x
            imaginaries[first &+ index] = y
            squares[first &+ index] = x * x + y * y
        }
    }

    /// Adds up the energies of each subband over columns 0 to 63, counted from the start of the frame at hand.
    func sumEnergies(over columns: Range<Int>, into sums: inout MutableSpan<Float>) {
        let (current, next) = (current, next)
        let all = energies.span
        for row in 0..<SubbandColumns.rowCount {
            var sum = SIMD4<Float>(repeating: 0)
            for column in columns {
                let first =
                    column < SubbandColumns.columnCount
                    ? current &+ SubbandColumns.rowCount &* column
                    : next &+ SubbandColumns.rowCount &* (column &- SubbandColumns.columnCount)
                sum += all[first &+ row]
            }
            sums.store(sum, at: 4 &* row)
        }
    }
}
