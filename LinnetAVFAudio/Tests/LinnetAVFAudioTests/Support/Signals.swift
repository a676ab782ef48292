// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinnetAVFAudio
import Testing

/// A temporary folder, removed with the object.
final class TemporaryFolder: Sendable {
    private let folder: URL

    init() {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("linnet-avfaudio-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns the URL of a file in the folder.
    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }
}

/// Returns a tone at half of full scale, in a floating-point format.
func tone(_ format: AVAudioFormat, frameCount: Int, hertz: Double = 441) throws -> AVAudioPCMBuffer {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frameCount)))
    buffer.frameLength = AVAudioFrameCount(frameCount)
    let data = try #require(buffer.floatChannelData)
    for channel in 0..<Int(format.channelCount) {
        for frame in 0..<frameCount {
            let phase = 2 * Double.pi * hertz * Double(channel + 1) * Double(frame) / format.sampleRate
            data[channel][frame * buffer.stride] = Float(0.5 * sin(phase))
        }
    }
    return buffer
}

/// Returns the RMS of the first channel.
func level(_ buffer: AVAudioPCMBuffer, from start: Int = 0, count: Int? = nil) -> Float {
    guard let data = buffer.floatChannelData else { return .nan }
    let frames = start..<start + (count ?? Int(buffer.frameLength) - start)
    let sum = frames.reduce(0) { $0 + data[0][$1 * buffer.stride] * data[0][$1 * buffer.stride] }
    return (sum / Float(max(1, frames.count))).squareRoot()
}

struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Returns the next number (SplitMix64).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
