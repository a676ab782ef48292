// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The text representations of a gain in ReplayGain and Opus.
extension AudioTags.ReplayGain {
    /// The difference between the reference levels of ReplayGain 2 (-18 LUFS) and Opus (-23 LUFS), in decibels.
    private static let opusOffset = 5.0
    /// The range of 16-bit Opus gains, in decibels.
    private static let opusRange = -128.0...127.99

    /// The gain as text, such as `-3.21 dB`.
    var gainText: String { (gain < 0 ? "-" : "+") + Self.fixed(abs(gain), digits: 2) + " dB" }

    /// The peak as text such as `0.987654`, if known.
    var peakText: String? { peak.map { Self.fixed($0, digits: 6) } }

    /// The Opus gain (`R128_TRACK_GAIN`, RFC 7845, 5.2.1), in 1/256 dB relative to -23 LUFS.
    var opusText: String {
        let decibels = min(max(gain - Self.opusOffset, Self.opusRange.lowerBound), Self.opusRange.upperBound)
        return String(Int((decibels * 256).rounded()))
    }

    /// Parses an Opus gain, or returns `nil` if the text is not a 16-bit number.
    init?(opusText: String) {
        guard let value = Int16(opusText) else { return nil }
        self.init(gain: Double(value) / 256 + Self.opusOffset, peak: nil)
    }

    /// Parses a number, which can have a unit, or returns `nil` if the text does not start with a number below 1000.
    ///
    /// Ignores digits after the ninth decimal place. Embedded Swift lacks the standard library's conversion.
    package static func number(_ text: String) -> Double? {
        var digits = text.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "+") }
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        let whole = digits.prefix(while: isDigit)
        let rest = digits[whole.endIndex...]
        let fraction = rest.first == UInt8(ascii: ".") ? rest.dropFirst().prefix(while: isDigit).prefix(9) : rest.prefix(0)
        guard !(whole.isEmpty && fraction.isEmpty) else { return nil }
        var value: Int64 = 0
        for digit in whole {
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
            guard value < 1000 else { return nil }
        }
        var scale: Int64 = 1
        for digit in fraction {
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
            scale *= 10
        }
        // Both are exact, so the quotient is rounded correctly.
        let magnitude = Double(value) / Double(scale)
        return isNegative ? -magnitude : magnitude
    }

    /// Formats a non-negative number, limited to a million, with fixed decimal places.
    private static func fixed(_ value: Double, digits: Int) -> String { DecimalText.fixed(min(value, 1e6), digits: digits) ?? "0" }
}
