// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// Spectral lines with Huffman codeword reordering (HCR, ISO/IEC 14496-3:2009, 4.6.16.3), and the workspace to restore their order.
///
/// A codeword is everything that codes four or two lines: the Huffman codeword, signs and escape sequences. The most important codewords
/// start at the left ends of segments, at positions that depend only on the side information. The others fill the remaining bits of
/// segments.
package struct ReorderedSpectrum: ~Copyable {
    struct Side {
        /// `length_of_reordered_spectral_data`, in bits.
        var bitCount: Int
        /// `length_of_longest_codeword`, in bits.
        var longest: Int

        init(reading reader: inout BitReader) {
            bitCount = Int(reader.read(14))
            longest = Int(reader.read(6))
        }
    }

    /// A codeword being reassembled.
    private struct Codeword {
        /// The index of its first line.
        var line: UInt16 = 0
        /// The codebook, 1 to 11.
        var codebook: UInt8 = 0
        /// The sent codebook, 1 to 31.
        var sent: UInt8 = 0
        /// The bits read so far, MSB first.
        var bits: UInt64 = 0
        /// The number of bits read so far.
        var count = 0
        /// Whether all bits have been read.
        var isComplete = false
    }

    /// The codewords in line order.
    private var codewords: FixedArray<Codeword>
    /// Codeword indices, by descending priority.
    private var order: FixedArray<UInt16>
    /// The remaining bit range of each segment.
    private var segments: FixedArray<SIMD2<Int32>>

    /// The maximum number of codewords per channel, with two lines each.
    private static let capacity = 256
    private static let maximumCodewordLength = 49
    /// The maximum size of a pair's reordered data, in bits.
    private static let maximumBitCount = 12_288

    /// Creates the workspace, empty unless `isUsed`.
    package init(isUsed: Bool) {
        codewords = FixedArray(repeating: Codeword(), count: isUsed ? Self.capacity : 0)
        order = FixedArray(repeating: 0, count: isUsed ? Self.capacity : 0)
        segments = FixedArray(repeating: SIMD2(0, 0), count: isUsed ? Self.capacity : 0)
    }

    /// Reads the lines of a long window.
    ///
    /// - Parameter sections: The sent codebook of each band.
    mutating func read(
        into quantized: inout MutableSpan<Int16>, _ side: Side, sections: SIMD64<UInt8>, info: ICSInfo, bands: ScaleFactorBands,
        from reader: inout BitReader
    ) throws(CodecError) {
        for line in 0..<quantized.count { quantized[line] = 0 }
        guard side.bitCount <= Self.maximumBitCount, side.longest <= Self.maximumCodewordLength, side.bitCount <= reader.bitsRemaining
        else {
            throw .invalidReordering
        }
        let count = list(sections, info: info, bands: bands)
        guard side.bitCount > 0, count > 0 else {
            guard count == 0 else { throw .invalidReordering }
            return reader.skip(side.bitCount)
        }
        sort(count)
        let segmentCount = divide(count, side, from: reader.bitPosition)
        guard segmentCount > 0 else { throw .invalidReordering }
        for index in 0..<min(segmentCount, count) {
            take(Int(order[index]), fromSegment: index, isReversed: false, reader)
            guard codewords[Int(order[index])].isComplete else { throw .invalidReordering }
        }
        var first = segmentCount
        var isReversed = true
        while first < count {
            fill(first..<min(first + segmentCount, count), segmentCount: segmentCount, isReversed: isReversed, reader)
            first += segmentCount
            isReversed.toggle()
        }
        for index in 0..<count {
            guard codewords[index].isComplete else { throw .invalidReordering }
            try Self.decode(codewords[index], into: &quantized)
        }
        reader.skip(side.bitCount)
    }

    /// Lists the codewords in line order, and returns their number.
    private mutating func list(_ sections: SIMD64<UInt8>, info: ICSInfo, bands: ScaleFactorBands) -> Int {
        var count = 0
        for band in 0..<info.maxSFB {
            let sent = sections[band]
            guard sent >= 1, sent <= BandCodebook.escape || sent >= VirtualCodebook.first else { continue }
            let codebook = min(sent, BandCodebook.escape)
            for line in stride(from: bands.longOffsets[band], to: bands.longOffsets[band + 1], by: codebook < 5 ? 4 : 2) {
                codewords[count] = Codeword(line: line, codebook: codebook, sent: sent)
                count += 1
            }
        }
        return count
    }

    /// Sorts the codewords by descending codebook priority, then by line.
    private mutating func sort(_ count: Int) {
        var next = 0
        for priority in (1...22).reversed() {
            for index in 0..<count where Self.priority(codewords[index].sent) == priority {
                order[next] = UInt16(index)
                next += 1
            }
        }
    }

    private static func priority(_ codebook: UInt8) -> Int {
        switch codebook {
        case BandCodebook.escape: 22
        case VirtualCodebook.first...: Int(codebook) - 10
        default: (Int(codebook) + 1) / 2
        }
    }

    /// Divides the bits into segments, and returns the number of segments.
    private mutating func divide(_ count: Int, _ side: Side, from start: Int) -> Int {
        var (segmentCount, position) = (0, start)
        let end = start + side.bitCount
        while segmentCount < count {
            let codebook = codewords[Int(order[segmentCount])].sent
            let width = min(Int(Self.maximumCodewordLengths[Int(codebook)]), side.longest)
            guard width > 0, position + width <= end else { break }
            segments[segmentCount] = SIMD2(Int32(position), Int32(position + width))
            position += width
            segmentCount += 1
        }
        if segmentCount > 0, segmentCount < count { segments[segmentCount - 1].y = Int32(end) }
        return segmentCount
    }

    /// Fills the codewords of a set from the remaining bits of all segments in rotation.
    private mutating func fill(_ set: Range<Int>, segmentCount: Int, isReversed: Bool, _ reader: borrowing BitReader) {
        for trial in 0..<segmentCount {
            var isComplete = true
            for segment in 0..<segmentCount {
                let index = set.lowerBound + (segment - trial + segmentCount) % segmentCount
                guard index < set.upperBound else { continue }
                take(Int(order[index]), fromSegment: segment, isReversed: isReversed, reader)
                isComplete = isComplete && codewords[Int(order[index])].isComplete
            }
            if isComplete { return }
        }
    }

    /// Moves bits from a segment to a codeword until the codeword is complete or the segment is empty.
    private mutating func take(_ index: Int, fromSegment segment: Int, isReversed: Bool, _ reader: borrowing BitReader) {
        guard !codewords[index].isComplete else { return }
        var codeword = codewords[index]
        let rest = segments[segment]
        let available = min(Int(rest.y - rest.x), Self.maximumCodewordLength - codeword.count)
        guard available > 0 else { return }
        var bits: UInt64 = 0
        if isReversed {
            for bit in 0..<available { bits = bits << 1 | reader.peekWindow(at: Int(rest.y) - 1 - bit) >> 63 }
            bits <<= UInt64(64 - available)
        } else {
            bits = reader.peekWindow(at: Int(rest.x)) & ~(UInt64.max >> UInt64(available))
        }
        let known = codeword.count
        codeword.bits |= bits >> UInt64(known)
        codeword.count += available
        let length = Self.length(of: codeword)
        var taken = available
        if length <= codeword.count {
            taken = length - known
            codeword.count = length
            codeword.bits &= ~(UInt64.max >> UInt64(length))
            codeword.isComplete = true
        }
        codewords[index] = codeword
        if isReversed { segments[segment].y -= Int32(taken) } else { segments[segment].x += Int32(taken) }
    }

    /// Returns the length of the codeword that starts with the bits read so far; more than their number if it is incomplete.
    private static func length(of codeword: Codeword) -> Int {
        let entry = entry(of: codeword)
        var length = Int(entry & 0x3F)
        guard codeword.codebook == BandCodebook.escape, entry & 0xC0 != 0 else { return length }
        for value in 0..<2 where SpectralDecodingTables.isEscaped(entry, value) {
            guard length < codeword.count else { return codeword.count + 1 }
            let prefix = (~(codeword.bits << UInt64(length))).leadingZeroBitCount
            // Decoding rejects prefixes that are too long.
            length += min(prefix, 9) * 2 + 5
        }
        return length
    }

    /// Returns the table entry of the Huffman codeword.
    private static func entry(of codeword: Codeword) -> UInt32 {
        let tables = SpectralDecodingTables.shared
        let entries = tables.entries.span
        return PrefixCodeTable.entry(for: codeword.bits, in: entries.extracting(Int(tables.starts[Int(codeword.codebook)])..<entries.count))
    }

    private static func decode(_ codeword: Codeword, into quantized: inout MutableSpan<Int16>) throws(CodecError) {
        let entry = entry(of: codeword)
        let line = Int(codeword.line)
        guard codeword.codebook >= 5 else {
            for offset in 0..<4 { quantized[line + offset] = SpectralDecodingTables.value(offset, of: entry) }
            return
        }
        var position = UInt64(entry & 0x3F)
        for offset in 0..<2 {
            var value = SpectralDecodingTables.value(offset, of: entry)
            if codeword.codebook == BandCodebook.escape, entry & 0xC0 != 0, SpectralDecodingTables.isEscaped(entry, offset) {
                let bits = codeword.bits << position
                let prefix = (~bits).leadingZeroBitCount
                guard prefix <= 8 else { throw .escapeTooLong(prefix: prefix) }
                let magnitude = Int16(1 << (prefix + 4) | Int((bits << UInt64(prefix + 1)) >> UInt64(60 - prefix)))
                value = value < 0 ? -magnitude : magnitude
                position += UInt64(2 * prefix + 5)
            }
            quantized[line + offset] = value
        }
    }

    /// The maximum codeword length of each codebook; 0 for codebooks without codewords.
    private static let maximumCodewordLengths: [UInt8] = [
        0, 11, 9, 20, 16, 13, 11, 14, 12, 17, 14, 49, 0, 0, 0, 0, 14, 17, 21, 21, 25, 25, 29, 29, 29, 29, 33, 33, 33, 37, 37, 41,
    ]
}
