// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The QMF-based harmonic transposer, following the standard's text in double precision (ISO/IEC 23003-3, 7.5.4).
///
/// Planted faults: the output is rotated in the opposite direction (sign). Window centers are one time slot early (index). The first
/// subband of a range has the stretch factor of the previous range (boundary).
package struct HarmonicTransposerModel {
    private let tables = UnifiedTables.shared
    private let fault: PlantedFault?
    private let isQuadruple: Bool
    /// `k_x`, and the end of the high band.
    private let crossover: Int
    private let top: Int
    /// `M_S` and `k_L`.
    private let synthesisCount: Int
    private let firstBand: Int
    /// `X(1)`, `X(2)`, ….
    package private(set) var ranges: [Int] = []
    /// The numbers of cross products, and of blocks that fill ranges above the last stretch factor.
    package private(set) var crossProductCount = 0
    package private(set) var blockCount = 0
    private var maximumStretch = 4
    private let synthesisWindow: [Double]
    private let analysisWindow: [Double]
    /// `V`.
    private var vector: [Double]
    /// The synthesized samples, newest last.
    private var samples: [Double]
    /// The half-bands of 13 time slots, oldest first, starting with half-band `2 k_L`.
    private var window: [[DoubleComplex]]
    /// The incomplete QMF time slots, by time slot and subband.
    private var pending: [[DoubleComplex]]
    private let analysisFactors: [[DoubleComplex]]

    /// Creates a transposer with zeroed history.
    ///
    /// - Parameters:
    ///   - prototype: `c[640]`.
    ///   - low: The boundaries of `f_TableLow`.
    ///   - high: The boundaries of `f_TableHigh`.
    ///   - coreBandCount: The number of core subbands: 32, or 24 at 8:3, or 16 at 4:1.
    package init(prototype: [Double], low: [Int], high: [Int], coreBandCount: Int, fault: PlantedFault? = nil) {
        self.fault = fault
        isQuadruple = coreBandCount == 16
        crossover = low[0]
        top = low[low.count - 1]
        let count = 4 * ((crossover + 4) / 8 + 1)
        synthesisCount = count
        let first = tables.transposerFirstBands[crossover]
        firstBand = coreBandCount == 32 ? first : min(first, coreBandCount - count)
        func interpolated(_ bandCount: Int) -> [Double] {
            (0..<10 * bandCount).map { n in
                let x = 64 * Double(n) / Double(bandCount)
                let (i, f) = (Int(x), x - x.rounded(.down))
                return (1 - f) * prototype[i] + f * (i + 1 < 640 ? prototype[i + 1] : 0)
            }
        }
        (synthesisWindow, analysisWindow) = (interpolated(count), interpolated(2 * count))
        vector = [Double](repeating: 0, count: 20 * count)
        samples = [Double](repeating: 0, count: 24 * count)
        window = [[DoubleComplex]](repeating: [DoubleComplex](repeating: .zero, count: 2 * count), count: 13)
        pending = [[DoubleComplex]](repeating: [DoubleComplex](repeating: .zero, count: 64), count: 16)
        analysisFactors = (0..<2 * count).map { k in
            (0..<4 * count).map { n in DoubleComplex.unit(.pi / Double(2 * count) * (Double(k) + 0.5) * Double(n - 2 * count)) }
        }
        setRanges(low, high)
    }

    private mutating func setRanges(_ low: [Int], _ high: [Int]) {
        for stretch in 1...(isQuadruple ? 6 : 4) {
            let limit = stretch * crossover
            guard low.contains(where: { $0 > limit }) else {
                ranges.append(top)
                maximumStretch = min(stretch, 4)
                return
            }
            let boundary = low.last { $0 <= limit } ?? 0
            ranges.append(limit - boundary > 3 ? high.last { $0 <= limit } ?? 0 : boundary)
        }
    }

    /// Returns the transposed QMF time slots of a frame.
    package mutating func transpose(_ qmfSlots: [[DoubleComplex]], pitch: Int) -> [[DoubleComplex]] {
        var result: [[DoubleComplex]] = []
        for qmfSlot in stride(from: 0, to: qmfSlots.count, by: 2) {
            append(qmfSlots[qmfSlot], qmfSlots[qmfSlot + 1])
            for stretch in 2...4 where stretch <= maximumStretch {
                for band in 0..<64 where self.stretch(of: band) == stretch { add(band, stretch, pitch) }
            }
            result.append(completed(pending[0]))
            result.append(completed(pending[1]))
            pending = pending[2...] + [DoubleComplex](repeating: .zero, count: 64).repeated(2)
        }
        return result
    }

    /// Returns the stretch factor of a subband; 0 outside the ranges of 2 to 4.
    private func stretch(of band: Int) -> Int {
        for stretch in 2...4 where stretch <= ranges.count {
            let shift = fault == .boundary ? 1 : 0
            if (ranges[stretch - 2] + shift..<ranges[stretch - 1] + shift).contains(band) { return stretch }
        }
        return 0
    }

    /// Appends a time slot of two QMF time slots.
    private mutating func append(_ first: [DoubleComplex], _ second: [DoubleComplex]) {
        synthesize(first)
        synthesize(second)
        samples = Array(samples.suffix(24 * synthesisCount))
        // The newest sample of the window is the first of the second QMF time slot.
        let newest = samples.count - synthesisCount
        var folded = [Double](repeating: 0, count: 4 * synthesisCount)
        for n in 0..<20 * synthesisCount { folded[n % folded.count] += samples[newest - n] * analysisWindow[n] }
        window.removeFirst()
        window.append(
            analysisFactors.map { factors in folded.indices.reduce(.zero) { $0 + factors[$1] * folded[$1] } })
    }

    private mutating func synthesize(_ qmfSlot: [DoubleComplex]) {
        let count = synthesisCount
        let real = (0..<count).map { k in
            let band = firstBand + k
            let phase = Double.pi * (1 + Double(firstBand) / 2 - (Double(band) + 0.5) * 65 / 128)
            return (qmfSlot[band] * DoubleComplex.unit(-phase)).real
        }
        let newest = (0..<2 * count).map { n in
            (0..<count).reduce(0.0) { (sum: Double, k: Int) -> Double in
                let angle = Double.pi / Double(2 * count) * (Double(k) + 0.5) * Double(2 * n - count)
                return sum + real[k] * cos(angle) / Double(count)
            }
        }
        vector = newest + vector.prefix(18 * count)
        for k in 0..<count {
            var sum = 0.0
            for n in 0..<10 {
                let place = 4 * count * (n / 2) + (n % 2 == 0 ? 0 : 3 * count) + k
                sum += vector[place] * synthesisWindow[count * n + k]
            }
            samples.append(sum)
        }
    }

    /// Returns a half-band in a time slot.
    private func value(_ half: Int, _ slot: Int) -> DoubleComplex {
        let index = half - 2 * firstBand
        return window[slot].indices.contains(index) ? window[slot][index] : .zero
    }

    /// Returns a half-band halfway between a time slot and the next.
    private func between(_ half: Int, _ slot: Int) -> DoubleComplex {
        let phase = DoubleComplex.unit(.pi / 4 * Double(1 - 2 * ((half + 1) % 4))) * 2.0.squareRoot()
        return (phase.conjugate * value(half, slot) + phase * value(half, slot + 1)) * 0.3984033437
    }

    private static func root(_ value: DoubleComplex, _ stretch: Int) -> DoubleComplex {
        value * pow(value.energy + 1e-17, (1 / Double(stretch) - 1) / 2)
    }

    private static func power(_ value: DoubleComplex, _ exponent: Int) -> DoubleComplex {
        (1..<exponent).reduce(value) { result, _ in result * value }
    }

    private func root(_ half: Int, _ slot: Int, _ stretch: Int) -> DoubleComplex { Self.root(value(half, slot), stretch) }

    /// Adds the stretched window of a subband.
    private mutating func add(_ band: Int, _ stretch: Int, _ pitch: Int) {
        let centre = fault == .index ? 5 : 6
        let half: Int
        switch stretch {
        case 2:
            half = band
            for s in 1...10 { pending[s][band] = pending[s][band] + root(half, s, 2) * root(half, centre, 2) * (1 / 3) }
        case 3:
            half = 2 * band / 3
            let pairs = 2 * band % 3 == 2 ? [(half + 1, half), (half, half + 1)] : [(half, half)]
            for q in 0..<8 {
                for (moving, fixed) in pairs {
                    let z = q % 2 == 0 ? value(moving, 3 * q / 2) : between(moving, 3 * (q - 1) / 2 + 1)
                    let product = Self.root(z, 3) * Self.power(root(fixed, centre, 3), 2)
                    pending[2 + q][band] = pending[2 + q][band] + product * (2.0.squareRoot() / 3 / Double(pairs.count))
                }
            }
        default:
            half = band / 2
            for q in 0..<6 {
                let product = root(half + (band % 2 == 0 ? -1 : 1), 2 * q, 4) * Self.power(root(half, centre, 4), 3)
                pending[3 + q][band] = pending[3 + q][band] + product * (2 / 3)
            }
        }
        addCrossProduct(band, stretch, pitch, half)
    }

    /// Adds the product of two half-bands that are a pitch apart, if it is louder than the subband's half-band.
    private mutating func addCrossProduct(_ band: Int, _ stretch: Int, _ pitch: Int, _ half: Int) {
        // Half-bands and the pitch, in units of 1 / `scale`.
        let scale = isQuadruple ? 24 : 12
        guard pitch >= scale else { return }
        var best = (energy: -1.0, rank: 0, first: 0, second: 0)
        for rank in 1..<stretch {
            let position = scale * (2 * band + 1) - rank * pitch
            let first = Int((Double(position) / Double(scale * stretch)).rounded(.down))
            let second = Int((Double(position + stretch * pitch) / Double(scale * stretch)).rounded(.down))
            guard first >= 2 * firstBand && second < 2 * firstBand + 2 * synthesisCount else { continue }
            let energy = min(value(first, 6).energy, value(second, 6).energy)
            if energy > best.energy { best = (energy, rank, first, second) }
        }
        guard best.rank > 0 && best.energy > value(half, 6).energy else { return }
        crossProductCount += 1
        let isFirstCentre = !(stretch == 3 && best.rank == 2 || stretch == 4 && best.rank == 3)
        let (centre, other) = isFirstCentre ? (best.first, best.second) : (best.second, best.first)
        let early: DoubleComplex
        var (centrePower, otherPower, steps) = (stretch - 1, 1, stretch - 1)
        switch (stretch, best.rank) {
        case (2, _): early = value(other, 5)
        case (3, _): early = between(other, 4)
        case (4, 2):
            early = value(other, 5)
            (centrePower, otherPower, steps) = (2, 2, 2)
        default: early = value(other, 4)
        }
        if !isFirstCentre { steps = -steps }
        let gain = [5.0 / 3, 4 * 2.0.squareRoot() / 3, 2][stretch - 2]
        let angle = 2 * Double.pi / 96 * Double(pitch) * (isQuadruple ? 1 : 2) * Double(steps)
        let centreValue = Self.power(root(centre, 6, stretch), centrePower) * gain
        for (q, value) in [early, value(other, 6)].enumerated() {
            let product = Self.power(Self.root(value, stretch), otherPower) * centreValue
            pending[5 + q][band] = pending[5 + q][band] + product * (q == 0 ? DoubleComplex.unit(angle) : DoubleComplex(real: 1))
        }
    }

    /// Returns a QMF time slot with its highest ranges and rotation.
    private mutating func completed(_ qmfSlot: [DoubleComplex]) -> [DoubleComplex] {
        var qmfSlot = qmfSlot
        if isQuadruple && ranges.count > 4 {
            for stretch in 5...ranges.count { copyTop(&qmfSlot, ranges[stretch - 2]..<ranges[stretch - 1]) }
        }
        let sign = fault == .sign ? -1.0 : 1
        return qmfSlot.indices.map { k in
            (crossover..<top).contains(k) ? qmfSlot[k] * DoubleComplex.unit(sign * .pi * (Double(k) + 0.5) * 127 / 128) : .zero
        }
    }

    /// Fills a range with copies of the range with stretch factor 4.
    private mutating func copyTop(_ qmfSlot: inout [DoubleComplex], _ range: Range<Int>) {
        var target = range.lowerBound
        while target < range.upperBound {
            var count = min(ranges[3] - ranges[2], range.upperBound - target)
            var last = ranges[3] - 1
            if (target + count - 1 - last) % 2 != 0 {
                if last - count >= ranges[2] { last -= 1 } else { count -= 1 }
            }
            for index in 0..<count { qmfSlot[target + index] = qmfSlot[last - count + 1 + index] }
            target += count
            blockCount += 1
        }
    }
}

extension Array {
    fileprivate func repeated(_ count: Int) -> [[Element]] { [[Element]](repeating: self, count: count) }
}
