// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

// Encoding without pairs of sets, coarse quantizers and strides.
extension SurroundParameter {
    /// The coding of a set: as frequency or time differences, single or in pairs.
    private struct Coding {
        var isTime: Bool
        /// The maximum absolute value of pairs; 0 for single differences.
        var largest: Int
    }

    /// Writes the level differences or coherences of a frame in the shortest form (`EcData`, ISO/IEC 23003-1).
    ///
    /// - Parameters:
    ///   - rows: The values in fine quantizer steps: of the previous frame's last set, then of each set.
    ///   - rowLength: The number of values from one set to the next.
    ///   - isIndependent: Whether the frame does not refer to previous ones.
    package func write(
        _ rows: Span<Int8>, rowLength: Int, setCount: Int, bandCount: Int, isIndependent: Bool, to sink: inout some BitSink
    ) {
        for set in 0..<setCount {
            sink.write(mode(set, rows, rowLength: rowLength, bandCount: bandCount, isIndependent: isIndependent), count: 2)
        }
        for set in 0..<setCount
        where mode(set, rows, rowLength: rowLength, bandCount: bandCount, isIndependent: isIndependent) == 3 {
            // No pair, fine steps, every band.
            sink.write(0, count: 4)
            let values = rows.extracting(rowLength * (set + 1)..<rowLength * (set + 1) + bandCount)
            let previous = rows.extracting(rowLength * set..<rowLength * set + bandCount)
            write(values, after: previous, refersBack: set > 0 || !isIndependent, to: &sink)
        }
    }

    /// Returns `bsXXXDataMode` of a set: 0 for zeros, 1 for the previous values, 3 for coded values.
    private func mode(_ set: Int, _ rows: Span<Int8>, rowLength: Int, bandCount: Int, isIndependent: Bool) -> UInt32 {
        var (isZero, isKept) = (true, set > 0 || !isIndependent)
        for band in 0..<bandCount {
            let value = rows[rowLength * (set + 1) + band]
            if value != 0 { isZero = false }
            if value != rows[rowLength * set + band] { isKept = false }
        }
        return isKept ? 1 : isZero ? 0 : 3
    }

    /// Writes the shortest `EcDataPair` of one set.
    private func write(_ values: Span<Int8>, after previous: Span<Int8>, refersBack: Bool, to sink: inout some BitSink) {
        var (best, least) = (Coding(isTime: false, largest: 0), Int.max)
        // No array, which would be allocated.
        for direction in 0..<(refersBack ? 2 : 1) {
            let isTime = direction == 1
            let differences = differences(values, after: previous, isTime: isTime)
            for index in -1..<4 {
                let coding = Coding(isTime: isTime, largest: index < 0 ? 0 : largest(index))
                var counter = BitCounter()
                guard write(differences, count: values.count, coding, refersBack: refersBack, to: &counter) else { continue }
                if counter.bitCount < least { (best, least) = (coding, counter.bitCount) }
            }
        }
        let differences = differences(values, after: previous, isTime: best.isTime)
        _ = write(differences, count: values.count, best, refersBack: refersBack, to: &sink)
    }

    private func differences(_ values: Span<Int8>, after previous: Span<Int8>, isTime: Bool) -> SIMD32<Int16> {
        var result = SIMD32<Int16>(repeating: 0)
        for band in 0..<values.count {
            let base = isTime ? Int16(previous[band]) : band > 0 ? Int16(values[band - 1]) : -Int16(offset(isCoarse: false))
            result[band] = Int16(values[band]) - base
        }
        return result
    }

    /// Writes differences; returns `false` if the codebook of pairs lacks one.
    private func write(
        _ differences: SIMD32<Int16>, count: Int, _ coding: Coding, refersBack: Bool, to sink: inout some BitSink
    ) -> Bool {
        let books = SurroundCodebooks.shared
        // No fixed-length codes.
        sink.write(false)
        if refersBack { sink.write(coding.isTime) }
        sink.write(coding.largest > 0)
        if coding.largest > 0 { books.write((coding.largest - largest(0)) / 2, SurroundCodebooks.maximumValue, to: &sink) }
        var next = 0
        if !coding.isTime {
            books.write(Int(differences[0]), firstCodebook, to: &sink)
            next = 1
        }
        if coding.largest > 0 {
            let codebook = pairCodebook(isTime: coding.isTime, isTimePair: false, largest: coding.largest)
            while next + 1 < count {
                let pair = (Int(differences[next]), Int(differences[next + 1]))
                guard write(pair, codebook, largest: coding.largest, to: &sink) else { return false }
                next += 2
            }
        }
        for index in next..<max(next, count) {
            let value = Int(differences[index])
            books.write(abs(value), singleCodebook(isTime: coding.isTime), to: &sink)
            if value != 0 { sink.write(value < 0) }
        }
        return true
    }

    /// Writes a pair of differences; returns `false` if the codebook lacks it.
    private func write(_ pair: (Int, Int), _ codebook: Int, largest: Int, to sink: inout some BitSink) -> Bool {
        guard max(abs(pair.0), abs(pair.1)) <= largest else { return false }
        // The larger absolute value comes first and is positive.
        let isSwapped = abs(pair.1) > abs(pair.0) || pair.0 + pair.1 == 0 && pair.0 < 0
        let ordered = isSwapped ? (pair.1, pair.0) : pair
        let isNegative = ordered.0 < 0
        let (first, second) = isNegative ? (-ordered.0, -ordered.1) : ordered
        // Sum and difference of both coded values, or their complements.
        let (sum, difference) = (first + second) & 1 == 0 ? (first, second) : (2 * largest + 1 - first, -second)
        let isWritten = SurroundCodebooks.shared.writePair(
            ((sum + difference) / 2, (sum - difference) / 2), codebook, largest: largest, to: &sink)
        if first + second != 0 { sink.write(isNegative) }
        if first != second { sink.write(isSwapped) }
        return isWritten
    }

    /// Returns the bits of a single difference in fine quantizer steps.
    package func bitCount(ofDifference difference: Int, isTime: Bool) -> Int {
        SurroundCodebooks.shared.bitCount(of: abs(difference), singleCodebook(isTime: isTime)) + (difference == 0 ? 0 : 1)
    }
}
