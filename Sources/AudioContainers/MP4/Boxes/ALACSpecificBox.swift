// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The magic cookie of Apple Lossless in a sample entry (`alac`; Apple Lossless Format Magic Cookie Description).
package struct ALACSpecificBox: Box, Equatable {
    package static let type: FourCharCode = "alac"

    /// The part of the cookie with the channel layout.
    static let layoutInfo: FourCharCode = "chan"

    private(set) var cookie: [UInt8]

    /// Creates a box.
    package init(_ configuration: ALACConfiguration) { cookie = configuration.serialized() }

    /// Parses the body of the box.
    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readFullBox()
        cookie = try cursor.readRest()
    }

    /// Appends the body of the box with the channel layout, which follows this one in QuickTime files and is part of the cookie elsewhere.
    mutating func appendLayoutInfo(_ body: [UInt8]) {
        var writer = BoxWriter()
        writer.box(Self.layoutInfo) { $0.write(body) }
        cookie += writer.bytes
    }

    /// Writes the body of the box.
    package func write(to writer: inout BoxWriter) {
        writer.writeFullBox()
        writer.write(cookie)
    }
}
