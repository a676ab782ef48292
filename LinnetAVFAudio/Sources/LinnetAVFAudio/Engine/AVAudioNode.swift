// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// Receives a tap's audio: a buffer, which the block may keep, and the time of its first frame.
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

/// A source, mixer or destination of audio in an engine.
open class AVAudioNode: NSObject {
    /// Protects shared state.
    ///
    /// Not held during calls to other nodes or the engine.
    let graphLock = NSRecursiveLock()
    private weak var owner: AVAudioEngine?
    private var busFormat: AVAudioFormat?
    private var tap: TapDelivery?
    private var renderTime: AVAudioTime?
    /// The volume and pan in the mixer that the node feeds (``AVAudioMixing``).
    fileprivate var mixing: (volume: Float, pan: Float) = (1, 0)

    /// The engine that the node is attached to.
    public internal(set) var engine: AVAudioEngine? {
        get { graphLock.withLock { owner } }
        set { graphLock.withLock { owner = newValue } }
    }

    /// The format of bus 0, if it is connected.
    var connectedFormat: AVAudioFormat? {
        get { graphLock.withLock { busFormat } }
        set { graphLock.withLock { busFormat = newValue } }
    }

    /// The number of inputs.
    public var numberOfInputs: Int { 0 }

    /// The number of outputs.
    public var numberOfOutputs: Int { 1 }

    /// The node's delay in seconds: 0.
    public var latency: TimeInterval { 0 }

    /// The delay from the node to the device in seconds.
    ///
    /// Unknown here, 0.
    public var outputPresentationLatency: TimeInterval { 0 }

    /// The time of the latest rendering; `nil` before the first one, while the engine is stopped, and after disconnection.
    public var lastRenderTime: AVAudioTime? { engine?.isRunning == true ? graphLock.withLock { renderTime } : nil }

    func setRenderTime(_ time: AVAudioTime?) { graphLock.withLock { renderTime = time } }

    /// Returns the format of an output.
    public func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { format }

    /// Returns the format of an input.
    public func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { format }

    /// The format of the node's connection, or else the engine's.
    var format: AVAudioFormat { connectedFormat ?? engine?.mixingFormat ?? .usual }

    /// Discards all queued audio.
    open func reset() {}

    // MARK: Taps

    /// Calls a block with the audio of an output, on a thread of the engine.
    ///
    /// - Parameters:
    ///   - bus: The output, 0.
    ///   - bufferSize: The number of sample frames per buffer.
    ///   - format: The format of the buffers; `nil` uses the rendered format. Sample rate and channel count are converted.
    ///   - tapBlock: The block to call.
    public func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?, block tapBlock: @escaping AVAudioNodeTapBlock
    ) {
        precondition(bus == 0, "invalid output \(bus); the node has only output 0")
        graphLock.withLock { tap = TapDelivery(to: format, bufferSize: Int(bufferSize), block: tapBlock) }
        engine?.recordTap(of: self)
    }

    /// Removes the tap of an output, if any.
    public func removeTap(onBus bus: AVAudioNodeBus) { graphLock.withLock { tap = nil } }

    /// Discards the audio of an incomplete buffer of the tap.
    func emptyTap() { graphLock.withLock { tap = tap?.emptied() } }

    var hasTap: Bool { graphLock.withLock { tap != nil } }

    /// Passes output audio to the tap.
    ///
    /// - Parameters:
    ///   - buffer: Audio in a common format.
    ///   - time: The time of its first frame.
    func deliver(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
        let tap = graphLock.withLock { self.tap }
        tap?.append(buffer, at: time)
    }

    // MARK: Rendering

    /// Renders the next output frames and passes them to the tap.
    final func pull(_ frameCount: Int, at time: AVAudioTime) -> AVAudioPCMBuffer {
        let output = format
        guard let buffer = AVAudioPCMBuffer(pcmFormat: output, frameCapacity: AVAudioFrameCount(frameCount)) else {
            preconditionFailure("\(output) is not a PCM format")
        }
        setRenderTime(time)
        buffer.frameLength = AVAudioFrameCount(frameCount)
        render(into: buffer, at: time)
        if tapFollowsRendering { deliver(buffer, at: time) }
        return buffer
    }

    /// Whether the tap gets rendered audio.
    ///
    /// The tap of the input gets captured audio.
    var tapFollowsRendering: Bool { true }

    /// Fills a silent buffer of the node's format with the next frames.
    func render(into buffer: AVAudioPCMBuffer, at time: AVAudioTime) {}
}

extension AVAudioMixing where Self: AVAudioNode {
    /// The node's gain in the mixer that it feeds, 0 to 1.
    public var volume: Float {
        get { graphLock.withLock { mixing.volume } }
        set { graphLock.withLock { mixing.volume = newValue } }
    }

    /// The node's pan in the mixer that it feeds, -1 (left) to 1 (right).
    public var pan: Float {
        get { graphLock.withLock { mixing.pan } }
        set { graphLock.withLock { mixing.pan = newValue } }
    }
}

extension AVAudioFormat {
    /// The default format: 48 kHz stereo.
    package static var usual: AVAudioFormat {
        AVAudioFormat(
            unchecked: AudioStreamBasicDescription(.pcmFormatFloat32, sampleRate: 48_000, channelCount: 2, isInterleaved: false),
            channelLayout: nil)
    }

    /// The format of a missing input.
    package static var absent: AVAudioFormat {
        AVAudioFormat(
            unchecked: AudioStreamBasicDescription(.pcmFormatFloat32, sampleRate: 0, channelCount: 0, isInterleaved: false),
            channelLayout: nil)
    }
}
#endif
