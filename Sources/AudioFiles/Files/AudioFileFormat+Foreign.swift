// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import PCMFiles

extension AudioFileFormat {
    /// The number of bytes needed to identify unsupported formats.
    static let foreignSignatureByteCount = 36

    /// Identifies an unsupported format by the first bytes of a file, or returns `nil` if none matches.
    package init?(foreignSignature front: [UInt8]) {
        func has(_ bytes: some Sequence<UInt8>, at offset: Int = 0) -> Bool { front.dropFirst(offset).starts(with: bytes) }
        if has("RIFF".utf8) {
            guard has("AVI ".utf8, at: 8) else { return nil }
            self = .avi
        } else if has("OggS".utf8) {
            // The packet follows a page header with one segment.
            guard has("Speex   ".utf8, at: 28) else { return nil }
            self = .speex
        } else if has([0x0B, 0x77]), front.count > 5 {
            // Sample rate, frame size and bsid: up to 10 is AC-3, from 11 Enhanced AC-3 (ETSI TS 102 366, 4.4.1, 4.4.2.1 and E.1.3.1.6).
            switch front[5] >> 3 {
            case ...10 where front[4] >> 6 < 3 && front[4] & 0x3F < 38: self = .ac3
            case 11...16: self = .eac3
            default: return nil
            }
        } else if has("AV".utf8), has([0x55], at: 4) {
            self = .pva
        } else if let found = Self.signatures.first(where: { has($0.bytes) }) {
            self = found.format
        } else {
            return nil
        }
    }

    /// Identifies an unsupported codec by several frames near the start of a file, or returns `nil` if not found.
    init?(framesIn front: [UInt8]) {
        switch CodedFrames(in: front) {
        case .ac3: self = .ac3
        case .eac3: self = .eac3
        case nil: return nil
        }
    }

    private static let signatures: [(bytes: [UInt8], format: AudioFileFormat)] = [
        // 16 and 14 bits per word, each in big and little endian (ETSI TS 102 114, 5.3.1).
        ([0x7F, 0xFE, 0x80, 0x01], .dts), ([0xFE, 0x7F, 0x01, 0x80], .dts), ([0x1F, 0xFF, 0xE8, 0x00], .dts),
        ([0xFF, 0x1F, 0x00, 0xE8], .dts), (Array("DTSHDHDR".utf8), .dts),
        ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .windowsMedia),
        (Array("DSD ".utf8), .dsf), (Array("FRM8".utf8), .dsdiff), (Array("MAC ".utf8), .monkeysAudio), (Array("wvpk".utf8), .wavPack),
        (Array("TTA1".utf8), .trueAudio), (Array("MPCK".utf8), .musepack), (Array("MP+".utf8), .musepack), (Array("tBaK".utf8), .tak),
        (Array("ajkg".utf8), .shorten), (Array("#!AMR".utf8), .amr), (Array(".RMF".utf8), .realMedia), (Array("FLV".utf8), .flashVideo),
        ([0x00, 0x00, 0x01, 0xBA], .programStream), (Array("MThd".utf8), .midi),
    ]
}
