// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import PCMFiles

/// Detects files with two nearly identical channels, from short windows spread over the file.
struct NearMonoDetector {
    /// The number of windows and the window length in sample frames.
    private static let windowCount = 256
    private static let length = 1024

    /// The maximum side-to-mid energy ratio of a window with nearly identical channels: -20 dB.
    private static let maximumSide: Float = 0.01

    /// One window in this many may exceed the ratio.
    private static let exceptions = 50

    /// Whether the channels of a part of a file are nearly identical.
    ///
    /// The file must allow shared reading.
    static func isNearlyMono(_ input: SharedInput, frames: Range<Int>) throws -> Bool {
        let reader = try input.open()
        guard reader.properties.channelCount == 2 else { return false }
        let frameCount = frames.count
        var buffer = PCMBuffer(sampleRate: reader.properties.sampleRate, channelCount: 2, frameCapacity: length)
        var (audible, wide) = (0, 0)
        let count = min(windowCount, max(1, frameCount / length))
        for window in 0..<count {
            try reader.seek(toFrame: frames.lowerBound + max(0, frameCount - length) * window / max(1, count - 1))
            try reader.read(into: &buffer)
            let (mid, side) = energies(buffer)
            // Signals below one 16-bit step count as silence.
            guard mid + side > Float(buffer.frameCount) / Float(1 << 30) else { continue }
            audible += 1
            if side > maximumSide * mid { wide += 1 }
        }
        return audible > 0 && wide <= audible / exceptions
    }

    /// Returns the energies of sum and difference.
    private static func energies(_ buffer: PCMBuffer) -> (mid: Float, side: Float) {
        var (mid, side) = (Float(0), Float(0))
        for frame in 0..<buffer.frameCount {
            let (left, right) = (buffer.samples[frame], buffer.samples[buffer.frameCapacity + frame])
            mid += (left + right) * (left + right)
            side += (left - right) * (left - right)
        }
        return (mid, side)
    }
}
