// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Groups neighbouring short windows that share their scale factors (`scale_factor_grouping`).
///
/// The best of all 128 groupings, by dynamic programming: what a group costs in side information against what it costs
/// to give windows of different energy the same noise.
struct WindowGrouping {
    /// Windows in each group.
    private(set) var lengths = [8 of UInt8](repeating: 0)

    /// The number of groups.
    private(set) var groupCount = 0

    /// Regions in which the energies of windows are compared.
    static let regionCount = 8

    /// Bits that a group costs whatever is in it: sections and scale factors.
    private static let groupBits: Float = 55

    /// Bits for each line and each unit of log2 energy away from the group's mean.
    private static let mismatchBits: Float = 0.16

    /// Groups eight windows.
    ///
    /// - Parameter logEnergies: log2 of the energy a line for each window and region, region after region within a window.
    /// - Parameter linesPerRegion: Lines of a window in each region, over all channels.
    init(logEnergies: Span<Float>, linesPerRegion: Span<Float>) {
        var best = [9 of Float](repeating: .greatestFiniteMagnitude)
        var from = [9 of Int](repeating: 0)
        best[0] = 0
        for end in 1...8 {
            for start in 0..<end {
                let cost =
                    best[start] + Self.groupBits
                    + Self.mismatch(of: start..<end, logEnergies: logEnergies, linesPerRegion: linesPerRegion)
                if cost < best[end] {
                    best[end] = cost
                    from[end] = start
                }
            }
        }
        var borders = [9 of Int](repeating: 0)
        var end = 8
        while end > 0 {
            borders[groupCount] = end
            groupCount += 1
            end = from[end]
        }
        for group in 0..<groupCount {
            lengths[groupCount - 1 - group] = UInt8(borders[group] - from[borders[group]])
        }
    }

    private static func mismatch(of windows: Range<Int>, logEnergies: Span<Float>, linesPerRegion: Span<Float>) -> Float {
        var bits: Float = 0
        for region in stride(from: 0, to: regionCount, by: 4) {
            var sum = SIMD4<Float>(repeating: 0)
            for window in windows { sum += logEnergies.vector(at: window &* regionCount &+ region) }
            let mean = sum / SIMD4(repeating: Float(windows.count))
            var deviation = SIMD4<Float>(repeating: 0)
            for window in windows { deviation += (logEnergies.vector(at: window &* regionCount &+ region) - mean).magnitudes }
            let four = deviation * linesPerRegion.vector(at: region) * mismatchBits
            for lane in 0..<4 { bits += four[lane] }
        }
        return bits
    }
}
