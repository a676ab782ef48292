// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The Reed-Solomon code (120, 110) of superframes, shortened from (255, 245), which corrects five bytes per word (ETSI TS 102 563, 6).
///
/// A word is a polynomial over GF(256) whose first byte has the highest power. Its roots are α⁰ to α⁹, where α is a root of x⁸ + x⁴ + x³ +
/// x² + 1.
package struct ReedSolomonCode: Sendable {
    /// The size of a word.
    package static let byteCount = 120
    package static let dataByteCount = 110
    package static let parityByteCount = byteCount - dataByteCount
    /// The maximum number of correctable bytes per word.
    static let correctableByteCount = parityByteCount / 2

    /// The shared instance, whose tables are computed once.
    package static let shared = ReedSolomonCode()

    /// αⁿ for n from 0 to 509, twice the period, so that the sum of two logarithms needs no modulo.
    private let powers: [UInt8]
    /// The logarithm of each non-zero element.
    private let logarithms: [Int]
    /// The first eight coefficients of each element times x¹⁰, modulo the generator polynomial.
    private let highs: ContiguousArray<UInt64>
    /// The last two coefficients of these remainders.
    private let lows: ContiguousArray<UInt16>
    /// The first eight coefficients of each element times x¹¹, modulo the generator polynomial.
    private let nextHighs: ContiguousArray<UInt64>
    /// The last two coefficients of these remainders.
    private let nextLows: ContiguousArray<UInt16>

    private init() {
        var powers = [UInt8](repeating: 0, count: 510)
        var logarithms = [Int](repeating: 0, count: 256)
        var element = 1
        for exponent in 0..<255 {
            powers[exponent] = UInt8(element)
            powers[exponent + 255] = UInt8(element)
            logarithms[element] = exponent
            element <<= 1
            if element > 255 { element ^= 0x11D }
        }
        self.powers = powers
        self.logarithms = logarithms
        /// Returns the product of two elements.
        func product(_ a: UInt8, _ b: UInt8) -> UInt8 { a == 0 || b == 0 ? 0 : powers[logarithms[Int(a)] + logarithms[Int(b)]] }
        var polynomial: [UInt8] = [1]
        for root in 0..<Self.parityByteCount {
            var next = polynomial + [0]
            for index in polynomial.indices { next[index + 1] ^= product(polynomial[index], powers[root]) }
            polynomial = next
        }
        let multiples = (0..<256).map { factor in polynomial.dropFirst().map { product($0, UInt8(factor)) } }
        let remainders = multiples.map { Self.parity($0) }
        let next = remainders.map { rest in
            let other = remainders[Int(rest.high >> 56)]
            return ((rest.high << 8 | UInt64(rest.low >> 8)) ^ other.high, rest.low << 8 ^ other.low)
        }
        highs = ContiguousArray(remainders.map { $0.high })
        lows = ContiguousArray(remainders.map { $0.low })
        nextHighs = ContiguousArray(next.map { $0.0 })
        nextLows = ContiguousArray(next.map { $0.1 })
    }

    @inline(__always)
    private func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        a == 0 || b == 0 ? 0 : powers[logarithms[Int(a)] + logarithms[Int(b)]]
    }

    /// Returns the inverse of a non-zero element.
    private func inverse(_ a: UInt8) -> UInt8 { powers[255 - logarithms[Int(a)]] }

    /// Appends the parity bytes of all words to a superframe's data.
    ///
    /// Byte i belongs to word i mod n, and so do the parity bytes.
    ///
    /// - Parameters:
    ///   - bytes: 110 n bytes.
    ///   - wordCount: The number of words, n.
    package func appendParity(to bytes: inout [UInt8], wordCount: Int) {
        let first = bytes.count - Self.dataByteCount * wordCount
        bytes.append(contentsOf: repeatElement(0, count: Self.parityByteCount * wordCount))
        for word in 0..<wordCount {
            let rest = bytes.withSpan { self.parity(of: $0, first: first + word, wordCount: wordCount) }
            for index in 0..<Self.parityByteCount {
                bytes[first + (Self.dataByteCount + index) * wordCount + word] = Self.byte(index, of: rest)
            }
        }
    }

    /// The parity of a word: the first eight bytes and the last two.
    private typealias Parity = (high: UInt64, low: UInt16)

    private static func byte(_ index: Int, of parity: Parity) -> UInt8 {
        index < 8
            ? UInt8(truncatingIfNeeded: parity.high >> UInt64(8 * (7 - index)))
            : UInt8(truncatingIfNeeded: parity.low >> UInt16(8 * (9 - index)))
    }

    private static func parity(_ bytes: [UInt8]) -> Parity {
        (bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }, bytes[8...].reduce(0) { $0 << 8 | UInt16($1) })
    }

    /// Returns the parity of a word, which is the remainder of its data times x¹⁰ modulo the generator polynomial.
    ///
    /// - Parameter first: The index of the word's first byte.
    private func parity(of bytes: Span<UInt8>, first: Int, wordCount: Int) -> Parity {
        let (highs, lows) = (highs.span.extracting(0..<256), lows.span.extracting(0..<256))
        let (nextHighs, nextLows) = (nextHighs.span.extracting(0..<256), nextLows.span.extracting(0..<256))
        precondition(wordCount > 0 && first >= 0 && first + (Self.dataByteCount - 1) * wordCount < bytes.count)
        var rest: Parity = (0, 0)
        var index = first
        for _ in 0..<Self.dataByteCount / 2 {
            // The precondition above guarantees that the last byte of the word is in the span.
            let one = unsafe Int(bytes[unchecked: index] ^ UInt8(truncatingIfNeeded: rest.high &>> 56))
            let two = unsafe Int(bytes[unchecked: index &+ wordCount] ^ UInt8(truncatingIfNeeded: rest.high &>> 48))
            rest.high = (rest.high &<< 16 | UInt64(rest.low)) ^ nextHighs[one] ^ highs[two]
            rest.low = nextLows[one] ^ lows[two]
            index &+= 2 &* wordCount
        }
        return rest
    }

    private func isIntact(_ bytes: [UInt8], word: Int, wordCount: Int) -> Bool {
        let rest = bytes.withSpan { self.parity(of: $0, first: word, wordCount: wordCount) }
        for index in 0..<Self.parityByteCount
        where bytes[(Self.dataByteCount + index) * wordCount + word] != Self.byte(index, of: rest) {
            return false
        }
        return true
    }

    package struct Correction: Hashable, Sendable {
        package var correctedByteCount = 0
        /// The uncorrectable words, one bit each, which are left unchanged.
        var uncorrectableWords: UInt32 = 0
        package var uncorrectableWordCount: Int { uncorrectableWords.nonzeroBitCount }
    }

    /// Corrects all words of a superframe.
    ///
    /// - Parameters:
    ///   - bytes: 120 n bytes.
    ///   - wordCount: The number of words, n, at most 32.
    package func correct(_ bytes: inout [UInt8], wordCount: Int) -> Correction {
        var result = Correction()
        var word = [UInt8](repeating: 0, count: Self.byteCount)
        for index in 0..<wordCount where !isIntact(bytes, word: index, wordCount: wordCount) {
            for position in 0..<Self.byteCount { word[position] = bytes[position * wordCount + index] }
            guard let errors = errors(in: word) else {
                result.uncorrectableWords |= 1 << UInt32(index)
                continue
            }
            result.correctedByteCount += errors.count
            for error in errors { bytes[error.position * wordCount + index] ^= error.value }
        }
        return result
    }

    private struct WrongByte {
        var position: Int
        /// The difference from the correct value.
        var value: UInt8
    }

    /// Returns the errors in a word, or `nil` if there are too many.
    private func errors(in word: [UInt8]) -> [WrongByte]? {
        var syndromes = [UInt8](repeating: 0, count: Self.parityByteCount)
        for root in 0..<Self.parityByteCount {
            var sum: UInt8 = 0
            for byte in word { sum = byte ^ (sum == 0 ? 0 : powers[logarithms[Int(sum)] + root]) }
            syndromes[root] = sum
        }
        guard syndromes.contains(where: { $0 != 0 }) else { return [] }
        let locator = locator(syndromes)
        guard let degree = locator.lastIndex(where: { $0 != 0 }), degree <= Self.correctableByteCount else { return nil }
        // For an error at power e, the locator has a root at α⁻ᵉ.
        var found: [WrongByte] = []
        for position in word.indices {
            let power = word.count - 1 - position
            guard value(of: locator, at: (255 - power) % 255) == 0 else { continue }
            found.append(WrongByte(position: position, value: 0))
        }
        guard found.count == degree else { return nil }
        return magnitudes(found, syndromes, locator)
    }

    /// Computes the error values by Forney's algorithm, or returns `nil` if the locator has a double root.
    private func magnitudes(_ positions: [WrongByte], _ syndromes: [UInt8], _ locator: [UInt8]) -> [WrongByte]? {
        // The evaluator is syndromes times locator modulo x¹⁰.
        var evaluator = [UInt8](repeating: 0, count: Self.parityByteCount)
        for index in evaluator.indices {
            for term in 0...min(index, Self.correctableByteCount) { evaluator[index] ^= multiply(locator[term], syndromes[index - term]) }
        }
        // The derivative has only the odd terms.
        var derivative = [UInt8](repeating: 0, count: Self.correctableByteCount + 1)
        for term in stride(from: 1, through: Self.correctableByteCount, by: 2) { derivative[term - 1] = locator[term] }
        var result = positions
        for index in result.indices {
            let power = Self.byteCount - 1 - result[index].position
            let inversePower = (255 - power) % 255
            let denominator = value(of: derivative, at: inversePower)
            guard denominator != 0 else { return nil }
            // The first root is α⁰, so the quotient is multiplied by the error's locator.
            let quotient = multiply(value(of: evaluator, at: inversePower), inverse(denominator))
            result[index].value = multiply(quotient, powers[power])
        }
        return result
    }

    /// Evaluates a polynomial (lowest power first) at a power of α.
    private func value(of polynomial: [UInt8], at exponent: Int) -> UInt8 {
        var sum: UInt8 = 0
        for coefficient in polynomial.reversed() { sum = coefficient ^ (sum == 0 ? 0 : powers[logarithms[Int(sum)] + exponent]) }
        return sum
    }

    /// Returns the error locator polynomial (lowest power first) by the Berlekamp-Massey algorithm.
    ///
    /// With too many errors, its degree is too high.
    private func locator(_ syndromes: [UInt8]) -> [UInt8] {
        var current = [UInt8](repeating: 0, count: Self.parityByteCount + 1)
        current[0] = 1
        var previous = current
        var (length, shift) = (0, 1)
        var previousDiscrepancy: UInt8 = 1
        for step in 0..<Self.parityByteCount {
            var discrepancy = syndromes[step]
            for term in 0..<length { discrepancy ^= multiply(current[term + 1], syndromes[step - term - 1]) }
            guard discrepancy != 0 else {
                shift += 1
                continue
            }
            let factor = multiply(discrepancy, inverse(previousDiscrepancy))
            let before = current
            for index in 0..<current.count - min(shift, current.count) { current[index + shift] ^= multiply(factor, previous[index]) }
            guard 2 * length <= step else {
                shift += 1
                continue
            }
            length = step + 1 - length
            previous = before
            previousDiscrepancy = discrepancy
            shift = 1
        }
        return current
    }
}
