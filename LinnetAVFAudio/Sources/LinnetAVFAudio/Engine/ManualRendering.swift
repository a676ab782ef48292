// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import CLinnetAudioTypes
internal import Foundation

/// The kind of rendering without a device.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
    /// As fast as it can be.
    case offline = 0
    /// On a thread of the program that must not block.
    case realtime = 1
}

/// The outcome of rendering without a device.
public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
    /// An error.
    case error = -1
    /// All frames were rendered.
    case success = 0
    /// The input had not enough frames.
    case insufficientDataFromInputNode = 1
    /// Rendering is not possible now.
    case cannotDoInCurrentContext = 2
}

/// Rendering without a device.
struct ManualRendering {
    /// The format of the frames.
    var format: AVAudioFormat
    /// The most frames of a call.
    var maximumFrameCount: AVAudioFrameCount
    /// The frames rendered so far.
    var sampleTime: AVAudioFramePosition = 0
}

extension AVAudioEngine {
    /// Makes the engine render on request, without devices.
    ///
    /// - Parameters:
    ///   - mode: Offline or real time, which are alike here.
    ///   - pcmFormat: The format of the frames: 32-bit floating point.
    ///   - maximumFrameCount: The most frames of a call.
    /// - Throws: An error if the engine runs or the format isn't floating point.
    public func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode, format pcmFormat: AVAudioFormat, maximumFrameCount: AVAudioFrameCount
    ) throws {
        guard !isRunning else { throw NSError(avfaudio: -80_801, "the engine runs; stop it before the mode is changed") }
        guard pcmFormat.commonFormat == .pcmFormatFloat32 else {
            throw NSError(avfaudio: kAudioUnitErr_FormatNotSupported, "rendering gives 32-bit floating point, not \(pcmFormat)")
        }
        removeDeviceTaps()
        lock.withLock { manualRendering = ManualRendering(format: pcmFormat, maximumFrameCount: maximumFrameCount) }
    }

    /// Makes the engine use devices again; does nothing if it does.
    public func disableManualRenderingMode() {
        guard isInManualRenderingMode else { return }
        stop()
        reset()
        removeDeviceTaps()
        lock.withLock { manualRendering = nil }
    }

    /// Removes the taps of the nodes that have another format in the other mode.
    private func removeDeviceTaps() { for node in [inputNode, outputNode] { node.removeTap(onBus: 0) } }

    /// Whether the engine renders on request.
    public var isInManualRenderingMode: Bool { lock.withLock { manualRendering != nil } }

    /// The format of frames that are rendered on request; 0 Hz in the other mode.
    public var manualRenderingFormat: AVAudioFormat { lock.withLock { manualRendering?.format ?? .absent } }

    /// The most frames that are rendered by a request.
    public var manualRenderingMaximumFrameCount: AVAudioFrameCount { lock.withLock { manualRendering?.maximumFrameCount ?? 0 } }

    /// The number of frames rendered on request since the mode was enabled or the engine reset.
    public var manualRenderingSampleTime: AVAudioFramePosition { lock.withLock { manualRendering?.sampleTime ?? 0 } }

    /// Renders the next frames.
    ///
    /// - Parameters:
    ///   - numberOfFrames: The number of frames, at most ``manualRenderingMaximumFrameCount``.
    ///   - buffer: A buffer of ``manualRenderingFormat`` with room for them.
    /// - Returns: ``AVAudioEngineManualRenderingStatus/success``.
    /// - Throws: An error if the engine doesn't run on request, or there are too many frames.
    public func renderOffline(
        _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        guard isRunning, let rendering = lock.withLock({ manualRendering }) else {
            throw NSError(avfaudio: -80_802, "the engine doesn't run in manual rendering mode")
        }
        guard numberOfFrames <= min(rendering.maximumFrameCount, buffer.frameCapacity), buffer.format == rendering.format else {
            throw NSError(avfaudio: kAudio_ParamError, "\(numberOfFrames) frames of \(buffer.format) exceed the mode's maximum or format")
        }
        let time = AVAudioTime(sampleTime: rendering.sampleTime, atRate: rendering.format.sampleRate)
        let block = renderLock.withLock { outputNode.pull(Int(numberOfFrames), at: time) }
        buffer.frameLength = 0
        buffer.append(block, 0..<Int(numberOfFrames))
        lock.withLock { manualRendering?.sampleTime += AVAudioFramePosition(numberOfFrames) }
        return .success
    }
}
#endif
