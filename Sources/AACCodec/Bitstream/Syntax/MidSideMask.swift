// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The bands of a pair that are coded as middle and side (ISO/IEC 14496-3:2009, 4.4.2.1 and 4.6.8.1).
package struct MidSideMask {
    /// Forms of the mask (`ms_mask_present`).
    package enum Kind: UInt8 {
        /// No band is middle and side.
        case none = 0
        /// Each band has a flag (`ms_used`).
        case perBand
        /// All bands are middle and side.
        case all
    }

    /// The form of the mask.
    package var kind = Kind.none

    /// The flags, if there is one a band.
    package var flags = BandFlags()

    /// Creates a mask without bands.
    package init() {}

    /// Creates a mask of one flag for each band of a frame, in its shortest form.
    init(_ flags: BandFlags, usedCount: Int, bandCount: Int) {
        kind = usedCount == 0 ? .none : usedCount == bandCount ? .all : .perBand
        self.flags = flags
    }

    /// Reads the mask of a pair with common windows.
    ///
    /// - Throws: `CodecError.reservedMidSideMask`.
    init(reading reader: inout BitReader, info: ICSInfo) throws(CodecError) {
        guard let kind = Kind(rawValue: UInt8(reader.read(2))) else { throw .reservedMidSideMask }
        self.kind = kind
        guard kind == .perBand else { return }
        for group in 0..<info.groupCount {
            // At most 51 bands: one window of bits.
            flags.set(reader.peekWindow(), count: info.maxSFB, from: group * ICSInfo.bandStride)
            reader.skip(info.maxSFB)
        }
    }

    /// Writes the mask of a pair with common windows.
    func write(to sink: inout some BitSink, info: ICSInfo) {
        sink.write(UInt32(kind.rawValue), count: 2)
        guard kind == .perBand else { return }
        for group in 0..<info.groupCount {
            for band in group * ICSInfo.bandStride..<group * ICSInfo.bandStride + info.maxSFB {
                sink.write(flags[band])
            }
        }
    }

    /// Whether a band is marked: as middle and side, or, if both channels are noise there, as the same noise.
    func contains(_ band: Int) -> Bool { kind == .all || kind == .perBand && flags[band] }

    /// Whether a band has a flag of its own that is set; in intensity bands it inverts the phase.
    func hasFlag(_ band: Int) -> Bool { kind == .perBand && flags[band] }
}
