// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioMeasures

/// A row of the table: a band of one Bark with what was measured in it.
struct CompareBand {
    /// In hertz.
    let range: Range<Double>
    /// Mean noise to mask by signal, in decibels.
    let noiseToMask: [Double]
    /// Errors of the image; nil where there are none to tell.
    let image: StereoImage.Errors?

    /// Two of the meter's bands at a time.
    static func all(_ comparison: SoundComparison) -> [CompareBand] {
        let measure = comparison.noiseToMask
        let means = measure.maps.map { measure.bandMeans($0) ?? Array(repeating: Double(NoiseToMask.floor), count: measure.bandCount) }
        return stride(from: 0, to: measure.bandCount, by: 2).map { band in
            let bands = band..<min(band + 2, measure.bandCount)
            let range = measure.bandEdges[bands.lowerBound]..<measure.bandEdges[bands.upperBound]
            return CompareBand(
                range: range, noiseToMask: means.map { $0[bands].reduce(0, +) / Double(bands.count) },
                image: comparison.stereoImage.flatMap { image($0, around: (range.lowerBound + range.upperBound) / 2) })
        }
    }

    private static func image(_ measure: StereoImage, around hertz: Double) -> StereoImage.Errors? {
        let band = measure.bandEdges.lastIndex { $0 <= hertz } ?? 0
        return band < measure.bands.count ? measure.bands[band] : nil
    }

    static func name(_ signal: NoiseToMask.Signal) -> String {
        switch signal {
        case .channel(let number): "channel\(number + 1)"
        case .middle: "middle"
        case .side: "side"
        }
    }

    static func shortName(_ signal: NoiseToMask.Signal) -> String {
        switch signal {
        case .channel(let number): "ch \(number + 1)"
        case .middle: "middle"
        case .side: "side"
        }
    }

    func json(_ signals: [NoiseToMask.Signal]) -> JSONValue {
        .object([
            ("from", .rounded(range.lowerBound, digits: 0)), ("to", .rounded(range.upperBound, digits: 0)),
            ("noiseToMask", .object(zip(signals, noiseToMask).map { (Self.name($0), .rounded($1, digits: 2)) })),
            ("imageLevel", image.map { .rounded($0.levelDifference, digits: 2) } ?? .null),
            ("imageCoherence", image.map { .rounded($0.coherence, digits: 4) } ?? .null),
        ])
    }
}
