// SPDX-License-Identifier: Apache-2.0

extension StrictSyntaxChecker {
    /// Returns the band offsets of a channel's windows.
    func offsets(_ channel: CheckedChannel) -> [Int] {
        channel.windowSequence == 2 ? tables.short128[frequencyIndex] : tables.long1024[frequencyIndex]
    }

    /// Reads `ics_info()`.
    func readInfo(_ channel: inout CheckedChannel, _ reader: inout StrictBitReader) throws(SyntaxViolation) {
        guard try reader.bit() == 0 else { throw .reservedBit }
        channel.windowSequence = try reader.bits(2)
        channel.windowShape = try reader.bit()
        if channel.windowSequence == 2 {
            channel.maxSFB = try reader.bits(4)
            channel.groupLengths = [1]
            for _ in 1..<8 {
                if try reader.flag() {
                    channel.groupLengths[channel.groupLengths.count - 1] += 1
                } else {
                    channel.groupLengths.append(1)
                }
            }
        } else {
            channel.maxSFB = try reader.bits(6)
            guard try reader.bit() == 0 else { throw .toolOutsideProfile }
        }
        let limit = offsets(channel).count - 1
        guard channel.maxSFB <= limit else { throw .maxSFB(found: channel.maxSFB, limit: limit) }
    }

    /// Reads `individual_channel_stream()`.
    func readChannel(
        _ channel: inout CheckedChannel, _ reader: inout StrictBitReader, hasCommonWindow: Bool, isSecondOfCommonWindow: Bool
    ) throws(SyntaxViolation) {
        let globalGain = try reader.bits(8)
        if !hasCommonWindow { try readInfo(&channel, &reader) }
        try readSections(&channel, &reader, allowsIntensity: isSecondOfCommonWindow)
        try readScaleFactors(&channel, &reader, globalGain: globalGain)
        if try reader.flag() { try readPulses(channel, &reader) }
        if try reader.flag() { try readTNS(&channel, &reader) }
        guard try !reader.flag() else { throw .toolOutsideProfile }
        try readSpectrum(&channel, &reader)
    }

    /// Reads `section_data()`.
    private func readSections(
        _ channel: inout CheckedChannel, _ reader: inout StrictBitReader, allowsIntensity: Bool
    ) throws(SyntaxViolation) {
        let lengthBits = channel.windowSequence == 2 ? 3 : 5
        let escape = 1 << lengthBits - 1
        channel.codebooks = []
        for _ in channel.groupLengths {
            var books: [Int] = []
            while books.count < channel.maxSFB {
                let book = try reader.bits(4)
                guard book != 12, allowsIntensity || book < 14 else { throw .codebook(book) }
                var length = 0
                var increment = escape
                while increment == escape {
                    increment = try reader.bits(lengthBits)
                    length += increment
                }
                guard length > 0 else { throw .emptySection }
                guard books.count + length <= channel.maxSFB else {
                    throw .sectionTooLong(end: books.count + length, maxSFB: channel.maxSFB)
                }
                books += [Int](repeating: book, count: length)
            }
            channel.codebooks.append(books)
        }
    }

    /// Reads `scale_factor_data()`.
    private func readScaleFactors(
        _ channel: inout CheckedChannel, _ reader: inout StrictBitReader, globalGain: Int
    ) throws(SyntaxViolation) {
        var scaleFactor = globalGain
        var noiseEnergy = globalGain - 90
        var intensityPosition = 0
        var isFirstNoise = true
        channel.scaleFactors = []
        for books in channel.codebooks {
            var values: [Int] = []
            for book in books {
                switch book {
                case 0: values.append(0)
                case 13:
                    let difference = isFirstNoise ? try reader.bits(9) - 256 : try reader.codeword(scaleFactorTree) - 60
                    isFirstNoise = false
                    noiseEnergy += difference
                    values.append(try inRange(noiseEnergy, -100...155))
                case 14, 15:
                    intensityPosition += try reader.codeword(scaleFactorTree) - 60
                    values.append(try inRange(intensityPosition, -155...100))
                default:
                    scaleFactor += try reader.codeword(scaleFactorTree) - 60
                    values.append(try inRange(scaleFactor, 0...255))
                }
            }
            channel.scaleFactors.append(values)
        }
    }

    /// Returns a value after checking its range.
    private func inRange(_ value: Int, _ range: ClosedRange<Int>) throws(SyntaxViolation) -> Int {
        guard range.contains(value) else { throw .scaleFactor(value, allowed: range) }
        return value
    }

    /// Reads `pulse_data()`.
    private func readPulses(_ channel: CheckedChannel, _ reader: inout StrictBitReader) throws(SyntaxViolation) {
        let count = try reader.bits(2) + 1
        let band = try reader.bits(6)
        let offsets = offsets(channel)
        guard channel.windowSequence != 2, band < offsets.count - 1 else { throw .pulse }
        var line = offsets[band]
        for _ in 0..<count {
            line += try reader.bits(5)
            _ = try reader.bits(4)
            guard line < offsets[offsets.count - 1] else { throw .pulse }
        }
    }

    /// Reads `tns_data()`.
    private func readTNS(_ channel: inout CheckedChannel, _ reader: inout StrictBitReader) throws(SyntaxViolation) {
        let isShort = channel.windowSequence == 2
        let bandCount = offsets(channel).count - 1
        for _ in 0..<(isShort ? 8 : 1) {
            let filterCount = try reader.bits(isShort ? 1 : 2)
            guard filterCount > 0 else { continue }
            let resolution = try reader.bit() + 3
            var total = 0
            for _ in 0..<filterCount {
                total += try reader.bits(isShort ? 4 : 6)
                guard total <= bandCount else { throw .tnsLength(found: total, limit: bandCount) }
                let order = try reader.bits(isShort ? 3 : 5)
                let limit = isShort ? 7 : 12
                guard order <= limit else { throw .tnsOrder(found: order, limit: limit) }
                guard order > 0 else { continue }
                channel.tnsFilterCount += 1
                _ = try reader.bit()
                let bits = resolution - (try reader.bit())
                for _ in 0..<order {
                    _ = try reader.bits(bits)
                }
            }
        }
    }
}
