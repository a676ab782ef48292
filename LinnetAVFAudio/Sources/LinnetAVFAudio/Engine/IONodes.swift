// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioDevices
public import Foundation

/// A node that represents a device.
open class AVAudioIONode: AVAudioNode {
    /// The device's delay in seconds.
    ///
    /// Unknown here, 0.
    public var presentationLatency: TimeInterval { 0 }

    private var isVoiceProcessed = false

    /// Whether the input is echo-cancelled.
    ///
    /// Set at the input or the output.
    public var isVoiceProcessingEnabled: Bool { graphLock.withLock { isVoiceProcessed } }

    /// Sets whether to cancel the echo of played audio in the input, from the next start of the engine.
    ///
    /// - Parameter enabled: Whether to cancel the echo. The system must have an input that captures its output.
    public func setVoiceProcessingEnabled(_ enabled: Bool) throws {
        for node in [engine?.inputNode, engine?.outputNode, self] { node?.graphLock.withLock { node?.isVoiceProcessed = enabled } }
    }
}

/// The default input, which feeds taps and mixers.
open class AVAudioInputNode: AVAudioIONode {
    private var deviceFormat: AVAudioFormat?
    private var waiting = CapturedQueue()

    /// Sets the format, instead of the device's.
    package func setDeviceFormat(_ format: AVAudioFormat) { graphLock.withLock { deviceFormat = format } }

    /// The format of the default input as deinterleaved 32-bit floating point; 0 Hz without an input.
    override var format: AVAudioFormat {
        graphLock.withLock {
            if let deviceFormat { return deviceFormat }
            let format = Self.formatOfDefaultInput()
            // A missing input may appear later.
            if format.sampleRate > 0 { deviceFormat = format }
            return format
        }
    }

    /// Queries the system's default input.
    ///
    /// Unknown rates become 48 kHz, unknown channel counts 1.
    private static func formatOfDefaultInput() -> AVAudioFormat {
        guard let inputs = try? AudioDevice.inputs().filter({ !$0.isMonitor }) else { return .absent }
        guard let device = inputs.first(where: { $0.isDefault }) ?? inputs.first else { return .absent }
        let channelCount = min(device.channelCount ?? 1, 2)
        return AVAudioFormat(
            standardFormatWithSampleRate: Double(device.sampleRate ?? 48_000), channels: AVAudioChannelCount(max(1, channelCount)))
            ?? .absent
    }

    // MARK: Audio

    override var tapFollowsRendering: Bool { false }

    /// Passes captured audio to the tap and queues it for connected mixers.
    package func receive(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
        setRenderTime(time)
        deliver(buffer, at: time)
        guard let engine, engine.isInputConnected else { return }
        graphLock.withLock { waiting.append(buffer) }
        engine.renderUnplayed(at: time)
    }

    /// The number of captured frames queued for mixers.
    var waitingFrameCount: Int { graphLock.withLock { waiting.frameCount } }

    /// Fills a buffer with captured audio, followed by silence if there is too little.
    override func render(into buffer: AVAudioPCMBuffer, at time: AVAudioTime) { graphLock.withLock { waiting.remove(into: buffer) } }

    /// Discards the captured audio that is queued for mixers.
    open override func reset() { graphLock.withLock { waiting = CapturedQueue() } }
}

/// The default output.
open class AVAudioOutputNode: AVAudioIONode {
    private var source: MixerInput?

    /// The number of inputs, 1.
    public override var numberOfInputs: Int { 1 }

    var connectedSource: AVAudioNode? { graphLock.withLock { source?.source } }

    override var format: AVAudioFormat { engine?.mixingFormat ?? .usual }

    /// Connects the node to play; `nil` disconnects.
    func connect(_ node: AVAudioNode?) { graphLock.withLock { source = node.map { MixerInput($0) } } }

    /// Resets the conversion to the device's format.
    open override func reset() { connect(connectedSource) }

    /// Copies the frames of the connected node.
    override func render(into buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
        let source = graphLock.withLock { self.source }
        guard let audio = source?.pull(Int(buffer.frameLength), as: buffer.format, at: time) else { return }
        let count = buffer.frameLength
        buffer.frameLength = 0
        buffer.append(audio, 0..<Int(audio.frameLength))
        buffer.frameLength = count
    }
}
#endif
