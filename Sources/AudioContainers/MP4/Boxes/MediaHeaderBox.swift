// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Time scale and length of the media (`mdhd`, ISO/IEC 14496-12, 8.4.2).
struct MediaHeaderBox: Box, Equatable {
    static let type: FourCharCode = "mdhd"

    /// Time scale and length.
    var times = MediaTimes(timescale: 0)

    /// "und", an unknown language, in three times five bits.
    private static let undetermined = 0x55C4

    /// Creates an empty box.
    init() {}

    /// Parses the body of the box.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        times = try MediaTimes(parsing: &cursor)
    }

    /// Writes the body of the box.
    func write(to writer: inout BoxWriter) {
        times.write(to: &writer)
        writer.write(Self.undetermined, 2)
        writer.write(0, 2)
    }
}
