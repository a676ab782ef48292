// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
/// A segment of audio scheduled in a player.
final class PlayerSegment {
    /// The player's frame at which the segment starts; `nil` for as soon as possible.
    let startFrame: AVAudioFramePosition?
    /// When to call ``completion``.
    let callbackType: AVAudioPlayerNodeCompletionCallbackType
    /// Called when the segment is complete.
    let completion: () -> Void
    /// Whether a repeated segment ends at the end of its audio.
    var endsAtLoop = false {
        didSet { source.isLooping = source.isLooping && !endsAtLoop }
    }

    private let source: any PlayerSource
    private var converter: AVAudioConverter?

    /// Whether all audio has been read.
    private(set) var isAtEnd = false

    init(
        _ source: any PlayerSource, startFrame: AVAudioFramePosition?, callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completion: @escaping () -> Void
    ) {
        self.source = source
        self.startFrame = startFrame
        self.callbackType = callbackType
        self.completion = completion
    }

    /// Writes the next frames to a buffer, starting at frame `first`, in the buffer's format.
    ///
    /// - Returns: The number of frames, fewer than the capacity only at the end.
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
        // A converter's remaining output appears only when more is requested.
        isAtEnd = Int(part.frameLength) < wanted || !isConverted && source.isAtEnd
        buffer.replace(from: first, with: part)
        return Int(part.frameLength)
    }
}

/// The audio of a segment.
protocol PlayerSource: AnyObject {
    var format: AVAudioFormat { get }
    /// Whether the audio repeats.
    var isLooping: Bool { get set }
    /// Whether all frames have been read.
    var isAtEnd: Bool { get }
    /// Returns at most `frameCount` frames; `nil` at the end.
    func next(_ frameCount: Int) -> AVAudioPCMBuffer?
}

/// The audio of a buffer.
final class PlayerBuffer: PlayerSource {
    private let buffer: AVAudioPCMBuffer
    private var position = 0
    var isLooping: Bool

    init(_ buffer: AVAudioPCMBuffer, isLooping: Bool) {
        self.buffer = buffer
        self.isLooping = isLooping && buffer.frameLength > 0
    }

    var format: AVAudioFormat { buffer.format }
    var isAtEnd: Bool { position == Int(buffer.frameLength) && !isLooping }

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

    init(_ file: AVAudioFile, startFrame: AVAudioFramePosition, frameCount: Int) {
        self.file = file
        position = min(max(0, startFrame), file.length)
        end = position + min(file.length - position, AVAudioFramePosition(frameCount))
    }

    var format: AVAudioFormat { file.processingFormat }
    var isAtEnd: Bool { position >= end }

    /// Returns the next frames.
    ///
    /// A file that can no longer be read is at its end.
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
    /// Replaces frames from index `first` with a buffer of the same format.
    fileprivate func replace(from first: Int, with other: AVAudioPCMBuffer) {
        let bytesPerFrame = Int(format.streamDescription.pointee.mBytesPerFrame)
        for (target, source) in zip(wholeList, other.wholeList) {
            guard let to = target.mData, let from = source.mData else { continue }
            (to + first * bytesPerFrame).copyMemory(from: from, byteCount: Int(other.frameLength) * bytesPerFrame)
        }
    }
}
#endif
