// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport

/// Returns a different tone in each channel, with noise; the same in every run.
func testSignal(frames: Int, channels: Int, sampleRate: Int = 44_100) -> PCMBuffer {
    var random = SeededRandom(seed: 11)
    var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channels, frameCapacity: frames)
    for channel in 0..<channels {
        let step = 2 * Float.pi * Float(300 + 170 * channel) / Float(sampleRate)
        let start = buffer.range(ofChannel: channel).lowerBound
        for frame in 0..<frames {
            buffer.samples[start + frame] = 0.4 * sin(step * Float(frame)) + 0.1 * Float.random(in: -1...1, using: &random)
        }
    }
    return buffer
}

extension TemporaryFolder {
    /// Writes a test signal as a PCM file, by default 16-bit WAV, and returns its path.
    @discardableResult
    func writeSignal(
        _ name: String, frames: Int = 22_050, channels: Int = 2, sampleRate: Int = 44_100, sampleFormat: SampleFormat = .int16,
        layout: ChannelLayout? = nil
    ) throws -> String {
        let descriptor = open(path(name), O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { close(descriptor) }
        let format = PCMOutputFormat(
            PCMFileFormat(path: name) ?? .wav, sampleFormat: sampleFormat, sampleRate: sampleRate, channelCount: channels,
            channelLayout: layout)
        let writer = try PCMFileWriter(descriptor: descriptor, name: name, format: format)
        if frames > 0 { try writer.append(testSignal(frames: frames, channels: channels, sampleRate: sampleRate)) }
        try writer.finish()
        return path(name)
    }
}
