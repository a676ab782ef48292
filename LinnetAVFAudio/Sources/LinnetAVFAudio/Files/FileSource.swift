// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if !canImport(Darwin)
internal import AudioContainers
internal import AudioFiles
internal import AudioPrimitives
internal import CLinnetAudioTypes
internal import Foundation
internal import PCMFiles

/// A file that is read as 32-bit floating point.
final class FileSource {
    /// The format of the audio in the file.
    let fileFormat: AVAudioFormat
    /// The speakers of the decoded channels, if they are known.
    let channelLayout: ChannelLayout?
    /// The number of sample frames, at ``sampleRate``.
    let length: Int

    private let file: PlayableFile
    private var buffer: PCMBuffer
    /// Whether the file has to be moved to ``position`` before the next read.
    private var isMoved = false
    /// The sample frame that is read next.
    var position = 0 {
        didSet { isMoved = true }
    }

    private static let bufferFrames = 16_384

    /// Opens a file.
    init(path: String) throws {
        file = try PlayableFile(path: path)
        buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: Self.bufferFrames)
        let description = try FileDescription(path: path, sampleRate: file.sampleRate, channelCount: file.channelCount)
        fileFormat = description.format
        channelLayout = description.channelLayout
        length = try file.frameCount ?? description.countFrames()
    }

    /// The sample rate of the decoded audio in hertz.
    var sampleRate: Int { file.sampleRate }
    /// The number of decoded channels.
    var channelCount: Int { file.channelCount }

    /// Reads frames.
    ///
    /// - Parameters:
    ///   - count: The number of frames to read.
    ///   - body: Receives the frames and the number of frames before them.
    /// - Returns: The number of frames read; fewer than `count` only at the end.
    func read(_ count: Int, _ body: (PCMBuffer, Int) -> Void) throws -> Int {
        try move()
        var done = 0
        while done < count {
            let step = min(count - done, Self.bufferFrames)
            // A part of a buffer is read into one of its size.
            if step < Self.bufferFrames {
                var part = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: step)
                try file.read(into: &part)
                body(part, done)
                done += part.frameCount
                if part.frameCount < step { break }
            } else {
                try file.read(into: &buffer)
                body(buffer, done)
                done += buffer.frameCount
                if buffer.frameCount < step { break }
            }
        }
        position += done
        isMoved = false
        return done
    }

    /// Seeks if the position was set.
    private func move() throws {
        guard isMoved else { return }
        guard try file.seek(toFrame: position) else {
            throw NSError(avfaudio: kAudioFilePositionError, "the file can only be read forwards")
        }
        isMoved = false
    }
}
#endif
