// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import CLinnetAudioTypes
internal import Foundation

/// The mode of rendering without a device.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
    /// As fast as possible.
    case offline = 0
    /// On a thread that must not block.
    case realtime = 1
}

/// The outcome of rendering without a device.
public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
    /// An error occurred.
    case error = -1
    /// All frames were rendered.
    case success = 0
    /// The input had too few frames.
    case insufficientDataFromInputNode = 1
    /// Rendering is not possible now.
    case cannotDoInCurrentContext = 2
}

/// The state of rendering without a device.
struct ManualRendering {
    /// The output format.
    var format: AVAudioFormat
    var maximumFrameCount: AVAudioFrameCount
    /// The number of frames rendered so far.
    var sampleTime: AVAudioFramePosition = 0
}

extension AVAudioEngine {
    /// Makes the engine render on request, without devices.
    ///
    /// - Parameters:
    ///   - mode: Offline or real time, which are equal here.
    ///   - pcmFormat: The output format, which must be 32-bit floating point.
    ///   - maximumFrameCount: The maximum number of frames per call.
    /// - Throws: An error if the engine is running or the format is not floating point.
    public func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode, format pcmFormat: AVAudioFormat, maximumFrameCount: AVAudioFrameCount
    ) throws {
        guard !isRunning else { throw NSError(avfaudio: -80_801, "the engine is running; stop it before changing the mode") }
        guard pcmFormat.commonFormat == .pcmFormatFloat32 else {
            throw NSError(avfaudio: kAudioUnitErr_FormatNotSupported, "unsupported format \(pcmFormat); use 32-bit floating point")
        }
        removeDeviceTaps()
        lock.withLock { manualRendering = ManualRendering(format: pcmFormat, maximumFrameCount: maximumFrameCount) }
    }

    /// Makes the engine use devices again.
    ///
    /// Does nothing if it already does.
    public func disableManualRenderingMode() {
        guard isInManualRenderingMode else { return }
        stop()
        reset()
        removeDeviceTaps()
        lock.withLock { manualRendering = nil }
    }

    /// Removes the taps of nodes whose format differs between the modes.
    private func removeDeviceTaps() { for node in [inputNode, outputNode] { node.removeTap(onBus: 0) } }

    /// Whether the engine renders on request.
    public var isInManualRenderingMode: Bool { lock.withLock { manualRendering != nil } }

    /// The format of manual rendering; 0 Hz if it is disabled.
    public var manualRenderingFormat: AVAudioFormat { lock.withLock { manualRendering?.format ?? .absent } }

    /// The maximum number of frames per rendering call.
    public var manualRenderingMaximumFrameCount: AVAudioFrameCount { lock.withLock { manualRendering?.maximumFrameCount ?? 0 } }

    /// The number of frames rendered since the mode was enabled or the engine was reset.
    public var manualRenderingSampleTime: AVAudioFramePosition { lock.withLock { manualRendering?.sampleTime ?? 0 } }

    /// Renders the next frames.
    ///
    /// - Parameters:
    ///   - numberOfFrames: The number of frames, at most ``manualRenderingMaximumFrameCount``.
    ///   - buffer: A buffer of ``manualRenderingFormat`` with enough capacity.
    /// - Returns: ``AVAudioEngineManualRenderingStatus/success``.
    /// - Throws: An error if the engine is not running in this mode, or if there are too many frames.
    public func renderOffline(
        _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        guard isRunning, let rendering = lock.withLock({ manualRendering }) else {
            throw NSError(avfaudio: -80_802, "the engine is not running in manual rendering mode")
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
