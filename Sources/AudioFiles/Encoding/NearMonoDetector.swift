// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import PCMFiles

/// Detects files whose two channels are nearly alike, by short windows all over the file.
struct NearMonoDetector {
    /// The number of windows, and the sample frames of each.
    private static let windowCount = 256
    private static let length = 1024

    /// The largest energy of the difference of both channels relative to that of their sum in a window of like channels: -20 dB.
    private static let largestSide: Float = 0.01

    /// One in so many windows may differ more.
    private static let exceptions = 50

    /// Returns whether the channels of a part of a file, which allows shared reading, are nearly alike.
    static func isNearlyMono(path: String, raw: AudioFormat?, frames: Range<Int>) throws -> Bool {
        let reader = try PCMFileReader.opening(path, raw: raw)
        guard reader.properties.channelCount == 2 else { return false }
        let frameCount = frames.count
        var buffer = PCMBuffer(sampleRate: reader.properties.sampleRate, channelCount: 2, frameCapacity: length)
        var (audible, wide) = (0, 0)
        let count = min(windowCount, max(1, frameCount / length))
        for window in 0..<count {
            try reader.seek(toFrame: frames.lowerBound + max(0, frameCount - length) * window / max(1, count - 1))
            try reader.read(into: &buffer)
            let (middle, side) = energies(buffer)
            // Below one step of 16 bits is silence.
            guard middle + side > Float(buffer.frameCount) / Float(1 << 30) else { continue }
            audible += 1
            if side > largestSide * middle { wide += 1 }
        }
        return audible > 0 && wide <= audible / exceptions
    }

    /// Returns the energies of the sum and of the difference.
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
