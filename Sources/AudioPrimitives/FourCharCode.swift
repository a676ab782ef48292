// SPDX-License-Identifier: Apache-2.0

/// A code of four characters in a 32-bit number, as Core Audio and MP4 use them.
public struct FourCharCode: RawRepresentable, Hashable, Sendable {
    /// The four bytes, the first character as the most significant one.
    public var rawValue: UInt32

    /// Creates a code from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates a code from four single-byte characters, or nil for anything else.
    public init?(_ text: String) {
        let bytes = text.unicodeScalars.map { $0.value }
        guard bytes.count == 4, bytes.allSatisfy({ $0 < 256 }) else { return nil }
        rawValue = bytes.reduce(0) { $0 << 8 | $1 }
    }

    /// The four bytes in order.
    public var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) } }
}

extension FourCharCode: ExpressibleByStringLiteral {
    /// Creates a code from a literal; traps unless it has four single-byte characters.
    public init(stringLiteral text: String) {
        guard let code = FourCharCode(text) else { preconditionFailure("not four single-byte characters: \(text)") }
        self = code
    }
}

extension FourCharCode: CustomStringConvertible {
    /// `'fmt?'` where all four bytes can be printed, else the signed decimal number, as status codes are written.
    public var description: String {
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return String(Int32(bitPattern: rawValue))
        }
        return "'" + String(decoding: bytes, as: UTF8.self) + "'"
    }
}
