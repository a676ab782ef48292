// SPDX-License-Identifier: Apache-2.0

import AudioMeasures
import JSONText

/// A row of the table: measurements of a band one Bark wide.
struct CompareBand {
    /// The frequency range, in hertz.
    let range: Range<Double>
    /// The mean noise-to-mask ratio of each signal, in decibels.
    let noiseToMaskRatio: [Double]
    /// The stereo image errors; `nil` if they cannot be measured.
    let image: StereoImage.Errors?

    /// Returns all rows, each from two bands of the meter.
    static func all(_ comparison: SignalComparison) -> [CompareBand] {
        let measure = comparison.noiseToMaskRatio
        let means = measure.maps.map { measure.bandMeans($0) ?? Array(repeating: Double(NoiseToMaskRatio.floor), count: measure.bandCount) }
        return stride(from: 0, to: measure.bandCount, by: 2).map { band in
            let bands = band..<min(band + 2, measure.bandCount)
            let range = measure.bandEdges[bands.lowerBound]..<measure.bandEdges[bands.upperBound]
            return CompareBand(
                range: range, noiseToMaskRatio: means.map { $0[bands].reduce(0, +) / Double(bands.count) },
                image: comparison.stereoImage.flatMap { image($0, around: (range.lowerBound + range.upperBound) / 2) })
        }
    }

    private static func image(_ measure: StereoImage, around hertz: Double) -> StereoImage.Errors? {
        let band = measure.bandEdges.lastIndex { $0 <= hertz } ?? 0
        return band < measure.bands.count ? measure.bands[band] : nil
    }

    /// Returns the JSON name of a signal.
    static func name(_ signal: NoiseToMaskRatio.Signal) -> String {
        switch signal {
        case .channel(let number): "channel\(number + 1)"
        case .mid: "middle"
        case .side: "side"
        }
    }

    /// Returns the name of a signal in the table heading.
    static func shortName(_ signal: NoiseToMaskRatio.Signal) -> String {
        switch signal {
        case .channel(let number): "ch \(number + 1)"
        case .mid: "middle"
        case .side: "side"
        }
    }

    func json(_ signals: [NoiseToMaskRatio.Signal]) -> JSONValue {
        .object([
            ("from", .rounded(range.lowerBound, digits: 0)), ("to", .rounded(range.upperBound, digits: 0)),
            ("noiseToMask", .object(zip(signals, noiseToMaskRatio).map { (Self.name($0), .rounded($1, digits: 2)) })),
            ("imageLevel", image.map { .rounded($0.levelDifference, digits: 2) } ?? .null),
            ("imageCoherence", image.map { .rounded($0.coherence, digits: 4) } ?? .null),
        ])
    }
}
