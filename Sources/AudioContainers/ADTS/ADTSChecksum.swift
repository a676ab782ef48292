// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import MPEG4Audio

/// The checksum of ADTS frames (`adts_error_check`, ISO/IEC 13818-7, 6.2.3).
///
/// It covers the header and the start of each element.
package enum ADTSChecksum {
    private static let singleChannelBits = 192
    private static let secondChannelBits = 128

    /// Returns the checksum of a frame with one raw data block.
    ///
    /// - Parameter elements: All elements of `payload`, in order. Covered bits beyond the end of an element count as zeros.
    package static func value(header: ADTSHeader, payload: [UInt8], elements: [ElementSpan]) -> UInt16 {
        var bytes: [UInt8] = []
        header.serialize(into: &bytes)
        var crc = check(of: bytes)
        update(&crc, payload: payload, elements: elements)
        return crc.value
    }

    /// Returns the checksum of one of several raw data blocks, without the header.
    package static func value(block payload: [UInt8], elements: [ElementSpan]) -> UInt16 {
        var crc = CRC.adts
        update(&crc, payload: payload, elements: elements)
        return crc.value
    }

    /// Returns the checksum of the header and block positions of a frame with several raw data blocks.
    static func value(header bytes: ArraySlice<UInt8>) -> UInt16 { check(of: bytes).value }

    private static func check(of bytes: some Sequence<UInt8>) -> CRC {
        var crc = CRC.adts
        for byte in bytes { crc.update(UInt32(byte), count: 8) }
        return crc
    }

    /// Updates the checksum with the covered bits of each element.
    private static func update(_ crc: inout CRC, payload: [UInt8], elements: [ElementSpan]) {
        var reader = BitReader(payload)
        for element in elements {
            switch element.coverage {
            case .none: break
            case .whole:
                update(&crc, &reader, bits: element.bits, paddedTo: element.bits.count)
            case .singleChannel:
                update(&crc, &reader, bits: element.bits.prefix(singleChannelBits), paddedTo: singleChannelBits)
            case .channelPair(let second):
                update(&crc, &reader, bits: element.bits.prefix(singleChannelBits), paddedTo: singleChannelBits)
                let rest = min(second, element.bits.upperBound)..<element.bits.upperBound
                update(&crc, &reader, bits: rest.prefix(secondChannelBits), paddedTo: secondChannelBits)
            }
        }
    }

    /// Updates the checksum with a range of bits, zero-padded to `count` bits.
    private static func update(_ crc: inout CRC, _ reader: inout BitReader, bits: Range<Int>, paddedTo count: Int) {
        reader.skip(bits.lowerBound - reader.bitPosition)
        var left = bits.count
        while left > 0 {
            let step = min(left, 32)
            crc.update(reader.read(step), count: step)
            left -= step
        }
        for _ in 0..<(count - bits.count) {
            crc.update(0, count: 1)
        }
    }
}
