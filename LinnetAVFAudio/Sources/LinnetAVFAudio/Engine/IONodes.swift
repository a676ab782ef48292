// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioDevices
public import Foundation

/// A node of a device.
open class AVAudioIONode: AVAudioNode {
    /// The delay of the device in seconds; not known here, 0.
    public var presentationLatency: TimeInterval { 0 }

    private var isVoiceProcessed = false

    /// Whether the input is without the echo of what the machine plays; set at the input or the output.
    public var isVoiceProcessingEnabled: Bool { graphLock.withLock { isVoiceProcessed } }

    /// Sets whether the echo of what the machine plays is removed from the input, from the next start of the engine on.
    ///
    /// - Parameter enabled: Whether it is removed; the system has to have an input that captures its output.
    public func setVoiceProcessingEnabled(_ enabled: Bool) throws {
        for node in [engine?.inputNode, engine?.outputNode, self] { node?.graphLock.withLock { node?.isVoiceProcessed = enabled } }
    }
}

/// The default microphone, whose audio taps and mixers receive.
open class AVAudioInputNode: AVAudioIONode {
    private var deviceFormat: AVAudioFormat?
    private var waiting = CapturedQueue()

    /// Sets the format in place of that of a device.
    package func setDeviceFormat(_ format: AVAudioFormat) { graphLock.withLock { deviceFormat = format } }

    /// The format of the default input as deinterleaved 32-bit floating point; 0 Hz without an input.
    override var format: AVAudioFormat {
        graphLock.withLock {
            if let deviceFormat { return deviceFormat }
            let format = Self.formatOfDefaultInput()
            // One that isn't there may come.
            if format.sampleRate > 0 { deviceFormat = format }
            return format
        }
    }

    /// Asks the system for its default input; an unknown rate is 48 kHz, an unknown number of channels 1.
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

    /// Passes captured audio to the tap, and keeps it for the mixers that the input is connected to.
    package func receive(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
        setRenderTime(time)
        deliver(buffer, at: time)
        guard let engine, engine.isInputConnected else { return }
        graphLock.withLock { waiting.append(buffer) }
        engine.renderUnplayed(at: time)
    }

    /// The number of captured frames that wait for mixers.
    var waitingFrameCount: Int { graphLock.withLock { waiting.frameCount } }

    /// Fills a buffer with captured audio, and silence where there is none yet.
    override func render(into buffer: AVAudioPCMBuffer, at time: AVAudioTime) { graphLock.withLock { waiting.remove(into: buffer) } }

    /// Discards captured audio.
    open override func reset() { graphLock.withLock { waiting = CapturedQueue() } }
}

/// The default loudspeaker.
open class AVAudioOutputNode: AVAudioIONode {
    private var source: MixerInput?

    /// One: what is played.
    public override var numberOfInputs: Int { 1 }

    /// The node that is played; nil if none is connected.
    var connectedSource: AVAudioNode? { graphLock.withLock { source?.source } }

    /// The format of the device.
    override var format: AVAudioFormat { engine?.mixingFormat ?? .usual }

    /// Connects the node to play; nil for none.
    func connect(_ node: AVAudioNode?) { graphLock.withLock { source = node.map { MixerInput($0) } } }

    /// Discards what a conversion to the device's format holds back.
    open override func reset() { connect(connectedSource) }

    /// Copies the frames of the node that is played.
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
