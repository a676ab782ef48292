// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives
import PCMFiles

/// A source whose samples are consecutive numbers.
final class CountedSource: PlayableSource {
    let sampleRate: Int
    let channelCount: Int
    let channelLayout: ChannelLayout?
    private let length: Int
    private let first: Int
    let canSeek: Bool
    private let failureFrame: Int?
    private let eventFrame: Int
    private var event: (() -> Void)?
    private(set) var position = 0

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - length: The number of frames.
    ///   - first: The first number.
    ///   - failureFrame: The frame at which reading fails.
    ///   - eventFrame: The frame from which the next read triggers the event.
    ///   - event: Called once, on the player's thread.
    init(
        _ length: Int, from first: Int = 1, rate: Int = 48_000, channels: Int = 2, layout: ChannelLayout? = nil, canSeek: Bool = true,
        failureFrame: Int? = nil, at eventFrame: Int = 0, event: (() -> Void)? = nil
    ) {
        self.length = length
        self.first = first
        sampleRate = rate
        channelCount = channels
        channelLayout = layout
        self.canSeek = canSeek
        self.failureFrame = failureFrame
        self.eventFrame = eventFrame
        self.event = event
    }

    var frameCount: Int? { canSeek ? length : nil }

    /// Returns the samples of some frames, interleaved.
    static func samples(_ frames: Range<Int>, from first: Int = 1, channels: Int = 2) -> [Float] {
        (frames.lowerBound * channels..<frames.upperBound * channels).map { Float(first + $0) }
    }

    func read(into buffer: inout PCMBuffer) throws(AudioFileError) -> Bool {
        if position >= eventFrame {
            event?()
            event = nil
        }
        if let failureFrame, position >= failureFrame { throw AudioFileError(.damagedInput, path: "counted") }
        buffer.frameCount = min(buffer.frameCapacity, length - position)
        for channel in 0..<channelCount {
            var samples = buffer.mutableChannel(channel)
            for frame in samples.indices { samples[frame] = Float(first + (position + frame) * channelCount + channel) }
        }
        position += buffer.frameCount
        return buffer.frameCount > 0
    }

    func seek(toFrame frame: Int) { position = min(frame, length) }
}
