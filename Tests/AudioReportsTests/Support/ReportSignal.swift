// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioMetadata
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport

/// A stereo signal of 48 kHz whose picture is known.
struct ReportSignal {
    static let sampleRate = 48_000
    var channels: [[Float]]

    /// A sweep from 1 to 21 kHz, half as loud on the right, silent from the sixth to the seventh tenth.
    static func sweep(seconds: Double) -> ReportSignal {
        let count = Int(seconds * Double(sampleRate))
        let left = (0..<count).map { frame in
            let time = Double(frame) / Double(sampleRate)
            let phase = 2 * Double.pi * (1000 * time + 10_000 * time * time / seconds)
            let isSilent = frame >= count * 6 / 10 && frame < count * 7 / 10
            return isSilent ? 0 : Float(0.5 * sin(phase))
        }
        return ReportSignal(channels: [left, left.map { 0.5 * $0 }])
    }

    /// The frequency of the sweep in hertz at a part of its duration.
    static func frequency(at part: Double) -> Double { 1000 + 20_000 * part }

    var frameCount: Int { channels[0].count }

    /// Writes the signal as WAV of 32 bits, and returns the path.
    func write(_ folder: TemporaryFolder, _ name: String) throws -> String {
        let path = folder.path(name)
        try Data().write(to: URL(fileURLWithPath: path))
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let format = PCMOutputFormat(.wav, sampleFormat: .float32, sampleRate: Self.sampleRate, channelCount: channels.count)
        let writer = try PCMFileWriter(descriptor: handle.fileDescriptor, name: path, format: format)
        var buffer = PCMBuffer(sampleRate: Self.sampleRate, channelCount: channels.count, frameCapacity: frameCount)
        for channel in channels.indices {
            for frame in 0..<frameCount { buffer.samples[channel * frameCount + frame] = channels[channel][frame] }
        }
        try writer.append(buffer)
        try writer.finish()
        try handle.close()
        return path
    }

    /// Writes the signal as WAV, encodes it, and returns both paths.
    func encode(_ folder: TemporaryFolder, to name: String) throws -> (wave: String, coded: String) {
        let wave = try write(folder, "signal.wav")
        var configuration = FileConverterConfiguration()
        configuration.tags.title = name.hasSuffix(".aac") ? nil : "A <b>title</b> & \"more\""
        try FileEncoder(input: wave, output: folder.path(name), configuration: configuration).run()
        return (wave, folder.path(name))
    }
}
