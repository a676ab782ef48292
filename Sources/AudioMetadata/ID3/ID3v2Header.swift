// SPDX-License-Identifier: Apache-2.0

/// The header of an ID3v2 tag (ID3 tag version 2.4.0, main structure, 3.1).
package struct ID3v2Header: Equatable, Sendable {
    /// 2, 3 or 4.
    let version: Int
    var flags: UInt8
    /// The number of bytes between header and footer.
    let bodyByteCount: Int

    package static let byteCount = 10
    private static let signature = "ID3"
    /// The signature of a footer, which repeats the header at the end.
    private static let footerSignature = "3DI"

    /// Parses a header, or returns `nil` if the bytes are not one.
    package init?(_ bytes: some Sequence<UInt8>) { self.init(bytes, signature: Self.signature) }

    /// Parses a footer, or returns `nil` if the bytes are not one.
    init?(footer bytes: some Sequence<UInt8>) { self.init(bytes, signature: Self.footerSignature) }

    private init?(_ bytes: some Sequence<UInt8>, signature: String) {
        let bytes = Array(bytes.prefix(Self.byteCount))
        guard bytes.count == Self.byteCount, bytes.starts(with: signature.utf8), (2...4).contains(bytes[3]),
            let size = Self.syncsafe(bytes[6...])
        else { return nil }
        version = Int(bytes[3])
        flags = bytes[5]
        bodyByteCount = size
    }

    /// Whether the tag, or each frame, is unsynchronised (with a zero after each 0xFF).
    var isUnsynchronised: Bool { flags & 0x80 != 0 }
    /// Whether an extended header follows (in version 2.2 the bit means compression).
    var hasExtendedHeader: Bool { flags & 0x40 != 0 }

    /// The size of the tag in bytes, including header and footer.
    package var tagByteCount: Int { Self.byteCount + bodyByteCount + (version == 4 && flags & 0x10 != 0 ? Self.byteCount : 0) }

    /// Returns a number with seven bits per byte, or `nil` if a byte has its top bit set.
    static func syncsafe(_ bytes: ArraySlice<UInt8>) -> Int? {
        bytes.allSatisfy { $0 < 0x80 } ? bytes.reduce(0) { $0 << 7 | Int($1) } : nil
    }
}
