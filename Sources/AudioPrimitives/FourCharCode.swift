// SPDX-License-Identifier: Apache-2.0

/// A four-character code in a 32-bit number, as used by Core Audio and MP4.
public struct FourCharCode: RawRepresentable, Hashable, Sendable {
    /// The four bytes, with the first character as the most significant byte.
    public var rawValue: UInt32

    /// Creates a code from its 32-bit number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates a code from four single-byte characters, or returns `nil` for other text.
    public init?(_ text: String) {
        let bytes = text.unicodeScalars.map { $0.value }
        guard bytes.count == 4, bytes.allSatisfy({ $0 < 256 }) else { return nil }
        rawValue = bytes.reduce(0) { $0 << 8 | $1 }
    }

    /// The four bytes, first character first.
    public var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) } }
}

extension FourCharCode: ExpressibleByStringLiteral {
    /// Creates a code from a literal, which must have four single-byte characters.
    public init(stringLiteral text: String) {
        guard let code = FourCharCode(text) else { preconditionFailure("not four single-byte characters: \(text)") }
        self = code
    }
}

extension FourCharCode: CustomStringConvertible {
    /// `'fmt?'` if all four bytes are printable, otherwise the signed decimal number, the usual form of status codes.
    public var description: String {
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return String(Int32(bitPattern: rawValue))
        }
        return "'" + String(decoding: bytes, as: UTF8.self) + "'"
    }
}
