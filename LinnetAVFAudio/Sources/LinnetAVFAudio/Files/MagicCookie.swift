// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if !canImport(Darwin)
internal import Foundation
internal import MPEG4Audio

/// The magic cookie of AAC: the elementary stream descriptor (ISO/IEC 14496-1:2010, 7.2.6.5) with the AudioSpecificConfig.
enum MagicCookie {
    private static let elementaryStream: UInt8 = 3
    private static let decoderConfig: UInt8 = 4
    private static let decoderSpecificInfo: UInt8 = 5

    /// Returns the configuration in a cookie, or in a bare AudioSpecificConfig; nil if there is none.
    static func configuration(in cookie: Data) -> AudioSpecificConfig? {
        var bytes = [UInt8](cookie)
        if bytes.first == elementaryStream {
            guard let stream = body(of: elementaryStream, in: bytes[...]), let fields = elementaryStreamFields(stream),
                let decoder = body(of: decoderConfig, in: fields), let info = body(of: decoderSpecificInfo, in: decoder.dropFirst(13))
            else { return nil }
            bytes = Array(info)
        }
        return try? AudioSpecificConfig(parsing: bytes)
    }

    /// Returns the descriptors after the fields of an elementary stream descriptor; nil if it is too short.
    private static func elementaryStreamFields(_ body: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard body.count >= 3 else { return nil }
        let flags = body[body.startIndex + 2]
        var length = 3
        if flags & 0x80 != 0 { length += 2 }
        if flags & 0x40 != 0 {
            guard body.count > length else { return nil }
            length += 1 + Int(body[body.startIndex + length])
        }
        if flags & 0x20 != 0 { length += 2 }
        return body.count >= length ? body.dropFirst(length) : nil
    }

    /// Returns the body of the first descriptor with a tag; nil if there is none.
    private static func body(of tag: UInt8, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = bytes
        while let found = rest.popFirst() {
            var length = 0
            // Seven bits a byte, four bytes at most.
            for _ in 0..<4 {
                guard let byte = rest.popFirst() else { return nil }
                length = length << 7 | Int(byte & 0x7F)
                if byte & 0x80 == 0 { break }
            }
            guard length <= rest.count else { return nil }
            if found == tag { return rest.prefix(length) }
            rest = rest.dropFirst(length)
        }
        return nil
    }
}
#endif
