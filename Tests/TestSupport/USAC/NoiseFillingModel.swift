// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Inverse quantization and noise filling, following the standard's text in double precision (ISO/IEC 23003-3, 7.1 and 7.2).
///
/// Planted faults: noise has the opposite sign (sign). Bands without lines are one scale factor step louder (index). A band that starts at
/// the first noise line has no noise (boundary).
package struct NoiseFillingModel {
    /// The state of the noise generator.
    package private(set) var seed: UInt32
    private let fault: PlantedFault?

    package init(seed: UInt32, fault: PlantedFault? = nil) {
        self.seed = seed
        self.fault = fault
    }

    /// Returns the lines of a frame, window by window.
    ///
    /// - Parameters:
    ///   - quantized: The quantized lines.
    ///   - groupLengths: The number of windows in each group.
    ///   - offsets: The first line of each band below `max_sfb`, and the end of the last band.
    ///   - scaleFactors: By group and band.
    ///   - firstLine: The first line with noise filling.
    package mutating func lines(
        _ quantized: [Int], groupLengths: [Int], offsets: [Int], scaleFactors: [[Int]], level: Int, offset: Int, firstLine: Int
    ) -> [Double] {
        var result = [Double](repeating: 0, count: quantized.count)
        let length = quantized.count / groupLengths.reduce(0, +)
        let noise = level == 0 ? 0 : pow(2, Double(level - 14) / 3)
        var window = 0
        for (group, count) in groupLengths.enumerated() {
            for band in 0..<offsets.count - 1 {
                let places = (window..<window + count).flatMap { w in (offsets[band]..<offsets[band + 1]).map { w * length + $0 } }
                let hasNoise = fault == .boundary ? offsets[band] > firstLine : offsets[band] >= firstLine
                let isEmpty = places.allSatisfy { quantized[$0] == 0 }
                let scaleFactor = scaleFactors[group][band]
                let noiseFactor = scaleFactor + (isEmpty ? offset - (fault == .index ? 15 : 16) : 0)
                for place in places {
                    let q = Double(quantized[place])
                    result[place] = (q < 0 ? -1 : 1) * pow(abs(q), 4 / 3) * pow(2, Double(scaleFactor - 100) / 4)
                    guard q == 0 && hasNoise else { continue }
                    seed = seed &* 69069 &+ 5
                    let isNegative = (seed >> 16 & 1 == 1) != (fault == .sign)
                    result[place] = (isNegative ? -1 : 1) * noise * pow(2, Double(noiseFactor - 100) / 4)
                }
            }
            window += count
        }
        return result
    }
}
