// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// The codebook of each band, sent as runs of bands (`section_data`, ISO/IEC 14496-3:2009, 4.4.2.7).
enum SectionData {
    /// Reads the codebooks of all bands of all groups.
    ///
    /// - Parameters:
    ///   - virtual: In AAC-LD and AAC-ELD with virtual codebooks: receives the sent codebooks. Virtual codebooks are read as
    ///     ``BandCodebook/escape``.
    ///   - allowsIntensity: Whether this is the second channel of a pair with a common window.
    /// - Returns: One bit per codebook in use.
    static func read(
        into codebooks: inout MutableSpan<UInt8>, virtual: inout SIMD64<UInt8>?, info: ICSInfo, allowsIntensity: Bool,
        from reader: inout BitReader
    ) throws(CodecError) -> UInt16 {
        var used: UInt16 = 0
        let codebookBits = virtual == nil ? 4 : 5
        let lengthBits = info.isShort ? 3 : 5
        let escape = 1 << lengthBits - 1
        var window = BitWindow(reader)
        defer { reader.skip(window.position &- reader.bitPosition) }
        for group in 0..<info.groupCount {
            var band = 0
            while band < info.maxSFB {
                // A codebook and the first length.
                window.refill(from: reader, ifFewerThan: 10)
                let sent = UInt8(truncatingIfNeeded: window.next(codebookBits))
                if sent == BandCodebook.reserved { throw .reservedCodebook }
                let codebook = sent >= VirtualCodebook.first ? BandCodebook.escape : sent
                if codebook >= BandCodebook.intensityOutOfPhase && !allowsIntensity {
                    throw .misplacedIntensity(codebook: Int(codebook))
                }
                used |= 1 << UInt16(codebook)
                var end = band
                if virtual != nil && codebook == BandCodebook.escape {
                    // Always one band, without a length field.
                    end += 1
                } else {
                    var increment: Int
                    repeat {
                        window.refill(from: reader, ifFewerThan: lengthBits)
                        increment = Int(truncatingIfNeeded: window.next(lengthBits))
                        end &+= increment
                    } while increment == escape && end <= info.maxSFB
                }
                guard end > band else { throw .emptySection }
                guard end <= info.maxSFB else { throw .sectionTooLong(end: end, bandCount: info.maxSFB) }
                let first = group &* ICSInfo.bandStride
                var section = codebooks._mutatingExtracting(first &+ band..<first &+ end)
                for index in section.indices { section[index] = codebook }
                if virtual != nil { for sfb in band..<end { virtual?[sfb] = sent } }
                band = end
            }
        }
        return used
    }

    /// Writes the codebooks of all bands.
    ///
    /// Adjacent bands of a group with the same codebook form one section.
    static func write(_ codebooks: Span<UInt8>, info: ICSInfo, to sink: inout some BitSink) {
        for group in 0..<info.groupCount {
            let first = group * ICSInfo.bandStride
            var band = 0
            while band < info.maxSFB {
                let end = endOfSection(codebooks, from: first + band, to: first + info.maxSFB) - first
                writeHeader(codebook: codebooks[first + band], bandCount: end - band, isShort: info.isShort, to: &sink)
                band = end
            }
        }
    }

    /// Returns the end of the run of equal codebooks that starts at `band`.
    @inline(__always)
    static func endOfSection(_ codebooks: Span<UInt8>, from band: Int, to limit: Int) -> Int {
        var end = band + 1
        while end < limit && codebooks[end] == codebooks[band] {
            end += 1
        }
        return end
    }

    @inline(__always)
    static func writeHeader(codebook: UInt8, bandCount: Int, isShort: Bool, to sink: inout some BitSink) {
        let lengthBits = isShort ? 3 : 5
        let escape = 1 << lengthBits - 1
        sink.write(UInt32(codebook), count: 4)
        var rest = bandCount
        while rest >= escape {
            sink.write(UInt32(escape), count: lengthBits)
            rest -= escape
        }
        sink.write(UInt32(rest), count: lengthBits)
    }
}
