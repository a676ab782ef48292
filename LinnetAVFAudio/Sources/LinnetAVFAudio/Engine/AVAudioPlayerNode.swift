// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import Foundation

/// Options for playing a buffer.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
    /// The option bits.
    public let rawValue: UInt
    /// Creates options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Repeats the buffer until it is interrupted or the node stops.
    public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 0)
    /// Replaces all queued audio immediately.
    public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 1)
    /// Starts when the current buffer reaches its end.
    public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 2)
}

/// The moment when a completion handler is called, unless the node is stopped earlier.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
    /// The node has consumed the last frame; here, when it is rendered.
    case dataConsumed = 0
    /// The last frame has been rendered.
    case dataRendered = 1
    /// The device has played the last frame. Without a device, it has been rendered.
    case dataPlayedBack = 2
}

/// Called when audio is complete, on a queue of the player.
public typealias AVAudioNodeCompletionHandler = () -> Void
/// Called with the moment when audio is complete, on a queue of the player.
public typealias AVAudioPlayerNodeCompletionHandler = (AVAudioPlayerNodeCompletionCallbackType) -> Void

/// Plays buffers and files in sequence.
///
/// All members may be used from any thread.
open class AVAudioPlayerNode: AVAudioNode, AVAudioMixing {
    private var queue: [PlayerSegment] = []
    private var isRunning = false
    /// The node's frame at which the player's time is 0.
    private var startFrame: AVAudioFramePosition?
    /// The node's time at which to start or continue; `nil` once it is reached.
    private var resumeTime: AVAudioTime?
    private let completionQueue = DispatchQueue(label: "linnet.player.completion")

    /// Whether the node is playing.
    public var isPlaying: Bool { graphLock.withLock { isRunning } }

    // MARK: Scheduling

    /// Appends a buffer to the queue.
    public func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        scheduleBuffer(buffer, at: nil, options: [], completionHandler: completionHandler)
    }

    /// Plays a buffer.
    ///
    /// - Parameters:
    ///   - buffer: The audio. Do not change it before it is complete.
    ///   - when: The start in player time, as from ``playerTime(forNodeTime:)``; `nil` plays as soon as possible.
    ///   - options: Whether to repeat the buffer, and how to treat queued audio.
    ///   - completionHandler: Called when the node has consumed the buffer or is stopped.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        scheduleBuffer(buffer, at: when, options: options, completionCallbackType: .dataConsumed) { _ in completionHandler?() }
    }

    /// Appends a buffer to the queue.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        scheduleBuffer(buffer, at: nil, options: [], completionCallbackType: callbackType, completionHandler: completionHandler)
    }

    /// Plays a buffer.
    ///
    /// The completion handler gets the requested moment.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        let source = PlayerBuffer(buffer, isLooping: options.contains(.loops))
        schedule(source, at: when, options, callbackType, completionHandler)
    }

    /// Plays a complete file.
    public func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        scheduleFile(file, at: when, completionCallbackType: .dataConsumed) { _ in completionHandler?() }
    }

    /// Plays a complete file.
    ///
    /// The completion handler gets the requested moment.
    public func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        scheduleSegment(
            file, startingFrame: 0, frameCount: AVAudioFrameCount(clamping: file.length), at: when, completionCallbackType: callbackType,
            completionHandler: completionHandler)
    }

    /// Plays a part of a file.
    ///
    /// - Parameters:
    ///   - file: The file, which belongs to the node until it is complete.
    ///   - startFrame: The first frame to play.
    ///   - numberFrames: The number of frames to play.
    ///   - when: The start in player time; `nil` plays as soon as possible.
    ///   - completionHandler: Called when the node has consumed the last frame or is stopped.
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        scheduleSegment(
            file, startingFrame: startFrame, frameCount: numberFrames, at: when, completionCallbackType: .dataConsumed
        ) { _ in completionHandler?() }
    }

    /// Plays a part of a file.
    ///
    /// The completion handler gets the requested moment.
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        let source = PlayerFile(file, startFrame: startFrame, frameCount: Int(numberFrames))
        schedule(source, at: when, [], callbackType, completionHandler)
    }

    private func schedule(
        _ source: any PlayerSource, at when: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions,
        _ callbackType: AVAudioPlayerNodeCompletionCallbackType, _ handler: AVAudioPlayerNodeCompletionHandler?
    ) {
        // A time without a sample time is ignored.
        let first = when.flatMap { $0.isSampleTimeValid ? frame(of: $0) : nil }
        let segment = PlayerSegment(source, startFrame: first, callbackType: callbackType) { handler?(callbackType) }
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
        for segment in replaced { complete(segment) }
    }

    // MARK: Playing

    /// Starts or continues playback.
    public func play() { play(at: nil) }

    /// Starts or continues at a node time, or at a host time if it has no sample time.
    ///
    /// `nil` and past times mean now.
    public func play(at when: AVAudioTime?) {
        graphLock.withLock {
            // A playing node is unchanged.
            guard !isRunning || resumeTime != nil else { return }
            isRunning = true
            resumeTime = when
        }
    }

    /// Pauses and keeps the queue.
    public func pause() {
        graphLock.withLock {
            isRunning = false
            resumeTime = nil
        }
    }

    /// Stops and discards the queue.
    ///
    /// Resets the player's time to 0.
    public func stop() {
        let replaced = graphLock.withLock {
            defer { queue = [] }
            isRunning = false
            startFrame = nil
            resumeTime = nil
            return queue
        }
        for segment in replaced { complete(segment) }
    }

    /// Discards the queue.
    open override func reset() { stop() }

    /// Does nothing; buffers are rendered when they are due.
    public func prepare(withFrameCount frameCount: AVAudioFrameCount) {}

    /// Converts a node time to frames since the player started; `nil` while it is not playing.
    public func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
        let (rate, frame) = (format.sampleRate, frame(of: nodeTime))
        return graphLock.withLock {
            guard isRunning, let startFrame else { return nil }
            return AVAudioTime(host: nodeTime.validHostTime, sample: frame - startFrame, sampleRate: rate)
        }
    }

    /// Converts a player time to node frames; `nil` while it is not playing.
    public func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
        let (rate, frame) = (format.sampleRate, frame(of: playerTime))
        return graphLock.withLock {
            guard isRunning, let startFrame else { return nil }
            return AVAudioTime(sampleTime: frame + startFrame, atRate: rate)
        }
    }

    /// Returns a time in frames at the node's rate, limited to avoid overflow.
    private func frame(of time: AVAudioTime) -> AVAudioFramePosition {
        let ratio = time.sampleRate > 0 ? format.sampleRate / time.sampleRate : 1
        return AVAudioFramePosition(clamping: max(-0x1p60, min(0x1p60, Double(time.sampleTime) * ratio)))
    }

    // MARK: Rendering

    /// Fills a buffer from the segments in order.
    override func render(into buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
        let resume = graphLock.withLock { resumeTime }
        let untilResume = resume.map { frameCount(from: time, until: $0) } ?? 0
        let done = graphLock.withLock {
            var done: [(segment: PlayerSegment, end: Int)] = []
            let length = Int(buffer.frameLength)
            // The player's time stops until it starts or continues.
            let paused = isRunning && resumeTime === resume ? min(untilResume, length) : length
            startFrame = startFrame.map { $0 + AVAudioFramePosition(paused) }
            guard paused < length else { return done }
            resumeTime = nil
            let start = startFrame ?? time.sampleTime + AVAudioFramePosition(paused)
            startFrame = start
            var filled = paused
            while filled < length, let segment = queue.first {
                let now = time.sampleTime - start + AVAudioFramePosition(filled)
                let wait = max(0, (segment.startFrame ?? now) - now)
                filled += Int(min(wait, AVAudioFramePosition(length - filled)))
                filled += segment.read(into: buffer, from: filled)
                if segment.isAtEnd { done.append((queue.removeFirst(), filled)) }
            }
            return done
        }
        for (segment, end) in done { complete(segment, playedAt: time.advanced(byFrames: end).validHostTime) }
    }

    /// Returns the number of frames between two node times; 0 if the second has passed.
    private func frameCount(from time: AVAudioTime, until other: AVAudioTime) -> Int {
        if other.isSampleTimeValid { return Int(max(0, frame(of: other) - frame(of: time))) }
        guard let now = time.validHostTime, let then = other.validHostTime, then > now else { return 0 }
        return Int(clamping: Double(then - now) / 1e9 * time.sampleRate)
    }

    /// Calls the completion handler of a segment.
    ///
    /// - Parameters:
    ///   - segment: A segment that was removed from the queue.
    ///   - hostTime: When the device will have played the last frame; `nil` for a replaced segment and without a device.
    private func complete(_ segment: PlayerSegment, playedAt hostTime: UInt64? = nil) {
        // As in Core Audio, handlers have no threading requirements.
        nonisolated(unsafe) let handler = segment.completion
        guard segment.callbackType == .dataPlayedBack, let hostTime else { return completionQueue.async { handler() } }
        completionQueue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: hostTime)) { handler() }
    }
}
#endif
