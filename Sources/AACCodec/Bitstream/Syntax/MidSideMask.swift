// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The M/S bands of a channel pair (ISO/IEC 14496-3:2009, 4.4.2.1 and 4.6.8.1).
package struct MidSideMask {
    /// `ms_mask_present`.
    package enum Kind: UInt8 {
        /// No band uses M/S.
        case none = 0
        /// Each band has a flag (`ms_used`).
        case perBand
        /// All bands use M/S.
        case all
    }

    package var kind = Kind.none

    /// The flags, for ``Kind/perBand``.
    package var flags = BandFlags()

    package init() {}

    /// Creates a mask from flags for all bands of a frame, in its shortest form.
    init(_ flags: BandFlags, usedCount: Int, bandCount: Int) {
        kind = usedCount == 0 ? .none : usedCount == bandCount ? .all : .perBand
        self.flags = flags
    }

    /// Reads the mask of a pair with a common window.
    ///
    /// - Throws: `CodecError.reservedMidSideMask`.
    init(reading reader: inout BitReader, info: ICSInfo) throws(CodecError) {
        guard let kind = Kind(rawValue: UInt8(reader.read(2))) else { throw .reservedMidSideMask }
        self.kind = kind
        guard kind == .perBand else { return }
        for group in 0..<info.groupCount {
            // At most 51 bands, which fit in one window of bits.
            flags.set(reader.peekWindow(), count: info.maxSFB, from: group * ICSInfo.bandStride)
            reader.skip(info.maxSFB)
        }
    }

    /// Writes the mask of a pair with a common window.
    func write(to sink: inout some BitSink, info: ICSInfo) {
        sink.write(UInt32(kind.rawValue), count: 2)
        guard kind == .perBand else { return }
        for group in 0..<info.groupCount {
            for band in group * ICSInfo.bandStride..<group * ICSInfo.bandStride + info.maxSFB {
                sink.write(flags[band])
            }
        }
    }

    /// Returns whether a band is marked: as M/S, or as the same noise if both channels are noise.
    package func contains(_ band: Int) -> Bool { kind == .all || kind == .perBand && flags[band] }

    /// Returns whether a band has an individual flag that is set.
    ///
    /// In intensity bands it inverts the phase.
    func hasFlag(_ band: Int) -> Bool { kind == .perBand && flags[band] }
}
