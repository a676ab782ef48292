// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport

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
            AudioFileFormat(pcmPath: name) ?? .wav, sampleFormat: sampleFormat, sampleRate: sampleRate, channelCount: channels,
            channelLayout: layout)
        let writer = try PCMFileWriter(descriptor: descriptor, name: name, format: format)
        if frames > 0 { try writer.append(testSignal(frames: frames, channels: channels, sampleRate: sampleRate)) }
        try writer.finish()
        return path(name)
    }
}
