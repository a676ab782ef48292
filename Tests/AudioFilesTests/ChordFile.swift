// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport

/// A chord with a slow crescendo, as headerless 16-bit PCM, and encoded files of it.
struct ChordFile {
    let sampleRate: Int
    let channelCount: Int
    /// Interleaved little-endian samples.
    let bytes: [UInt8]

    init(sampleRate: Int = 22_050, channelCount: Int = 2, frameCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        bytes = chordBytes(sampleRate: sampleRate, channelCount: channelCount, frameCount: frameCount)
    }

    /// A configuration that reads the signal and encodes it with fast effort at constant quality.
    var configuration: FileConverterConfiguration {
        var configuration = FileConverterConfiguration()
        configuration.raw = AudioFormat(.int16, sampleRate: sampleRate, channelCount: channelCount)
        configuration.settings.effort = .fast
        configuration.settings.rateControl = .variable(quality: 60)
        configuration.overwrites = true
        return configuration
    }

    func bytes(of frames: Range<Int>) -> [UInt8] {
        Array(bytes[frames.lowerBound * channelCount * 2..<frames.upperBound * channelCount * 2])
    }
}

/// Decodes a whole file to one array per channel.
func decodedChannels(_ path: String, range: Range<Duration>? = nil) throws -> [[Float]] {
    var configuration = FileDecoderConfiguration()
    configuration.range = range
    let decoder = try FileDecoder(path: path, configuration: configuration)
    var channels: [[Float]] = []
    while let buffer = try decoder.next() {
        if channels.isEmpty { channels = Array(repeating: [], count: buffer.channelCount) }
        for channel in channels.indices { channels[channel] += buffer.channel(channel) }
    }
    return channels
}

/// Returns the maximum absolute difference of two signals; infinite if their lengths differ.
func maximumDifference(_ first: [[Float]], _ second: [[Float]]) -> Float {
    guard first.map(\.count) == second.map(\.count) else { return .infinity }
    return zip(first, second).map { zip($0, $1).map { abs($0 - $1) }.max() ?? 0 }.max() ?? 0
}
