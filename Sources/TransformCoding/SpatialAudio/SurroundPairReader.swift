// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// A reader of the values of one or two parameter sets (`EcDataPair`, ISO/IEC 23003-1).
package struct SurroundPairReader {
    let kind: SurroundParameter
    /// The number of values per set, 1 to 28.
    let count: Int
    /// Whether the coarse quantizer is used.
    let isCoarse: Bool
    let isPair: Bool
    /// Whether the data has low delay syntax: pairs are pairs of bands, and time differences refer to previous sets.
    let isLowDelay: Bool
    package private(set) var first = SIMD32<Int16>(repeating: 0)
    package private(set) var second = SIMD32<Int16>(repeating: 0)
    /// Whether each set is coded as time differences.
    private var isTime = (false, false)
    /// Whether both sets have absolute first values, because one is coded as frequency differences.
    private var hasMixedFirst = false

    package init(kind: SurroundParameter, count: Int, isCoarse: Bool, isPair: Bool, isLowDelay: Bool) {
        self.kind = kind
        self.count = count
        self.isCoarse = isCoarse
        self.isPair = isPair
        self.isLowDelay = isLowDelay
    }

    /// The code of value 0.
    private var offset: Int { kind.offset(isCoarse: isCoarse) }

    /// Whether values are coded in two parts, with the lowest bits last.
    private var isSplit: Bool { kind == .phaseDifference && !isCoarse }

    /// Reads the values.
    ///
    /// - Parameters:
    ///   - base: The reference values for time differences.
    ///   - refersBack: Whether the first set may refer to `base`.
    /// - Returns: Whether the values are valid.
    package mutating func read(from reader: inout BitReader, base: SIMD32<Int16>, refersBack: Bool) -> Bool {
        if reader.readFlag() {
            readPlain(from: &reader)
        } else {
            isTime.0 = (isPair || refersBack) && reader.readFlag()
            isTime.1 = isPair && (!isTime.0 || refersBack) && reader.readFlag()
            readDifferences(from: &reader)
            var isForward = false
            if !isLowDelay && isPair && (isTime.0 || isTime.1) {
                isForward = isTime.0 && !refersBack ? true : isTime.1 ? false : reader.readFlag()
            }
            sum(base: base, isForward: isForward)
            if isSplit {
                for index in 0..<count { first[index] = 2 * (first[index] & 7) + Int16(reader.read(1)) }
                if isPair { for index in 0..<count { second[index] = 2 * (second[index] & 7) + Int16(reader.read(1)) } }
            }
        }
        for index in 0..<count {
            first[index] &-= Int16(offset)
            second[index] &-= Int16(offset)
        }
        return hasValidValues(first) && (!isPair || hasValidValues(second))
    }

    /// Whether values are in the range of the quantizer.
    ///
    /// Phases wrap.
    private func hasValidValues(_ values: SIMD32<Int16>) -> Bool {
        let range = -offset..<kind.levelCount(isCoarse: isCoarse) - offset
        return kind == .phaseDifference || (0..<count).allSatisfy { range.contains(Int(values[$0])) }
    }

    private mutating func readPlain(from reader: inout BitReader) {
        var values = PlainValues(total: isPair ? 2 * count : count, levelCount: kind.levelCount(isCoarse: isCoarse))
        for index in 0..<count {
            first[index] = Int16(values.next(from: &reader))
            if isPair { second[index] = Int16(values.next(from: &reader)) }
        }
    }

    /// Accumulates differences to values.
    private mutating func sum(base: SIMD32<Int16>, isForward: Bool) {
        if isForward {
            second = risen(second)
            let skipped = hasMixedFirst ? 1 : 0
            for index in skipped..<max(skipped, count) { first[index] = second[index] &- first[index] }
            return
        }
        if isTime.0 {
            let skipped = hasMixedFirst ? 1 : 0
            for index in skipped..<max(skipped, count) {
                var previous = base[index] &+ Int16(offset)
                if isSplit { previous >>= 1 }
                first[index] = previous &+ first[index]
            }
        } else {
            first = risen(first)
        }
        guard isPair else { return }
        if isTime.1 {
            let skipped = hasMixedFirst ? 1 : 0
            for index in skipped..<max(skipped, count) { second[index] = first[index] &+ second[index] }
        } else {
            second = risen(second)
        }
    }

    /// Accumulates frequency differences to values.
    private func risen(_ differences: SIMD32<Int16>) -> SIMD32<Int16> {
        var values = differences
        for index in 1..<max(1, count) { values[index] = values[index - 1] &+ values[index] }
        return values
    }

    // MARK: Huffman coding

    private mutating func readDifferences(from reader: inout BitReader) {
        let isTwoDimensional = reader.readFlag()
        if isTwoDimensional && isPair && !isLowDelay && reader.readFlag() {
            readTimePairs(from: &reader)
            return
        }
        first = isTwoDimensional ? frequencyPairs(isTime: isTime.0, from: &reader) : singles(isTime: isTime.0, from: &reader)
        guard isPair else { return }
        second = isTwoDimensional ? frequencyPairs(isTime: isTime.1, from: &reader) : singles(isTime: isTime.1, from: &reader)
    }

    private func single(isTime: Bool, from reader: inout BitReader) -> Int16 {
        let value = Int16(SurroundCodebooks.shared.read(kind.singleCodebook(isTime: isTime), from: &reader))
        return kind != .phaseDifference && value != 0 && reader.readFlag() ? -value : value
    }

    private func firstValue(from reader: inout BitReader) -> Int16 {
        Int16(SurroundCodebooks.shared.read(kind.firstCodebook, from: &reader))
    }

    /// Reads the differences of a set individually.
    private func singles(isTime: Bool, from reader: inout BitReader) -> SIMD32<Int16> {
        var values = SIMD32<Int16>(repeating: 0)
        for index in 0..<count {
            values[index] = index == 0 && !isTime ? firstValue(from: &reader) : single(isTime: isTime, from: &reader)
        }
        return values
    }

    /// Reads the differences of a set in pairs of bands.
    private func frequencyPairs(isTime: Bool, from reader: inout BitReader) -> SIMD32<Int16> {
        var values = SIMD32<Int16>(repeating: 0)
        let largest = kind.largest(SurroundCodebooks.shared.read(SurroundCodebooks.maximumValue, from: &reader))
        var start = 0
        if !isTime {
            values[0] = firstValue(from: &reader)
            start = 1
        }
        let codebook = kind.pairCodebook(isTime: isTime, isTimePair: false, largest: largest)
        let pairCount = (count - start) / 2
        var escapes: UInt32 = 0
        for pair in 0..<pairCount {
            guard let (a, b) = readPair(codebook, largest: largest, from: &reader) else {
                escapes |= 1 << UInt32(pair)
                continue
            }
            (values[start + 2 * pair], values[start + 2 * pair + 1]) = (Int16(a), Int16(b))
        }
        var plain = PlainValues(total: 2 * escapes.nonzeroBitCount, levelCount: 2 * largest + 1)
        for pair in 0..<pairCount where escapes >> UInt32(pair) & 1 != 0 {
            values[start + 2 * pair] = Int16(plain.next(from: &reader) - largest)
            values[start + 2 * pair + 1] = Int16(plain.next(from: &reader) - largest)
        }
        if (count - start) & 1 != 0 { values[count - 1] = single(isTime: isTime, from: &reader) }
        return values
    }

    /// Reads the differences of two sets in pairs.
    private mutating func readTimePairs(from reader: inout BitReader) {
        let largest = kind.largest(SurroundCodebooks.shared.read(SurroundCodebooks.maximumValue, from: &reader))
        var start = 0
        if !isTime.0 || !isTime.1 {
            first[0] = firstValue(from: &reader)
            second[0] = firstValue(from: &reader)
            hasMixedFirst = isTime.0 || isTime.1
            start = 1
        }
        let codebook = kind.pairCodebook(isTime: isTime.0 || isTime.1, isTimePair: true, largest: largest)
        var escapes: UInt32 = 0
        for index in start..<max(start, count) {
            guard let (a, b) = readPair(codebook, largest: largest, from: &reader) else {
                escapes |= 1 << UInt32(index)
                continue
            }
            (first[index], second[index]) = (Int16(a), Int16(b))
        }
        var plain = PlainValues(total: 2 * escapes.nonzeroBitCount, levelCount: 2 * largest + 1)
        for index in start..<max(start, count) where escapes >> UInt32(index) & 1 != 0 {
            first[index] = Int16(plain.next(from: &reader) - largest)
            second[index] = Int16(plain.next(from: &reader) - largest)
        }
    }

    /// Reads a pair of differences; `nil` for an escape.
    private func readPair(_ codebook: Int, largest: Int, from reader: inout BitReader) -> (Int, Int)? {
        guard let (a, b) = SurroundCodebooks.shared.readPair(codebook, largest: largest, from: &reader) else { return nil }
        let (sum, difference) = (a + b, a - b)
        var pair = sum > largest ? (2 * largest + 1 - sum, -difference) : (sum, difference)
        if kind != .phaseDifference && pair.0 + pair.1 != 0 && reader.readFlag() { pair = (-pair.0, -pair.1) }
        if pair.0 != pair.1 && reader.readFlag() { pair = (pair.1, pair.0) }
        return pair
    }

    /// A decoder of fixed-length values, several of which share a code.
    private struct PlainValues {
        private var rest: Int
        private let levelCount: Int
        /// The code of the current group.
        private var code = 0
        /// The weight of the next value in the code; 0 at the end of a group.
        private var weight = 0

        init(total: Int, levelCount: Int) {
            rest = total
            self.levelCount = levelCount
        }

        /// The number of values per group, which depends on the number of levels.
        private var groupLength: Int {
            switch levelCount {
            case 3: 5
            case 7: 6
            case 11: 2
            case 13, 19, 51: 4
            case 25: 3
            default: 1
            }
        }

        mutating func next(from reader: inout BitReader) -> Int {
            if weight == 0 {
                weight = 1
                for _ in 1..<max(2, min(rest, groupLength) + 1) { weight *= levelCount }
                code = Int(reader.read(Int.bitWidth - (weight - 1).leadingZeroBitCount))
                weight /= levelCount
            }
            rest -= 1
            let value = min(code / weight, levelCount - 1)
            code %= weight
            weight /= levelCount
            return value
        }
    }
}
