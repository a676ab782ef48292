// SPDX-License-Identifier: Apache-2.0

internal import AudioMeasures

/// A color of eight bits per component.
package struct RGBColor: Hashable, Sendable {
    /// The components, 0 to 255.
    package let red, green, blue: UInt8

    /// Creates a color from its hexadecimal number.
    package init(_ number: Int) {
        (red, green, blue) = (UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255))
    }

    /// Creates the color between two others, at the fraction `part`.
    init(_ first: RGBColor, _ second: RGBColor, part: Double) {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8((Double(a) + (Double(b) - Double(a)) * part).rounded()) }
        (red, green, blue) = (mix(first.red, second.red), mix(first.green, second.green), mix(first.blue, second.blue))
    }

    /// The color in SVG and CSS.
    var text: String {
        let digits = String(Int(red) << 16 | Int(green) << 8 | Int(blue), radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// A color scale whose lightness is monotonic, so that it is readable without hues.
package struct ColorMap: Sendable {
    /// The values of the first and last color.
    let range: ClosedRange<Double>
    /// Colors of equal steps.
    package let colors: [RGBColor]

    /// Creates a scale through equidistant colors.
    package init(_ stops: [Int], range: ClosedRange<Double>, count: Int) {
        let stops = stops.map { RGBColor($0) }
        self.range = range
        colors = (0..<count).map { index in
            let position = Double(index) / Double(max(1, count - 1)) * Double(stops.count - 1)
            let first = min(stops.count - 2, Int(position))
            return RGBColor(stops[first], stops[first + 1], part: position - Double(first))
        }
    }

    /// Creates a scale with given colors.
    init(colors: [Int], range: ClosedRange<Double>) {
        self.range = range
        self.colors = colors.map { RGBColor($0) }
    }

    /// Points of the scale "viridis" by Stéfan van der Walt and Nathaniel Smith (public domain), preceded by black for silence.
    package static let viridis = [
        0x000004, 0x1C0730, 0x440154, 0x482475, 0x414487, 0x355F8D, 0x2A788E, 0x21918C, 0x22A884, 0x44BF70, 0x7AD151, 0xBDDF26, 0xFDE725,
    ]

    /// Blue below the mask, and yellow to red above it, as in `linnet compare --drawing`.
    static let noiseToMaskRatio = NoiseToMaskPicture.colors.map { Int($0.dropFirst(), radix: 16) ?? 0 }

    func index(_ value: Double) -> UInt8 {
        guard value > range.lowerBound else { return 0 }
        let part = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        return UInt8(min(Double(colors.count - 1), part * Double(colors.count)))
    }
}
