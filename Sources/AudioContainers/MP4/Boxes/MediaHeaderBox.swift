// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Time scale and length of the media (`mdhd`, ISO/IEC 14496-12, 8.4.2).
package struct MediaHeaderBox: Box, Equatable {
    package static let type: FourCharCode = "mdhd"

    /// Time scale and length.
    package var times = MediaTimes(timescale: 0)
    #if !hasFeature(Embedded)
    /// The language of the track as a code of ISO 639-2; nil if it is undetermined, or one of QuickTime's numbers.
    private(set) var language: String?
    #endif

    /// "und", an unknown language, in three times five bits.
    private static let undetermined = 0x55C4

    /// Creates an empty box.
    package init() {}

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        times = try MediaTimes(parsing: &cursor)
        #if !hasFeature(Embedded)
        language = (try? cursor.readInteger(2)).flatMap(Self.language)
        #endif
    }

    #if !hasFeature(Embedded)
    /// Returns the three letters that a number packs, each as its distance from 0x60; nil for other numbers, and for "und".
    private static func language(_ packed: Int) -> String? {
        let letters = [10, 5, 0].map { UInt8(0x60 + (packed >> $0 & 0x1F)) }
        let isText = letters.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        return isText && packed != undetermined ? String(decoding: letters, as: UTF8.self) : nil
    }
    #endif

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        times.write(to: &writer)
        writer.write(Self.undetermined, 2)
        writer.write(0, 2)
    }
}
