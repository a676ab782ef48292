// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The division of eight short windows into groups that share scale factors (`scale_factor_grouping`, ISO/IEC 14496-3:2009, 4.5.2.3.4).
///
/// Dynamic programming over all 128 groupings minimizes the cost: the side information of each group, and the loss from equal noise
/// in windows of different energy.
package struct WindowGrouping {
    /// The number of windows per group.
    package private(set) var lengths = SIMD8<UInt8>(repeating: 0)

    package private(set) var groupCount = 0

    /// The number of frequency regions in which window energies are compared.
    private static let regionCount = 8

    /// The bits for a group's sections and scale factors, independent of its length.
    ///
    /// Measured in NoiseTargets.md#noise-by-frequency.
    private static let groupBits: Float = 55

    /// The bits lost per line and per octave of distance from the group's mean.
    private static let mismatchBits: Float = 0.16

    /// The region boundaries, in lines of a short window.
    private static let regionBoundaries = [0, 4, 8, 16, 24, 36, 52, 76, 108]

    /// The window energies in each region, for one channel or summed over a channel pair with common grouping.
    package struct Energies: ~Copyable {
        /// The energy per line of each window and region, in window order, then region order.
        fileprivate var perLine = FixedArray<Float>(repeating: 0, count: 8 * regionCount)

        fileprivate var channelCount = 0

        package init() {}

        package mutating func clear() {
            perLine.fill(0)
            channelCount = 0
        }

        /// Adds the coefficients of a channel, in window order.
        package mutating func add(_ coefficients: Span<Float>) {
            channelCount += 1
            let length = coefficients.count / 8
            for window in 0..<8 {
                for region in 0..<regionCount {
                    let lines = window * length + regionBoundaries[region]..<window * length + regionBoundaries[region + 1]
                    perLine[window * regionCount + region] += PortableMath.sumOfSquares(coefficients, lines) / Float(lines.count)
                }
            }
        }
    }

    /// Finds the best grouping of eight windows and replaces the energies with their logarithms.
    package init(_ energies: inout Energies) {
        var logEnergies = energies.perLine.mutableSpan
        for index in stride(from: 0, to: logEnergies.count, by: 4) {
            logEnergies.store(PortableMath.log2(logEnergies.vector(at: index) + SIMD4(repeating: 1)), at: index)
        }
        var lines = SIMD8<Float>(repeating: 0)
        for region in 0..<Self.regionCount {
            lines[region] = Float((Self.regionBoundaries[region + 1] - Self.regionBoundaries[region]) * energies.channelCount)
        }
        self.init(logEnergies: logEnergies.span, linesPerRegion: lines)
    }

    /// Finds the best grouping of eight windows.
    ///
    /// - Parameters:
    ///   - logEnergies: log2 of the energy per line of each window and region, in window order, then region order.
    ///   - linesPerRegion: The line count of a window in each region, over all channels.
    package init(logEnergies: Span<Float>, linesPerRegion: SIMD8<Float>) {
        // The minimum cost of the windows before each end, and the start of the last group in that grouping.
        var costs = SIMD16<Float>(repeating: .greatestFiniteMagnitude)
        var starts = SIMD16<UInt8>(repeating: 0)
        costs[0] = 0
        for end in 1...8 {
            for start in 0..<end {
                let cost =
                    costs[start] + Self.groupBits
                    + Self.mismatch(of: start..<end, logEnergies: logEnergies, linesPerRegion: linesPerRegion)
                if cost < costs[end] {
                    costs[end] = cost
                    starts[end] = UInt8(start)
                }
            }
        }
        // From the last group to the first.
        var reversed = SIMD8<UInt8>(repeating: 0)
        var end = 8
        while end > 0 {
            reversed[groupCount] = UInt8(end) - starts[end]
            groupCount += 1
            end = Int(starts[end])
        }
        for group in 0..<groupCount { lengths[groupCount - 1 - group] = reversed[group] }
    }

    /// Returns the bits lost because windows of different energy get the same noise.
    private static func mismatch(of windows: Range<Int>, logEnergies: Span<Float>, linesPerRegion: SIMD8<Float>) -> Float {
        var bits: Float = 0
        for region in stride(from: 0, to: regionCount, by: 4) {
            var sum = SIMD4<Float>(repeating: 0)
            for window in windows { sum += logEnergies.vector(at: window &* regionCount &+ region) }
            let mean = sum / SIMD4(repeating: Float(windows.count))
            var deviation = SIMD4<Float>(repeating: 0)
            for window in windows { deviation += (logEnergies.vector(at: window &* regionCount &+ region) - mean).magnitudes }
            let four = deviation * (region == 0 ? linesPerRegion.lowHalf : linesPerRegion.highHalf) * mismatchBits
            for lane in 0..<4 { bits += four[lane] }
        }
        return bits
    }
}
