// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Bands of equal width on the Bark scale.
package struct BarkBands {
    /// The points of a spectrum in each band.
    let points: [Range<Int>]
    /// The middle of each band in Bark.
    package let centers: [Double]
    /// The threshold in quiet of each band as an energy, where 1 is 0 dB of sound pressure level.
    let quiet: [Double]
    /// The lower edge of each band in hertz, and the upper edge of the last.
    package let edges: [Double]

    /// Sound pressure level of a full-scale sine in decibels: an assumption, since the playback level is unknown.
    static let fullScaleLevel = 96.0

    /// Bands for spectra of `size` points at a sample rate; bands narrower than a point are left out.
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

    /// Returns a frequency on Zwicker's scale: 13 atan(0.00076 f) + 3.5 atan((f / 7500)²).
    static func bark(_ hertz: Double) -> Double {
        13 * atan(0.00076 * hertz) + 3.5 * atan((hertz / 7500) * (hertz / 7500))
    }

    /// Returns Terhardt's threshold in quiet in decibels of sound pressure level, at most 96.
    static func thresholdInQuiet(_ hertz: Double) -> Double {
        let f = max(0.02, hertz / 1000)
        return min(96, 3.64 * pow(f, -0.8) - 6.5 * exp(-0.6 * (f - 3.3) * (f - 3.3)) + 0.001 * f * f * f * f)
    }

    /// Returns the size of a frame of about 20 ms: 1024 at 44.1 and 48 kHz.
    package static func frameSize(sampleRate: Int) -> Int {
        var size = 256
        while size < sampleRate * 16 / 1000 { size *= 2 }
        return size
    }
}
