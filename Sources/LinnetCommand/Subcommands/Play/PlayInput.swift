// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives
import LiveStreaming
import PCMFiles
import Synchronization

/// A time range of a file or stream to play.
///
/// The player's thread reads it. ``endTime`` and ``stream`` can be used from any thread.
final class PlayInput: PlayableSource, @unchecked Sendable {
    /// The stream; `nil` for a file.
    let stream: RTPSource?
    /// The file; `nil` for a stream.
    let file: CheckedFile?

    private let source: any PlayableSource
    private let endFrame: Int
    /// The path of a partly played file, until its first frames are read.
    private var unreadPath: String?
    private let reachedFrame = Atomic<Int>(0)

    /// Opens a file or session description.
    init(_ path: String, _ arguments: ParsedArguments) throws {
        let range = try arguments.durationRange()
        let track = try AudioTrackOption.choice(arguments)
        stream = try RTPInput.source(path, arguments, isPaced: true)
        var decoding = FileDecoderConfiguration()
        decoding.audioTrack = track
        try LoudnessOptions.apply(arguments, to: &decoding)
        for option in LoudnessOptions.decoding where stream != nil && arguments.has(option.name) {
            throw arguments.failure("--\(option.name) applies to files only; \(path) describes a stream")
        }
        let source: any PlayableSource
        if let stream {
            (file, source) = (nil, stream)
        } else {
            let checked = CheckedFile(try AudioFile(path: path, decoding: decoding))
            (file, source) = (checked, checked)
        }
        self.source = source
        unreadPath = stream == nil && range != nil ? path : nil
        endFrame = range.map { $0.upperBound.frameCount(atRate: source.sampleRate) } ?? .max
        if let start = range?.lowerBound, start > .zero {
            guard source.canSeek else { throw CommandFailure(.unsuitableInput, "\(path) is not seekable") }
            try source.seek(toFrame: start.frameCount(atRate: source.sampleRate))
        }
    }

    /// The time up to which the input was read.
    var endTime: Duration { .seconds(Double(reachedFrame.load(ordering: .relaxed)) / Double(sampleRate)) }

    var sampleRate: Int { source.sampleRate }
    var channelCount: Int { source.channelCount }
    var channelLayout: ChannelLayout? { source.channelLayout }
    /// The length of the whole input, in sample frames.
    var frameCount: Int? { source.frameCount }
    /// The index of the next frame.
    var position: Int { min(source.position, endFrame) }

    /// Reads the next frames of the range.
    func read(into buffer: inout PCMBuffer) throws(AudioFileError) -> Bool {
        if source.position < endFrame { try source.read(into: &buffer) } else { buffer.frameCount = 0 }
        buffer.frameCount = max(0, buffer.frameCount - max(0, source.position - endFrame))
        reachedFrame.store(position, ordering: .relaxed)
        if buffer.frameCount > 0 {
            unreadPath = nil
        } else if let unreadPath {
            throw AudioFileError(.emptyRange, path: unreadPath)
        }
        return buffer.frameCount > 0
    }

    var canSeek: Bool { source.canSeek }
    func seek(toFrame frame: Int) throws(AudioFileError) { try source.seek(toFrame: frame) }
}
