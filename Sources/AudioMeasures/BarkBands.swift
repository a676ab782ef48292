// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Bands of equal width on the Bark scale.
package struct BarkBands {
    let points: [Range<Int>]
    /// The center of each band, in Bark.
    package let centers: [Double]
    /// The threshold in quiet of each band, as an energy.
    ///
    /// 1 is 0 dB SPL.
    let quiet: [Double]
    /// The lower edge of each band and the upper edge of the last band, in hertz.
    package let edges: [Double]

    /// The assumed sound pressure level of a full-scale sine, in decibels; the playback level is unknown.
    static let fullScaleLevel = 96.0

    /// Creates the bands for spectra of `size` points.
    ///
    /// Omits bands narrower than one point.
    package init(sampleRate: Int, size: Int, perBark: Int) {
        let spacing = Double(sampleRate) / Double(size)
        var starts: [Int] = []
        var numbers: [Int] = []
        for point in 1...size / 2 {
            let number = Int(Self.bark(Double(point) * spacing) * Double(perBark))
            if numbers.last != number {
                starts.append(point)
                numbers.append(number)
            }
        }
        let ends = starts.dropFirst() + [size / 2 + 1]
        points = zip(starts, ends).map { $0..<$1 }
        centers = points.map { Self.bark(0.5 * Double($0.lowerBound + $0.upperBound - 1) * spacing) }
        quiet = points.map { range in
            Decibels.ratio(range.map { Self.thresholdInQuiet(Double($0) * spacing) }.min() ?? 0)
        }
        edges = starts.map { (Double($0) - 0.5) * spacing } + [Double(sampleRate) / 2]
    }

    /// Converts a frequency to Bark (Zwicker): 13 atan(0.00076 f) + 3.5 atan((f / 7500)²).
    static func bark(_ hertz: Double) -> Double {
        13 * atan(0.00076 * hertz) + 3.5 * atan((hertz / 7500) * (hertz / 7500))
    }

    /// Returns Terhardt's threshold in quiet, in dB SPL, at most 96.
    static func thresholdInQuiet(_ hertz: Double) -> Double {
        let f = max(0.02, hertz / 1000)
        return min(96, 3.64 * pow(f, -0.8) - 6.5 * exp(-0.6 * (f - 3.3) * (f - 3.3)) + 0.001 * f * f * f * f)
    }

    /// Returns a power-of-two frame size of about 20 ms: 1024 at 44.1 and 48 kHz.
    package static func frameSize(sampleRate: Int) -> Int {
        var size = 256
        while size < sampleRate * 16 / 1000 { size *= 2 }
        return size
    }
}
