// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// Receives the audio of a tap: a buffer of its own, and the time of its first frame.
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

/// A source, a mixer or a destination of audio in an engine.
open class AVAudioNode: NSObject {
    /// Protects what threads share; held while no other node or engine is called.
    let graphLock = NSRecursiveLock()
    private weak var owner: AVAudioEngine?
    private var busFormat: AVAudioFormat?
    private var tap: TapDelivery?
    private var renderTime: AVAudioTime?
    /// The gain and the pan position in the mixer that the node feeds (``AVAudioMixing``).
    fileprivate var mixing: (volume: Float, pan: Float) = (1, 0)

    /// The engine that the node is attached to.
    public internal(set) var engine: AVAudioEngine? {
        get { graphLock.withLock { owner } }
        set { graphLock.withLock { owner = newValue } }
    }

    /// The format of bus 0, once it is connected.
    var connectedFormat: AVAudioFormat? {
        get { graphLock.withLock { busFormat } }
        set { graphLock.withLock { busFormat = newValue } }
    }

    /// The number of inputs.
    public var numberOfInputs: Int { 0 }

    /// The number of outputs.
    public var numberOfOutputs: Int { 1 }

    /// The delay of the node in seconds: 0.
    public var latency: TimeInterval { 0 }

    /// The delay from the node to the device in seconds; not known here, 0.
    public var outputPresentationLatency: TimeInterval { 0 }

    /// The time of the latest rendering; nil before the first, while the engine doesn't run, and once the node is disconnected.
    public var lastRenderTime: AVAudioTime? { engine?.isRunning == true ? graphLock.withLock { renderTime } : nil }

    /// Sets the time of the latest rendering; nil for none.
    func setRenderTime(_ time: AVAudioTime?) { graphLock.withLock { renderTime = time } }

    /// Returns the format of an output.
    public func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { format }

    /// Returns the format of an input.
    public func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { format }

    /// The format of the node's audio: that of its connection, else the engine's.
    var format: AVAudioFormat { connectedFormat ?? engine?.mixingFormat ?? .usual }

    /// Discards all audio that waits in the node.
    open func reset() {}

    // MARK: Taps

    /// Calls a function with the audio of an output, on a thread of the engine.
    ///
    /// - Parameters:
    ///   - bus: The output, 0.
    ///   - bufferSize: The number of sample frames of each buffer.
    ///   - format: The format of the buffers; nil for that of what is rendered. Other rates and channel counts are converted.
    ///   - tapBlock: The function.
    public func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?, block tapBlock: @escaping AVAudioNodeTapBlock
    ) {
        precondition(bus == 0, "the node has no output \(bus)")
        graphLock.withLock { tap = TapDelivery(to: format, bufferSize: Int(bufferSize), block: tapBlock) }
        engine?.noteTap(of: self)
    }

    /// Removes the tap of an output, if there is one.
    public func removeTap(onBus bus: AVAudioNodeBus) { graphLock.withLock { tap = nil } }

    /// Whether the output has a tap.
    var hasTap: Bool { graphLock.withLock { tap != nil } }

    /// Passes audio of the output to the tap.
    ///
    /// - Parameters:
    ///   - buffer: Audio of a common format.
    ///   - time: The time of its first frame.
    func deliver(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
        let tap = graphLock.withLock { self.tap }
        tap?.append(buffer, at: time)
    }

    // MARK: Rendering

    /// Renders the next frames of the output, and passes them to the tap.
    final func pull(_ frameCount: Int, at time: AVAudioTime) -> AVAudioPCMBuffer {
        let output = format
        guard let buffer = AVAudioPCMBuffer(pcmFormat: output, frameCapacity: AVAudioFrameCount(frameCount)) else {
            preconditionFailure("\(output) is a format of PCM")
        }
        setRenderTime(time)
        buffer.frameLength = AVAudioFrameCount(frameCount)
        render(into: buffer, at: time)
        if tapFollowsRendering { deliver(buffer, at: time) }
        return buffer
    }

    /// Whether the tap receives what is rendered; that of the input receives what is captured.
    var tapFollowsRendering: Bool { true }

    /// Fills a silent buffer of the node's format with the next frames.
    func render(into buffer: AVAudioPCMBuffer, at time: AVAudioTime) {}
}

extension AVAudioMixing where Self: AVAudioNode {
    /// The gain of the node in the mixer that it feeds, 0 to 1.
    public var volume: Float {
        get { graphLock.withLock { mixing.volume } }
        set { graphLock.withLock { mixing.volume = newValue } }
    }

    /// The pan position of the node in the mixer that it feeds, -1 (left) to 1 (right).
    public var pan: Float {
        get { graphLock.withLock { mixing.pan } }
        set { graphLock.withLock { mixing.pan = newValue } }
    }
}

extension AVAudioFormat {
    /// The format where nothing else decides: 48 kHz stereo.
    package static var usual: AVAudioFormat {
        AVAudioFormat(
            unchecked: AudioStreamBasicDescription(.pcmFormatFloat32, sampleRate: 48_000, channelCount: 2, isInterleaved: false),
            channelLayout: nil)
    }

    /// The format of an input that isn't there.
    package static var absent: AVAudioFormat {
        AVAudioFormat(
            unchecked: AudioStreamBasicDescription(.pcmFormatFloat32, sampleRate: 0, channelCount: 0, isInterleaved: false),
            channelLayout: nil)
    }
}
#endif
