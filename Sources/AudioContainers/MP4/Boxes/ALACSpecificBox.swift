// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The magic cookie of Apple Lossless in a sample entry (`alac`; Apple Lossless Format Magic Cookie Description).
package struct ALACSpecificBox: Box, Equatable {
    package static let type: FourCharCode = "alac"

    /// The part of the cookie with the channel layout.
    static let layoutInfo: FourCharCode = "chan"

    private(set) var cookie: [UInt8]

    package init(_ configuration: ALACConfiguration) { cookie = configuration.serialized() }

    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        _ = try cursor.readFullBox()
        cookie = try cursor.readRest()
    }

    /// Appends the channel layout.
    ///
    /// In QuickTime files it follows this box; elsewhere it is part of the cookie.
    mutating func appendLayoutInfo(_ body: [UInt8]) {
        var writer = BoxWriter()
        writer.box(Self.layoutInfo) { $0.write(body) }
        cookie += writer.bytes
    }

    package func write(to writer: inout BoxWriter) {
        writer.writeFullBox()
        writer.write(cookie)
    }
}
