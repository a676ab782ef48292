// SPDX-License-Identifier: Apache-2.0

/// The header of an ID3v2 tag (ID3 tag version 2.4.0, main structure, 3.1).
package struct ID3v2Header: Equatable, Sendable {
    /// The version: 2, 3 or 4.
    let version: Int
    /// The flags.
    var flags: UInt8
    /// The number of bytes after the header, without a footer.
    let bodyByteCount: Int

    /// The number of bytes of a header.
    package static let byteCount = 10
    private static let signature = "ID3"
    /// The signature of a footer, which repeats the header after a tag.
    private static let footerSignature = "3DI"

    /// Parses a header; nil if the bytes are none.
    package init?(_ bytes: some Sequence<UInt8>) { self.init(bytes, signature: Self.signature) }

    /// Parses a footer; nil if the bytes are none.
    init?(footer bytes: some Sequence<UInt8>) { self.init(bytes, signature: Self.footerSignature) }

    /// Parses a header with a signature.
    private init?(_ bytes: some Sequence<UInt8>, signature: String) {
        let bytes = Array(bytes.prefix(Self.byteCount))
        guard bytes.count == Self.byteCount, bytes.starts(with: signature.utf8), (2...4).contains(bytes[3]),
            let size = Self.syncsafe(bytes[6...])
        else { return nil }
        version = Int(bytes[3])
        flags = bytes[5]
        bodyByteCount = size
    }

    /// Whether the whole tag, or each of its frames, is written with a zero after each byte of ones.
    var isUnsynchronised: Bool { flags & 0x80 != 0 }
    /// Whether a second header follows; in version 2.2 that bit means compression.
    var hasExtendedHeader: Bool { flags & 0x40 != 0 }

    /// The number of bytes of the tag, header and footer included.
    package var tagByteCount: Int { Self.byteCount + bodyByteCount + (version == 4 && flags & 0x10 != 0 ? Self.byteCount : 0) }

    /// Returns a number of seven bits a byte; nil if a byte has eight.
    static func syncsafe(_ bytes: ArraySlice<UInt8>) -> Int? {
        bytes.allSatisfy { $0 < 0x80 } ? bytes.reduce(0) { $0 << 7 | Int($1) } : nil
    }
}
