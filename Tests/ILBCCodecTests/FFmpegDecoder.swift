// SPDX-License-Identifier: Apache-2.0

import Foundation
import ILBCCodec
import TestSupport

/// FFmpeg's iLBC decoder, which uses 16-bit arithmetic, has no enhancer and always removes low frequencies.
struct FFmpegDecoder {
    let program: String

    /// The number of initial frames that FFmpeg 5.1 decodes with an unstable filter, whose output saturates.
    static let unstableFrameCount = 4

    init() throws { program = try ProgramRun.require("ffmpeg") }

    func decode(_ frames: [[UInt8]], mode: ILBCMode) throws -> [Float] {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("#!iLBC\(mode.milliseconds)\n".utf8) + frames.joined(), to: "stream.lbc")
        let run = try ProgramRun(program, ["-v", "error", "-f", "ilbc", "-i", path, "-f", "s16le", "-"])
        return stride(from: 0, to: run.output.count - 1, by: 2).map {
            Float(Int16(bitPattern: UInt16(run.output[$0]) | UInt16(run.output[$0 + 1]) << 8))
        }
    }

    /// Returns our samples after a high-pass filter with 12 fractional coefficient bits, like FFmpeg's.
    static func comparable(_ samples: [Float]) -> [Float] {
        let zeros: [Float] = [3849 / 4096, -7699 / 4096, 3849 / 4096]
        let poles: [Float] = [-7918 / 4096, 3833 / 4096]
        var (inputs, outputs): ([Float], [Float]) = ([0, 0], [0, 0])
        return samples.map { sample in
            let output = zeros[0] * sample + zeros[1] * inputs[0] + zeros[2] * inputs[1] - poles[0] * outputs[0] - poles[1] * outputs[1]
            inputs = [sample, inputs[0]]
            outputs = [output, outputs[0]]
            return max(-32768, min(32767, output))
        }
    }

    /// Returns the signal-to-difference ratios of both decoders in dB: for all samples after the first frames, and for each frame.
    func agreement(on frames: [[UInt8]], mode: ILBCMode) throws -> (all: Float, frames: [Float], sampleCounts: (Int, Int)) {
        let ours = Self.comparable(try mode.decode(frames))
        let theirs = try decode(frames, mode: mode)
        let length = mode.samplesPerFrame
        let ratios = stride(from: Self.unstableFrameCount * length, through: min(ours.count, theirs.count) - length, by: length).map {
            SignalDistance.signalToNoise(theirs[$0..<$0 + length], ours[$0..<$0 + length])
        }
        let skipped = Self.unstableFrameCount * length
        return (SignalDistance.signalToNoise(theirs.dropFirst(skipped), ours.dropFirst(skipped)), ratios, (ours.count, theirs.count))
    }
}
