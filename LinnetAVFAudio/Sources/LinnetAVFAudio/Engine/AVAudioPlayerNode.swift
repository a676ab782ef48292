// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if !canImport(Darwin)
internal import Foundation

/// Options of playing a buffer.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Creates options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The buffer is repeated until it is interrupted or the node stops.
    public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 0)
    /// The buffer replaces all that waits, at once.
    public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 1)
    /// The buffer begins when the current one has reached its end.
    public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 2)
}

/// The moment at which a completion handler is called: here always when the last frame has been rendered.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
    /// The node has taken the last frame.
    case dataConsumed = 0
    /// The last frame has been rendered.
    case dataRendered = 1
    /// The last frame has been played.
    case dataPlayedBack = 2
}

/// Called without arguments when audio is done, on a queue of its own.
public typealias AVAudioNodeCompletionHandler = () -> Void
/// Called with the moment when audio is done, on a queue of its own.
public typealias AVAudioPlayerNodeCompletionHandler = (AVAudioPlayerNodeCompletionCallbackType) -> Void

/// Plays buffers and files, one after the other.
///
/// All members may be used from any thread.
open class AVAudioPlayerNode: AVAudioNode, AVAudioMixing {
    private var queue: [PlayerSegment] = []
    private var isRunning = false
    private var startFrame: AVAudioFramePosition?
    private var gain: Float = 1
    private var position: Float = 0
    private static let completionQueue = DispatchQueue(label: "linnet.player.completion")

    /// The gain in the mixer, 0 to 1.
    public var volume: Float {
        get { graphLock.withLock { gain } }
        set { graphLock.withLock { gain = newValue } }
    }

    /// The pan position in the mixer, -1 (left) to 1 (right).
    public var pan: Float {
        get { graphLock.withLock { position } }
        set { graphLock.withLock { position = newValue } }
    }

    /// Whether the node plays.
    public var isPlaying: Bool { graphLock.withLock { isRunning } }

    // MARK: Scheduling

    /// Plays a buffer after all that waits.
    public func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        scheduleBuffer(buffer, at: nil, options: [], completionHandler: completionHandler)
    }

    /// Plays a buffer.
    ///
    /// - Parameters:
    ///   - buffer: The audio; it must not be changed before it is done.
    ///   - when: The time in frames of the player, as from ``playerTime(forNodeTime:)``; nil for as soon as possible.
    ///   - options: Whether it is repeated, and what happens to the audio that waits.
    ///   - completionHandler: Called when the node has taken the buffer, or is stopped.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        let source = PlayerBuffer(buffer, isLooping: options.contains(.loops))
        schedule(PlayerSegment(source, startFrame: frame(of: when)) { completionHandler?() }, options)
    }

    /// Plays a buffer after all that waits.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        scheduleBuffer(buffer, at: nil, options: [], completionCallbackType: callbackType, completionHandler: completionHandler)
    }

    /// Plays a buffer; the completion handler is told the moment that was asked for.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        scheduleBuffer(buffer, at: when, options: options) { completionHandler?(callbackType) }
    }

    /// Plays a file from its first frame on.
    public func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        scheduleSegment(
            file, startingFrame: 0, frameCount: AVAudioFrameCount(clamping: file.length), at: when, completionHandler: completionHandler)
    }

    /// Plays a file from its first frame on; the completion handler is told the moment that was asked for.
    public func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        scheduleFile(file, at: when) { completionHandler?(callbackType) }
    }

    /// Plays a part of a file.
    ///
    /// - Parameters:
    ///   - file: The file, which belongs to the node until it is done.
    ///   - startFrame: The first frame to play.
    ///   - numberFrames: The number of frames to play.
    ///   - when: The time in frames of the player; nil for as soon as possible.
    ///   - completionHandler: Called when the node has taken the last frame, or is stopped.
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        let source = PlayerFile(file, startFrame: startFrame, frameCount: Int(numberFrames))
        schedule(PlayerSegment(source, startFrame: frame(of: when)) { completionHandler?() }, [])
    }

    /// Plays a part of a file; the completion handler is told the moment that was asked for.
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        scheduleSegment(file, startingFrame: startFrame, frameCount: numberFrames, at: when) { completionHandler?(callbackType) }
    }

    /// Returns a time in frames of the player; nil for nil and times on the host's clock only.
    private func frame(of when: AVAudioTime?) -> AVAudioFramePosition? {
        guard let when, when.isSampleTimeValid else { return nil }
        guard when.sampleRate > 0, when.sampleRate != format.sampleRate else { return when.sampleTime }
        return AVAudioFramePosition(Double(when.sampleTime) * format.sampleRate / when.sampleRate)
    }

    /// Adds a segment.
    private func schedule(_ segment: PlayerSegment, _ options: AVAudioPlayerNodeBufferOptions) {
        let replaced = graphLock.withLock {
            var replaced: [PlayerSegment] = []
            if options.contains(.interrupts) {
                replaced = queue
                queue = []
            } else if options.contains(.interruptsAtLoop), let first = queue.first {
                replaced = Array(queue.dropFirst())
                queue = [first]
                first.endsAtLoop = true
            }
            queue.append(segment)
            return replaced
        }
        complete(replaced)
    }

    // MARK: Playing

    /// Starts or continues.
    public func play() { play(at: nil) }

    /// Starts or continues; the time is ignored.
    public func play(at when: AVAudioTime?) { graphLock.withLock { isRunning = true } }

    /// Pauses; what waits stays.
    public func pause() { graphLock.withLock { isRunning = false } }

    /// Stops and discards all that waits; the time of the player begins at 0 again.
    public func stop() {
        let replaced = graphLock.withLock {
            defer { queue = [] }
            isRunning = false
            startFrame = nil
            return queue
        }
        complete(replaced)
    }

    /// Discards all that waits.
    open override func reset() { stop() }

    /// Does nothing: buffers are rendered when they are due.
    public func prepare(withFrameCount frameCount: AVAudioFrameCount) {}

    /// Returns a time of the engine in frames since the player started; nil while it isn't playing.
    public func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
        graphLock.withLock {
            guard isRunning, let startFrame else { return nil }
            let frame = nodeTime.sampleTime - startFrame
            return AVAudioTime(hostTime: nodeTime.hostTime, sampleTime: frame, atRate: nodeTime.sampleRate)
        }
    }

    /// Returns a time of the player in frames of the engine; nil while it isn't playing.
    public func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
        graphLock.withLock {
            guard isRunning, let startFrame else { return nil }
            return AVAudioTime(sampleTime: playerTime.sampleTime + startFrame, atRate: playerTime.sampleRate)
        }
    }

    /// Fills a buffer from the segments in order.
    override func render(into buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
        let done = graphLock.withLock {
            var done: [PlayerSegment] = []
            guard isRunning else {
                // The player's time stands still.
                startFrame = startFrame.map { $0 + AVAudioFramePosition(buffer.frameLength) }
                return done
            }
            let start = startFrame ?? time.sampleTime
            startFrame = start
            var filled = 0
            while filled < Int(buffer.frameLength), let segment = queue.first {
                let now = time.sampleTime - start + AVAudioFramePosition(filled)
                let wait = max(0, (segment.startFrame ?? now) - now)
                filled += Int(min(wait, AVAudioFramePosition(Int(buffer.frameLength) - filled)))
                filled += segment.read(into: buffer, from: filled)
                if segment.isAtEnd { done.append(queue.removeFirst()) }
            }
            return done
        }
        complete(done)
    }

    /// Calls the completion handlers of segments.
    private func complete(_ segments: [PlayerSegment]) {
        for segment in segments {
            // The handlers have no rules about threads, as with Core Audio.
            nonisolated(unsafe) let handler = segment.completion
            Self.completionQueue.async { handler() }
        }
    }
}
#endif
