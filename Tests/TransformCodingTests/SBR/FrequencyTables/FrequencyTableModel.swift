// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import TransformCoding

/// The frequency band tables as in the standard, with libm's logarithms (ISO/IEC 14496-3:2009, 4.6.18.3.2 and 4.6.18.6.3).
struct FrequencyTableModel {
    var start = 0
    var master: [Int] = []
    var high: [Int] = []
    var low: [Int] = []
    var noise: [Int] = []
    var limiter: [Int] = []
    var patches: [(start: Int, width: Int, target: Int)] = []

    /// Creates the tables; `nil` if a limit is violated.
    ///
    /// - Parameter rateIndex: The index of the rate in the reference tables.
    init?(_ header: SBRHeader, rateIndex: Int, reference: HighEfficiencyTables) {
        let rate = reference.rates[rateIndex]
        start = reference.firstSubbands[rateIndex][header.bands.startFrequency]
        let stopFrequency = header.bands.stopFrequency
        let stop =
            stopFrequency == 14
            ? min(64, 2 * start) : stopFrequency == 15 ? min(64, 3 * start) : reference.endSubbands[rateIndex][stopFrequency]
        guard stop > start, stop - start <= (rate <= 32_000 ? 48 : rate == 44_100 ? 35 : 32) else { return nil }
        let widths = header.bands.frequencyScale == 0 ? Self.linear(header, start, stop) : Self.logarithmic(header, start, stop)
        guard let widths, widths.allSatisfy({ $0 > 0 }) else { return nil }
        master = widths.reduce(into: [start]) { $0.append($0[$0.count - 1] + $1) }
        guard master.last == stop, header.bands.crossoverBand < widths.count else { return nil }
        high = Array(master[header.bands.crossoverBand...])
        guard high[0] <= 32, high.count <= 49 else { return nil }
        let highCount = high.count - 1
        let odd = highCount % 2
        low = (0...highCount / 2 + odd).map { $0 == 0 ? high[0] : high[2 * $0 - odd] }
        guard setNoise(header, stop), setPatches(rate) else { return nil }
        setLimiter(header.limiterBands)
    }

    private static func rounded(_ value: Double) -> Int { Int(floor(value + 0.5)) }

    private static func linear(_ header: SBRHeader, _ start: Int, _ stop: Int) -> [Int]? {
        let step = header.bands.altersScale ? 2 : 1
        let count = step == 1 ? 2 * ((stop - start) / 2) : 2 * ((stop - start + 2) / 4)
        guard count > 0 else { return nil }
        var widths = [Int](repeating: step, count: count)
        var missing = stop - start - step * count
        for index in widths.indices.reversed() where missing > 0 { (widths[index], missing) = (widths[index] + 1, missing - 1) }
        for index in widths.indices where missing < 0 { (widths[index], missing) = (widths[index] - 1, missing + 1) }
        return missing == 0 ? widths : nil
    }

    private static func logarithmic(_ header: SBRHeader, _ start: Int, _ stop: Int) -> [Int]? {
        let bandsPerOctave = Double([12, 10, 8][header.bands.frequencyScale - 1])
        let hasTwoRegions = Double(stop) / Double(start) > 2.2449
        let middle = hasTwoRegions ? 2 * start : stop
        func region(_ first: Int, _ end: Int, warp: Double) -> [Int] {
            let ratio = Double(end) / Double(first)
            let count = 2 * rounded(bandsPerOctave / 2 * log2(ratio) / warp)
            guard count > 0 else { return [] }
            let boundaries = (0...count).map { rounded(Double(first) * pow(ratio, Double($0) / Double(count))) }
            return zip(boundaries.dropFirst(), boundaries).map { $0 - $1 }.sorted()
        }
        let lower = region(start, middle, warp: 1)
        guard !lower.isEmpty else { return nil }
        guard hasTwoRegions else { return lower }
        var upper = region(middle, stop, warp: header.bands.altersScale ? 1.3 : 1)
        guard !upper.isEmpty else { return nil }
        if upper[0] < lower[lower.count - 1] {
            let change = min(lower[lower.count - 1] - upper[0], (upper[upper.count - 1] - upper[0]) / 2)
            upper[0] += change
            upper[upper.count - 1] -= change
            upper.sort()
        }
        return lower + upper
    }

    private mutating func setNoise(_ header: SBRHeader, _ stop: Int) -> Bool {
        let lowCount = low.count - 1
        let count = max(1, Self.rounded(Double(header.bands.noiseBands) * log2(Double(stop) / Double(high[0]))))
        guard count <= 5, count <= lowCount else { return false }
        var index = 0
        noise = [low[0]]
        for band in 1...count {
            index += (lowCount - index) / (count + 1 - band)
            noise.append(low[index])
        }
        return true
    }

    private mutating func setPatches(_ rate: Int) -> Bool {
        let (crossover, top, masterCount) = (high[0], high[high.count - 1], master.count - 1)
        let goal = Self.rounded(2_048_000 / Double(rate))
        var limit = goal < top ? master.firstIndex { $0 >= goal } ?? masterCount : masterCount
        var (middle, upper) = (start, crossover)
        for _ in 0..<64 {
            var (index, subband, odd) = (limit, 0, 0)
            while true {
                guard index >= 0 else { return false }
                subband = master[index]
                odd = (subband - 2 + start) % 2
                if subband <= start - 1 + middle - odd { break }
                index -= 1
            }
            let width = max(subband - upper, 0)
            if width > 0 {
                patches.append((start - odd - width, width, upper))
                (upper, middle) = (subband, subband)
            } else {
                middle = crossover
            }
            if master[limit] - subband < 3 { limit = masterCount }
            if subband == top { break }
        }
        guard upper == top || patches.count > 0, patches.allSatisfy({ $0.start >= 1 }), patches.count <= 6 else { return false }
        guard let last = patches.last, last.target + last.width == top else { return false }
        if patches.count > 1 && last.width < 3 { patches.removeLast() }
        return true
    }

    private mutating func setLimiter(_ limiterBands: Int) {
        guard limiterBands > 0, let top = low.last else { return limiter = [low[0], low[low.count - 1]] }
        let bandsPerOctave = [1.2, 2, 3][limiterBands - 1]
        let boundaries = patches.map(\.target) + [top]
        var list = (low + boundaries.dropFirst().dropLast()).sorted()
        var index = 1
        while index < list.count {
            let (lower, upper) = (list[index - 1], list[index])
            if log2(Double(upper) / Double(lower)) * bandsPerOctave >= 0.49 {
                index += 1
            } else if lower == upper || !boundaries.contains(upper) {
                list.remove(at: index)
            } else if !boundaries.contains(lower) {
                list.remove(at: index - 1)
            } else {
                index += 1
            }
        }
        limiter = list
    }
}
