// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Inverse quantisation and noise filling as the standard writes them, in double precision (ISO/IEC 23003-3, 7.1 and 7.2).
///
/// Its faults: noise has the other sign (sign), bands without lines are a step of scale factors louder (index), the band that begins with the first
/// line of noise has none (boundary).
package struct NoiseFillingModel {
    /// The generator of noise.
    package private(set) var seed: UInt32
    private let fault: PlantedFault?

    package init(seed: UInt32, fault: PlantedFault? = nil) {
        self.seed = seed
        self.fault = fault
    }

    /// Returns the lines of a frame, window after window.
    ///
    /// - Parameters:
    ///   - quantized: The quantised lines.
    ///   - groupLengths: The windows of each group.
    ///   - offsets: The first line of each band below `max_sfb`, and the end of the last.
    ///   - scaleFactors: By group and band.
    ///   - firstLine: The line from which on bands have noise.
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
