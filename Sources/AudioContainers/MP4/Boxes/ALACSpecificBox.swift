// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// The magic cookie of Apple Lossless in a sample entry (`alac`; Apple Lossless Format Magic Cookie Description).
struct ALACSpecificBox: Box, Equatable {
    static let type: FourCharCode = "alac"

    var cookie: [UInt8]

    /// Creates a box.
    init(_ configuration: ALACConfiguration) { cookie = configuration.serialized() }

    /// Parses the body of the box.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readFullBox()
        cookie = try cursor.readBytes(cursor.remaining)
    }

    /// Writes the body of the box.
    func write(to writer: inout BoxWriter) {
        writer.writeFullBox()
        writer.write(cookie)
    }
}
