// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The lines of one channel in the forms that quantising needs again and again, made once a frame.
struct SpectralLines: ~Copyable {
    /// The coefficients, in the order they are sent.
    var values = [1024 of Float](repeating: 0)

    /// |x|.
    private(set) var magnitudes = [1024 of Float](repeating: 0)

    /// |x|^(3/4).
    private(set) var power34 = [1024 of Float](repeating: 0)

    /// 4/3 |x|^(1/4) and 2/9 |x|^(-1/2): the first two terms of the error in x for an error in |x|^(3/4).
    private(set) var slopes = [1024 of Float](repeating: 0)
    private(set) var bends = [1024 of Float](repeating: 0)

    /// For each band the largest |x|^(3/4), the sum of the roots of |x|, and the energy.
    private(set) var peaks = [120 of Float](repeating: 0)
    private(set) var rootSums = [120 of Float](repeating: 0)
    private(set) var energies = [120 of Float](repeating: 0)

    /// Derives everything from ``values``.
    mutating func prepare(layout: borrowing BandLayout) {
        for band in 0..<layout.count {
            let lines = layout.lines(band)
            var peak = SIMD4<Float>(repeating: 0)
            var rootSum = peak
            var energy = peak
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                let value = values.span.vector(at: line)
                let magnitude = value.magnitudes
                let root = magnitude.squareRoots
                let fourthRoot = root.squareRoots
                let power = root * fourthRoot
                Self.store(magnitude, in: &magnitudes, at: line)
                Self.store(power, in: &power34, at: line)
                Self.store(fourthRoot * (4.0 / 3), in: &slopes, at: line)
                Self.store(SIMD4(repeating: 2.0 / 9) / root.maximum(SIMD4(repeating: Self.smallestRoot)), in: &bends, at: line)
                peak = peak.maximum(power)
                rootSum += root
                energy += value * value
            }
            peaks[band] = max(max(peak[0], peak[1]), max(peak[2], peak[3]))
            rootSums[band] = rootSum.laneSum
            energies[band] = energy.laneSum
        }
    }

    /// Keeps the bend of lines near zero finite; they are quantised to zero, where it is not used.
    private static let smallestRoot: Float = 1e-3

    @inline(__always)
    private static func store(_ vector: SIMD4<Float>, in array: inout [1024 of Float], at line: Int) {
        var span = array.mutableSpan
        span.store(vector, at: line)
    }
}
