// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The gains of an access unit's dynamic range control (`dynamic_range_info`, ISO/IEC 14496-3:2009, 4.4.2.7 and 4.5.2.7).
package struct DynamicRangeInfo: Equatable {
    /// `pce_instance_tag`: the program of the gains; `nil` for all.
    package var programTag: Int?
    /// `exclude_mask`: the channels without control, one bit each in stream order.
    package var excluded: UInt8 = 0
    /// The number of bands, 1 to 16.
    package var bandCount = 1
    /// `drc_band_top`: the last line of each band, in units of four lines.
    package var tops = SIMD16<UInt8>(repeating: .max)
    /// `drc_interpolation_scheme`: 0 for a linear transition, 1 to 8 for a step at that eighth of a frame.
    package var interpolationScheme = 0
    /// `prog_ref_level`: the program's level below full scale, in steps of 0.25 dB from 0 to 127; `nil` if absent.
    package var referenceLevel: Int?
    /// `dyn_rng_sgn` and `dyn_rng_ctl`: the gain of each band in steps of 0.25 dB, -127 to 127.
    package var gains = SIMD16<Int16>()

    package init() {}

    /// Reads the gains after the extension type, or returns `nil` if they exceed `end`, a bit position of the reader.
    package init?(reading reader: inout BitReader, end: Int) {
        if reader.readFlag() {
            programTag = Int(reader.read(4))
            reader.skip(4)
        }
        if reader.readFlag() { readExcludedChannels(&reader, end: end) }
        if reader.readFlag() {
            bandCount += Int(reader.read(4))
            interpolationScheme = Int(reader.read(4))
            for band in 0..<bandCount { tops[band] = UInt8(reader.read(8)) }
        }
        if reader.readFlag() {
            referenceLevel = Int(reader.read(7))
            reader.skip(1)
        }
        for band in 0..<bandCount {
            let isNegative = reader.readFlag()
            let magnitude = Int16(reader.read(7))
            gains[band] = isNegative ? -magnitude : magnitude
        }
        if reader.hasOverrun || reader.bitPosition > end { return nil }
    }

    /// Reads `excluded_channels()`: groups of seven channels.
    private mutating func readExcludedChannels(_ reader: inout BitReader, end: Int) {
        var channel = 0
        repeat {
            for _ in 0..<7 {
                if reader.readFlag(), channel < 8 { excluded |= 1 << UInt8(channel) }
                channel += 1
            }
        } while reader.readFlag() && reader.bitPosition < end
    }

    /// Returns the gain of a line in steps of 0.25 dB; 0 above the last band.
    func gain(ofLine line: Int) -> Int16 {
        for band in 0..<bandCount where line < 4 * (Int(tops[band]) + 1) { return gains[band] }
        return 0
    }
}
