// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives
import LiveStreaming
import PCMFiles
import Synchronization

/// A file or stream to play, from the start to the end of a range.
///
/// The player's thread reads it; ``endTime`` and ``stream`` may be used from any thread.
final class PlayInput: PlayableSource, @unchecked Sendable {
    /// The stream; nil for a file.
    let stream: RTPSource?

    private let source: any PlayableSource
    private let endFrame: Int
    private let reachedFrame = Atomic<Int>(0)

    /// Opens an input.
    ///
    /// - Parameters:
    ///   - path: The path of a file or of a session description.
    ///   - arguments: The command line.
    init(_ path: String, _ arguments: ParsedArguments) throws {
        let range = try arguments.range()
        stream = try RTPInput.source(path, arguments, isPaced: true)
        let source: any PlayableSource = if let stream { stream } else { try AudioFile(path: path) }
        self.source = source
        /// Returns the frame at a time.
        func frame(_ seconds: Double) -> Int { Duration.seconds(seconds).frameCount(atRate: source.sampleRate) }
        endFrame = range.flatMap { $0.upperBound.isFinite ? frame($0.upperBound) : nil } ?? .max
        if let start = range?.lowerBound, start > 0 {
            guard source.canSeek else { throw CommandFailure(.unsuitableInput, "\(path) can't be read from the middle") }
            try source.seek(toFrame: frame(start))
        }
    }

    /// The time in the input up to which it was read.
    var endTime: Duration { .seconds(Double(reachedFrame.load(ordering: .relaxed)) / Double(sampleRate)) }

    /// The sample rate in hertz.
    var sampleRate: Int { source.sampleRate }
    /// The number of channels.
    var channelCount: Int { source.channelCount }
    /// The speakers of the channels.
    var channelLayout: ChannelLayout? { source.channelLayout }
    /// The length of the whole input.
    var frameCount: Int? { source.frameCount }
    /// The frame that is read next.
    var position: Int { min(source.position, endFrame) }

    /// Reads the next frames before the end of the range.
    func read(into buffer: inout PCMBuffer) throws(AudioFileError) -> Bool {
        if source.position < endFrame { try source.read(into: &buffer) } else { buffer.frameCount = 0 }
        buffer.frameCount = max(0, buffer.frameCount - max(0, source.position - endFrame))
        reachedFrame.store(position, ordering: .relaxed)
        return buffer.frameCount > 0
    }

    /// Whether the input can be read from any frame.
    var canSeek: Bool { source.canSeek }
    /// Moves to a frame.
    func seek(toFrame frame: Int) throws(AudioFileError) { try source.seek(toFrame: frame) }
}
