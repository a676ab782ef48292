// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if !canImport(Darwin)
/// Audio that a player plays in one piece.
final class PlayerSegment {
    /// The frame of the player at which the segment begins; nil for as soon as possible.
    let startFrame: AVAudioFramePosition?
    /// Called when the segment is done.
    let completion: () -> Void
    /// Whether the segment ends when its audio ends, although it is repeated.
    var endsAtLoop = false {
        didSet { source.isLooping = source.isLooping && !endsAtLoop }
    }

    private let source: any PlayerSource
    private var converter: AVAudioConverter?
    private var pending: AVAudioPCMBuffer?

    /// Whether all audio has been read.
    private(set) var isAtEnd = false

    /// Creates a segment.
    init(_ source: any PlayerSource, startFrame: AVAudioFramePosition?, completion: @escaping () -> Void) {
        self.source = source
        self.startFrame = startFrame
        self.completion = completion
    }

    /// Writes the next frames to a buffer from a frame on, converted to its format.
    ///
    /// - Returns: The number of frames; fewer than there is room for only at the end.
    func read(into buffer: AVAudioPCMBuffer, from first: Int) -> Int {
        let wanted = Int(buffer.frameLength) - first
        guard wanted > 0, !isAtEnd,
            let part = AVAudioPCMBuffer(pcmFormat: buffer.format, frameCapacity: AVAudioFrameCount(wanted))
        else { return 0 }
        if source.format == buffer.format {
            while Int(part.frameLength) < wanted, let next = source.next(wanted - Int(part.frameLength)) {
                part.append(next, 0..<Int(next.frameLength))
            }
        } else {
            if converter == nil {
                converter = AVAudioConverter(from: source.format, to: buffer.format)
                converter?.downmix = true
            }
            let status = converter?.convert(to: part, error: nil) { [source] needed, status in
                let next = source.next(Int(needed))
                status.pointee = next == nil ? .endOfStream : .haveData
                return next
            }
            if status == nil || status == .error { part.frameLength = 0 }
        }
        isAtEnd = Int(part.frameLength) < wanted
        buffer.replace(from: first, with: part)
        return Int(part.frameLength)
    }
}

/// Audio that a segment consists of.
protocol PlayerSource: AnyObject {
    /// The format of the audio.
    var format: AVAudioFormat { get }
    /// Whether the audio begins again at its end.
    var isLooping: Bool { get set }
    /// Returns at most so many frames; nil at the end.
    func next(_ frameCount: Int) -> AVAudioPCMBuffer?
}

/// The audio of a buffer.
final class PlayerBuffer: PlayerSource {
    private let buffer: AVAudioPCMBuffer
    private var position = 0
    var isLooping: Bool

    /// Creates a source.
    init(_ buffer: AVAudioPCMBuffer, isLooping: Bool) {
        self.buffer = buffer
        self.isLooping = isLooping && buffer.frameLength > 0
    }

    var format: AVAudioFormat { buffer.format }

    /// Returns the next frames.
    func next(_ frameCount: Int) -> AVAudioPCMBuffer? {
        if position == Int(buffer.frameLength), isLooping { position = 0 }
        let count = min(frameCount, Int(buffer.frameLength) - position)
        guard count > 0, let part = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(count)) else { return nil }
        part.append(buffer, position..<position + count)
        position += count
        return part
    }
}

/// The audio of a part of a file.
final class PlayerFile: PlayerSource {
    private let file: AVAudioFile
    private var position: AVAudioFramePosition
    private let end: AVAudioFramePosition
    var isLooping = false

    /// Creates a source.
    init(_ file: AVAudioFile, startFrame: AVAudioFramePosition, frameCount: Int) {
        self.file = file
        position = max(0, startFrame)
        end = min(file.length, position + AVAudioFramePosition(frameCount))
    }

    var format: AVAudioFormat { file.processingFormat }

    /// Returns the next frames; a file that can't be read any more is at its end.
    func next(_ frameCount: Int) -> AVAudioPCMBuffer? {
        let count = min(AVAudioFramePosition(frameCount), end - position)
        guard count > 0, let part = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(count)) else { return nil }
        if file.framePosition != position { file.framePosition = position }
        do { try file.read(into: part, frameCount: AVAudioFrameCount(count)) } catch { return nil }
        position += AVAudioFramePosition(part.frameLength)
        return part
    }
}

extension AVAudioPCMBuffer {
    /// Replaces frames from an index on by those of a buffer of the same format.
    fileprivate func replace(from first: Int, with other: AVAudioPCMBuffer) {
        let bytesPerFrame = Int(format.streamDescription.pointee.mBytesPerFrame)
        for (target, source) in zip(wholeList, other.wholeList) {
            guard let to = target.mData, let from = source.mData else { continue }
            (to + first * bytesPerFrame).copyMemory(from: from, byteCount: Int(other.frameLength) * bytesPerFrame)
        }
    }
}
#endif
