// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The masking thresholds of a signal: energies and thresholds by band and frame.
///
/// Documentation/Guides/Measuring.md has the formulas.
package struct MaskingModel {
    /// The distance, in decibels, between a tone and the noise that it just masks.
    static let toneOffset = 18.0
    /// The distance, in decibels, between noise and the noise that it just masks.
    package static let noiseOffset = 6.0
    /// The slope of masking towards lower frequencies, in decibels per Bark.
    static let downwardSlope = 27.0
    /// The slope of masking towards higher frequencies, in decibels per Bark.
    static let upwardSlope = 15.0

    private let bands: BarkBands
    /// The factor from a point's power to its energy, where 1 is 0 dB SPL.
    private let scale: Double
    /// The fraction of each band's energy that reaches the band of the row.
    ///
    /// Each row's sum is 1.
    private let spreading: [[Double]]
    private var last: HalfSpectrum
    private var secondLast: HalfSpectrum

    /// The energies of the current frame by band.
    package private(set) var energies: [Double]
    /// The thresholds of the current frame by band, at least the threshold in quiet.
    package private(set) var thresholds: [Double]

    /// Creates a model for Hann-windowed spectra of `size` points.
    package init(bands: BarkBands, size: Int) {
        self.bands = bands
        scale = Self.scale(size: size)
        spreading = bands.centers.map { target in
            let row = bands.centers.map { masker in
                Decibels.ratio(-(target < masker ? Self.downwardSlope * (masker - target) : Self.upwardSlope * (target - masker)))
            }
            let sum = row.reduce(0, +)
            return row.map { $0 / sum }
        }
        let none = [Double](repeating: 0, count: size / 2 + 1)
        last = HalfSpectrum(real: none, imaginary: none)
        secondLast = last
        energies = Array(repeating: 0, count: bands.points.count)
        thresholds = energies
    }

    /// Returns the factor that gives the three points of a full-scale sine (1/4, 1 and 1/4 of (size / 4)²) the assumed level.
    static func scale(size: Int) -> Double {
        let peak = Double(size) / 4
        return Decibels.ratio(BarkBands.fullScaleLevel) / (1.5 * peak * peak)
    }

    /// Returns the energy of each band.
    static func energies(_ spectrum: HalfSpectrum, bands: BarkBands, scale: Double) -> [Double] {
        bands.points.map { range in range.reduce(0) { $0 + spectrum.power($1) } * scale }
    }

    /// Advances to the next frame.
    package mutating func advance(_ spectrum: HalfSpectrum) {
        var surprises = [Double](repeating: 0, count: bands.points.count)
        for band in bands.points.indices {
            var sum = 0.0
            var surprise = 0.0
            for point in bands.points[band] {
                let power = spectrum.power(point)
                sum += power
                surprise += power * unpredictability(spectrum, point)
            }
            energies[band] = sum * scale
            surprises[band] = surprise * scale
        }
        for band in bands.points.indices {
            var sum = 0.0
            var surprise = 0.0
            for masker in spreading[band].indices {
                sum += spreading[band][masker] * energies[masker]
                surprise += spreading[band][masker] * surprises[masker]
            }
            guard sum > 0 else {
                thresholds[band] = bands.quiet[band]
                continue
            }
            let tonality = min(1, max(0, -0.299 - 0.43 * log(max(1e-9, surprise / sum))))
            let offset = Self.toneOffset * tonality + Self.noiseOffset * (1 - tonality)
            thresholds[band] = max(bands.quiet[band], sum * Decibels.ratio(-offset))
        }
        secondLast = last
        last = spectrum
    }

    /// Returns the distance between a point and its prediction from the previous two frames: 0 for a steady tone, near 1 for noise.
    private func unpredictability(_ spectrum: HalfSpectrum, _ point: Int) -> Double {
        let now = spectrum.power(point).squareRoot()
        let before = last.power(point).squareRoot()
        let earlier = secondLast.power(point).squareRoot()
        let magnitude = 2 * before - earlier
        guard before > 0, earlier > 0 else { return 1 }
        // The phase is predicted to advance by as much as it did: (last / |last|)² times the conjugate of secondLast / |secondLast|.
        let (a, b) = (last.real[point] / before, last.imaginary[point] / before)
        let (c, d) = (secondLast.real[point] / earlier, -secondLast.imaginary[point] / earlier)
        let (squareReal, squareImaginary) = (a * a - b * b, 2 * a * b)
        let real = spectrum.real[point] - magnitude * (squareReal * c - squareImaginary * d)
        let imaginary = spectrum.imaginary[point] - magnitude * (squareReal * d + squareImaginary * c)
        let scale = now + abs(magnitude)
        return scale > 0 ? (real * real + imaginary * imaginary).squareRoot() / scale : 1
    }

    /// Raises the thresholds by the masking of the other signal of a pair: mid and side mask each other, less so in low bands.
    mutating func raise(by other: [Double]) {
        for band in thresholds.indices {
            thresholds[band] = max(thresholds[band], other[band] * Self.maskingLevelDifference(bark: bands.centers[band]))
        }
    }

    /// Returns the attenuation of masking between mid and side: -25 dB at 0 Bark, 0 dB from 15.5 Bark.
    static func maskingLevelDifference(bark: Double) -> Double {
        pow(10, 1.25 * (1 - cos(Double.pi * min(bark, 15.5) / 15.5)) - 2.5)
    }
}
