// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import PCMFiles

/// Looks at places all over a file of two channels: whether they are nearly alike.
struct NearMonoDetector {
    /// Places that are looked at, and sample frames of each.
    private static let placeCount = 256
    private static let length = 1024

    /// The energy of the difference of both channels over that of their sum, up to which a place counts as alike: -20 dB.
    private static let largestSide: Float = 0.01

    /// Places that may have more stereo than that: one in so many.
    private static let exceptions = 50

    /// Whether the channels of a file that allows shared reading are nearly alike.
    static func isNearlyMono(path: String, raw: RawPCMInput?) throws -> Bool {
        let reader = try PCMFileReader(path: path, raw: raw)
        guard reader.properties.channelCount == 2, let frameCount = reader.properties.frameCount else {
            return false
        }
        var buffer = PCMBuffer(sampleRate: reader.properties.sampleRate, channelCount: 2, frameCapacity: length)
        var (heard, wide) = (0, 0)
        let count = min(placeCount, max(1, frameCount / length))
        for place in 0..<count {
            try reader.seek(toFrame: max(0, frameCount - length) * place / max(1, count - 1))
            try reader.read(into: &buffer)
            let (middle, side) = energies(buffer)
            // What is softer than one step of 16 bits is silence.
            guard middle + side > Float(buffer.frameCount) / Float(1 << 30) else { continue }
            heard += 1
            if side > largestSide * middle { wide += 1 }
        }
        return heard > 0 && wide <= heard / exceptions
    }

    /// Energies of the sum and of the difference.
    private static func energies(_ buffer: PCMBuffer) -> (middle: Float, side: Float) {
        var (middle, side) = (Float(0), Float(0))
        for frame in 0..<buffer.frameCount {
            let (left, right) = (buffer.samples[frame], buffer.samples[buffer.frameCapacity + frame])
            middle += (left + right) * (left + right)
            side += (left - right) * (left - right)
        }
        return (middle, side)
    }
}
