// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
/// Audio that a player plays in one piece.
final class PlayerSegment {
    /// The frame of the player at which the segment begins; nil for as soon as possible.
    let startFrame: AVAudioFramePosition?
    /// The moment at which ``completion`` is called.
    let callbackType: AVAudioPlayerNodeCompletionCallbackType
    /// Called when the segment is done.
    let completion: () -> Void
    /// Whether the segment ends when its audio ends, although it is repeated.
    var endsAtLoop = false {
        didSet { source.isLooping = source.isLooping && !endsAtLoop }
    }

    private let source: any PlayerSource
    private var converter: AVAudioConverter?

    /// Whether all audio has been read.
    private(set) var isAtEnd = false

    /// Creates a segment.
    init(
        _ source: any PlayerSource, startFrame: AVAudioFramePosition?, callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completion: @escaping () -> Void
    ) {
        self.source = source
        self.startFrame = startFrame
        self.callbackType = callbackType
        self.completion = completion
    }

    /// Writes the next frames to a buffer from a frame on, converted to its format.
    ///
    /// - Returns: The number of frames; fewer than there is room for only at the end.
    func read(into buffer: AVAudioPCMBuffer, from first: Int) -> Int {
        let wanted = Int(buffer.frameLength) - first
        guard wanted > 0, !isAtEnd else { return 0 }
        guard let part = AVAudioPCMBuffer(pcmFormat: buffer.format, frameCapacity: AVAudioFrameCount(wanted)) else {
            isAtEnd = true
            return 0
        }
        let isConverted = source.format != buffer.format
        if !isConverted {
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
        // What a converter holds back shows only when it is asked for more.
        isAtEnd = Int(part.frameLength) < wanted || !isConverted && source.isAtEnd
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
    /// Whether there are no more frames.
    var isAtEnd: Bool { get }
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
    var isAtEnd: Bool { position == Int(buffer.frameLength) && !isLooping }

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
        position = min(max(0, startFrame), file.length)
        end = position + min(file.length - position, AVAudioFramePosition(frameCount))
    }

    var format: AVAudioFormat { file.processingFormat }
    var isAtEnd: Bool { position >= end }

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
