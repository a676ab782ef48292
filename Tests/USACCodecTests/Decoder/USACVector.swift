// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport

/// A short stream from `Tests/Vectors/USAC`, with another decoder's samples for some of its frames.
struct USACVector: Sendable {
    let name: String
    let configuration: AudioSpecificConfig
    let accessUnits: [[UInt8]]
    /// The first frame with reference samples.
    let firstFrame: Int
    /// The number of frames with reference samples.
    let frameCount: Int
    /// The reference samples, interleaved, full scale 1.
    let reference: [Float]

    /// The streams, and the minimum ratio of signal to error, in decibels, that the reference permits.
    ///
    /// In `sbr21-32k-m-pvc` the reference computes speech filters in single precision. `VectorTests.highBand` checks the bound above them.
    static let bounds: [(name: String, decibels: Double)] = [
        ("fd-48k-st-nf", 75), ("fd-768-44k-st-cpi", 75), ("rw-24k-cplx", 75), ("rw-768-32k-cplx-shapes", 75), ("sw-24k-m-music", 75),
        ("rl-8k-768", 75), ("rl-24k", 75), ("sbr83-44k-st", 65), ("sbr41-48k-m", 65), ("sbr21-44k-st-tes", 65),
        ("sbr21-48k-st-harm-hq", 65), ("sbr21-44k-st-mps", 65), ("sbr21-32k-m-pvc", 38), ("cr-ext", 75),
    ]

    static let all: [USACVector] = bounds.map { USACVector($0.name) }

    /// Reads a stream.
    ///
    /// After its access units come the reference's frame range, channel count, scale, and 16-bit samples.
    init(_ name: String) {
        let file = USACVectorFile(name)
        guard let configuration = try? AudioSpecificConfig(parsing: file.configuration) else {
            preconditionFailure("\(name): configuration")
        }
        self.name = name
        self.configuration = configuration
        accessUnits = file.accessUnits
        let numbers = stride(from: 0, to: file.rest.count, by: 2).map { UInt16(file.rest[$0]) << 8 | UInt16(file.rest[$0 + 1]) }
        (firstFrame, frameCount) = (Int(numbers[0]), Int(numbers[1]))
        let scale = 1 / Float(32768 << Int(numbers[3]))
        reference = numbers[4...].map { Float(Int16(bitPattern: $0)) * scale }
    }
}
