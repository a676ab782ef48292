// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
extension AVAudioPlayerNode {
    /// Appends a buffer to the queue.
    ///
    /// Returns when the node has consumed it or is stopped.
    public func scheduleBuffer(_ buffer: AVAudioPCMBuffer) async { await scheduleBuffer(buffer, at: nil, options: []) }

    /// Plays a buffer.
    ///
    /// Returns when the node has consumed it or is stopped.
    public func scheduleBuffer(_ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = []) async {
        await withCheckedContinuation { continuation in
            scheduleBuffer(buffer, at: when, options: options, completionHandler: { continuation.resume() })
        }
    }

    /// Appends a buffer to the queue.
    ///
    /// Returns at the requested moment or when the node is stopped.
    ///
    /// - Returns: The requested moment.
    @discardableResult
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await scheduleBuffer(buffer, at: nil, options: [], completionCallbackType: callbackType)
    }

    /// Plays a buffer.
    ///
    /// Returns at the requested moment or when the node is stopped.
    ///
    /// - Returns: The requested moment.
    @discardableResult
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await withCheckedContinuation { continuation in
            scheduleBuffer(buffer, at: when, options: options, completionCallbackType: callbackType) { continuation.resume(returning: $0) }
        }
    }

    /// Plays a complete file.
    ///
    /// Returns when the node has consumed the last frame or is stopped.
    public func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?) async {
        await withCheckedContinuation { continuation in
            scheduleFile(file, at: when, completionHandler: { continuation.resume() })
        }
    }

    /// Plays a part of a file.
    ///
    /// Returns when the node has consumed the last frame or is stopped.
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?
    ) async {
        await withCheckedContinuation { continuation in
            scheduleSegment(
                file, startingFrame: startFrame, frameCount: numberFrames, at: when, completionHandler: { continuation.resume() })
        }
    }
}
#endif
