// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Priming, remainder and length as iTunes writes them among the tags (`iTunSMPB`).
struct ITunesGapless: Equatable {
    /// The name of the tag.
    static let name = "iTunSMPB"

    /// The account of sample frames.
    var info: GaplessInfo

    /// Creates the tag.
    init(_ info: GaplessInfo) { self.info = info }

    /// Parses `" 00000000 00000840 000001C0 00000000000000FA …"`; nil if that is not what it is.
    init?(parsing text: String) {
        let fields = text.split(separator: " ")
        guard fields.count >= 4, let priming = Int(fields[1], radix: 16), let remainder = Int(fields[2], radix: 16),
            let valid = Int(fields[3], radix: 16), priming >= 0, remainder >= 0, valid >= 0,
            max(priming, remainder) <= Int(clamping: UInt32.max), valid <= Int.max / 4
        else { return nil }
        info = GaplessInfo(primingFrames: priming, validFrames: valid, remainderFrames: remainder)
    }

    /// The text of the tag.
    func serialized() -> String {
        let fields = [(0, 8), (info.primingFrames, 8), (info.remainderFrames, 8), (info.validFrames, 16)]
        let unused = repeatElement((0, 8), count: 8)
        return (fields + unused).map { " " + Self.hexadecimal($0.0, $0.1) }.joined()
    }

    /// Returns a number in hexadecimal with leading zeros.
    private static func hexadecimal(_ value: Int, _ digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
