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
    /// For every four bands, the fractions of each band's energy that reach them.
    ///
    /// The fractions that reach one band have the sum 1.
    private let spreading: [SIMD4<Double>]
    /// The attenuation of masking between mid and side in each band.
    private let levelDifferences: [Double]
    private var last: [SpectralPoint]
    private var secondLast: [SpectralPoint]

    /// The energies of the current frame by band.
    package private(set) var energies: [Double]
    /// The thresholds of the current frame by band, at least the threshold in quiet.
    package private(set) var thresholds: [Double]

    /// Creates a model for Hann-windowed spectra of `size` points.
    package init(bands: BarkBands, size: Int) {
        self.bands = bands
        scale = Self.scale(size: size)
        let rows = bands.centers.map { target in
            let row = bands.centers.map { masker in
                Decibels.ratio(-(target < masker ? Self.downwardSlope * (masker - target) : Self.upwardSlope * (target - masker)))
            }
            let sum = row.reduce(0, +)
            return row.map { $0 / sum }
        }
        spreading = stride(from: 0, to: rows.count, by: 4).flatMap { first in
            rows.indices.map { masker in
                var fractions = SIMD4<Double>.zero
                for target in first..<min(first + 4, rows.count) { fractions[target - first] = rows[target][masker] }
                return fractions
            }
        }
        levelDifferences = bands.centers.map { Self.maskingLevelDifference(bark: $0) }
        last = Array(repeating: SpectralPoint(real: 0, imaginary: 0), count: size / 2 + 1)
        secondLast = last
        energies = Array(repeating: 0, count: bands.points.count)
        thresholds = energies
    }

    /// Returns the factor that gives the three points of a full-scale sine (1/4, 1 and 1/4 of (size / 4)²) the assumed level.
    static func scale(size: Int) -> Double {
        let peak = Double(size) / 4
        return Decibels.ratio(BarkBands.fullScaleLevel) / (1.5 * peak * peak)
    }

    package mutating func advance(_ spectrum: HalfSpectrum) {
        var surprises = [Double](repeating: 0, count: bands.points.count)
        for band in bands.points.indices {
            let sums = Self.sums(of: spectrum, in: bands.points[band], after: last, &secondLast)
            energies[band] = sums.power * scale
            surprises[band] = sums.surprise * scale
        }
        let excitations = spread(energies)
        surprises = spread(surprises)
        for band in bands.points.indices {
            guard excitations[band] > 0 else {
                thresholds[band] = bands.quiet[band]
                continue
            }
            let tonality = min(1, max(0, -0.299 - 0.43 * log(max(1e-9, surprises[band] / excitations[band]))))
            let offset = Self.toneOffset * tonality + Self.noiseOffset * (1 - tonality)
            thresholds[band] = max(bands.quiet[band], excitations[band] * Decibels.ratio(-offset))
        }
        swap(&last, &secondLast)
    }

    /// The threshold in quiet of each band.
    var quiet: [Double] { bands.quiet }

    /// Returns the energies of another signal by band.
    func energies(of spectrum: HalfSpectrum) -> [Double] {
        bands.points.map { range in range.reduce(0) { $0 + spectrum.power($1) } * scale }
    }

    private func spread(_ energies: [Double]) -> [Double] {
        var result = energies
        for first in stride(from: 0, to: energies.count, by: 4) {
            let row = first / 4 * energies.count
            var sums = SIMD4<Double>.zero
            for masker in energies.indices { sums += spreading[row + masker] * energies[masker] }
            for target in first..<min(first + 4, energies.count) { result[target] = sums[target - first] }
        }
        return result
    }

    /// Returns the power of a band and the part of it that the previous two frames do not predict, and replaces the older frame.
    private static func sums(
        of spectrum: HalfSpectrum, in points: Range<Int>, after last: [SpectralPoint], _ secondLast: inout [SpectralPoint]
    ) -> (power: Double, surprise: Double) {
        var (sum, surprise) = (0.0, 0.0)
        let (real, imaginary) = (spectrum.real, spectrum.imaginary)
        for index in points {
            let point = SpectralPoint(real: real[index], imaginary: imaginary[index])
            sum += point.power
            surprise += point.power * point.distance(fromPredictionBy: last[index], secondLast[index])
            secondLast[index] = point
        }
        return (sum, surprise)
    }

    /// Raises the thresholds by the masking of the other signal of a pair: mid and side mask each other, less so in low bands.
    mutating func raise(by other: [Double]) {
        for band in thresholds.indices {
            thresholds[band] = max(thresholds[band], other[band] * levelDifferences[band])
        }
    }

    /// Returns the attenuation of masking between mid and side: -25 dB at 0 Bark, 0 dB from 15.5 Bark.
    static func maskingLevelDifference(bark: Double) -> Double {
        pow(10, 1.25 * (1 - cos(Double.pi * min(bark, 15.5) / 15.5)) - 2.5)
    }
}

private struct SpectralPoint {
    private let real: Double
    private let imaginary: Double
    let power: Double
    private let magnitude: Double
    /// The real and the imaginary part divided by the magnitude.
    private let cosine: Double
    private let sine: Double

    init(real: Double, imaginary: Double) {
        (self.real, self.imaginary) = (real, imaginary)
        power = real * real + imaginary * imaginary
        magnitude = power.squareRoot()
        (cosine, sine) = (real / magnitude, imaginary / magnitude)
    }

    /// Returns the distance from the prediction by the two points before: 0 for a steady tone, near 1 for noise.
    ///
    /// Magnitude and phase are predicted to change by as much as they did.
    func distance(fromPredictionBy last: SpectralPoint, _ secondLast: SpectralPoint) -> Double {
        guard last.magnitude > 0, secondLast.magnitude > 0 else { return 1 }
        let predicted = 2 * last.magnitude - secondLast.magnitude
        // Twice the last phase, less the phase before.
        let (doubleCosine, doubleSine) = (last.cosine * last.cosine - last.sine * last.sine, 2 * last.cosine * last.sine)
        let realError = real - predicted * (doubleCosine * secondLast.cosine + doubleSine * secondLast.sine)
        let imaginaryError = imaginary - predicted * (doubleSine * secondLast.cosine - doubleCosine * secondLast.sine)
        let scale = magnitude + abs(predicted)
        return scale > 0 ? (realError * realError + imaginaryError * imaginaryError).squareRoot() / scale : 1
    }
}
