// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Priming, remainder and length in the iTunes tag `iTunSMPB`.
package struct ITunesGapless: Equatable {
    package static let name = "iTunSMPB"

    package var info: GaplessInfo

    package init(_ info: GaplessInfo) { self.info = info }

    /// Parses `" 00000000 00000840 000001C0 00000000000000FA …"`, or returns `nil` if the text is invalid.
    package init?(parsing text: String) {
        let fields = Self.numbers(text)
        guard fields.count >= 4 else { return nil }
        let (priming, remainder, valid) = (fields[1], fields[2], fields[3])
        // The sum must not overflow.
        guard priming >= 0, remainder >= 0, valid >= 0, max(priming, remainder, valid) <= Int.max / 4,
            max(priming, remainder) <= Int(clamping: UInt32.max)
        else { return nil }
        info = GaplessInfo(primingFrames: priming, validFrames: valid, remainderFrames: remainder)
    }

    /// Returns the space-separated hexadecimal numbers of a text, with -1 for invalid ones.
    private static func numbers(_ text: String) -> [Int] {
        var fields: [Int] = []
        var isInside = false
        for byte in text.utf8 {
            guard byte != UInt8(ascii: " ") else {
                isInside = false
                continue
            }
            if !isInside { fields.append(0) }
            isInside = true
            let value = fields[fields.count - 1]
            let digit = hexadecimalDigits.firstIndex(of: byte >= UInt8(ascii: "a") ? byte - 32 : byte)
            fields[fields.count - 1] = digit.flatMap { value < 0 || value > Int.max >> 4 ? nil : value << 4 | $0 } ?? -1
        }
        return fields
    }

    package func serialized() -> String {
        var bytes: [UInt8] = []
        Self.append(0, digitCount: 8, to: &bytes)
        Self.append(info.primingFrames, digitCount: 8, to: &bytes)
        Self.append(info.remainderFrames, digitCount: 8, to: &bytes)
        Self.append(info.validFrames, digitCount: 16, to: &bytes)
        for _ in 0..<8 { Self.append(0, digitCount: 8, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a space and the low hexadecimal digits of a number.
    private static func append(_ value: Int, digitCount: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: " "))
        for place in (0..<digitCount).reversed() {
            bytes.append(hexadecimalDigits[Int(truncatingIfNeeded: Int64(value) >> Int64(4 * place)) & 15])
        }
    }

    private static let hexadecimalDigits = [UInt8]("0123456789ABCDEF".utf8)
}
