// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
package import AudioDevices
internal import CLinnetAudioTypes
public import Foundation
internal import Synchronization

extension Notification.Name {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Posted when the engine stopped because its device failed.
    public static let AVAudioEngineConfigurationChange = Notification.Name("AVAudioEngineConfigurationChangeNotification")
}

/// Records from the default microphone and plays to the default loudspeaker, or renders without either.
///
/// Nodes are players, source nodes, mixers, the input and the output; there are no effects.
/// All members may be used from any thread.
open class AVAudioEngine: NSObject {
    /// The microphone.
    public let inputNode = AVAudioInputNode()
    /// The loudspeaker.
    public let outputNode = AVAudioOutputNode()

    /// Protects the graph and the devices.
    let lock = NSRecursiveLock()
    /// Held while nodes render, which they do on one thread at a time.
    let renderLock = NSRecursiveLock()
    /// The nodes that are attached.
    var nodes: Set<AVAudioNode> = []
    /// The mixer before the output, once it has been asked for.
    var mixer: AVAudioMixerNode?
    private var capture: InputCapture?
    private var playback: OutputRendering?
    private let isStarted = Atomic<Bool>(false)
    /// Frames rendered to the output since the engine was made.
    private var renderedFrames: AVAudioFramePosition = 0
    /// Frames rendered of mixers that nothing plays.
    private var unplayedFrames: AVAudioFramePosition = 0
    /// Rendering without a device.
    var manualRendering: ManualRendering?

    /// Opens a device to play to; replaced by tests.
    package var openPlayback: @Sendable (PlaybackConfiguration) throws -> any PlaybackBackend = { try $0.open() }
    /// Creates the capture of a format; replaced by tests.
    package var makeCapture: @Sendable (CaptureConfiguration, _ removesEcho: Bool) -> AudioCapture = { configuration, removesEcho in
        AudioCapture(configuration, source: removesEcho ? .cancellingEcho() : .system)
    }

    /// Creates an engine with the nodes of the devices.
    public override init() {
        super.init()
        inputNode.engine = self
        outputNode.engine = self
        nodes = [inputNode, outputNode]
    }

    deinit {
        capture?.stop()
        playback?.stop()
        for case let player as AVAudioPlayerNode in nodes { player.stop() }
    }

    /// The format of the output, and of mixers without one of their own.
    var mixingFormat: AVAudioFormat { lock.withLock { manualRendering?.format ?? .usual } }

    // MARK: Running

    /// Whether the engine runs.
    public var isRunning: Bool { isStarted.load(ordering: .acquiring) }

    /// Does nothing: devices are opened by ``start()``.
    public func prepare() {}

    /// Opens the devices that the graph needs: the input if it has a tap, the output if something is connected to it.
    ///
    /// Blocks until they are open.
    ///
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio` if a device can't be opened, or the graph needs none.
    open func start() throws {
        try lock.withLock {
            guard !isRunning else { return }
            guard manualRendering != nil || outputNode.connectedSource != nil || inputNode.hasTap || isInputConnected else {
                throw NSError(avfaudio: kAudioUnitErr_Uninitialized, "no tap is installed, and nothing is connected to the output")
            }
            for node in nodes { node.setRenderTime(nil) }
            try openDevices()
            isStarted.store(true, ordering: .releasing)
        }
    }

    /// Stops when the device has played what was rendered, at most 60 ms; players keep what waits, and continue after the next start.
    open func pause() { halt(drains: true) }

    /// Stops, and closes the devices.
    open func stop() {
        halt()
        for node in attachedNodes { (node as? AVAudioPlayerNode)?.stop() }
    }

    /// Discards all audio that waits in the nodes; rendering without a device begins at 0 again.
    open func reset() {
        for node in attachedNodes { node.reset() }
        lock.withLock { manualRendering?.sampleTime = 0 }
    }

    /// Closes the devices.
    ///
    /// - Parameter drains: Whether what was rendered is played before.
    private func halt(drains: Bool = false) {
        let (capture, playback) = lock.withLock {
            defer {
                self.capture = nil
                self.playback = nil
                isStarted.store(false, ordering: .releasing)
            }
            return (self.capture, self.playback)
        }
        capture?.stop()
        playback?.stop(drains: drains)
    }

    /// Counts frames that are rendered to the output; returns the number before them.
    func advance(by frameCount: Int) -> AVAudioFramePosition {
        lock.withLock {
            defer { renderedFrames += AVAudioFramePosition(frameCount) }
            return renderedFrames
        }
    }

    /// Ends after a failure of a device, and tells observers.
    ///
    /// - Parameter rendering: What plays to the device; nil for one that could not be opened. One that was stopped meanwhile is ignored.
    func failDevice(of rendering: OutputRendering? = nil) {
        guard rendering == nil || lock.withLock({ playback === rendering }) else { return }
        halt()
        NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: self)
    }

    /// Opens the devices that the graph needs and that aren't open: both or none.
    func openDevices() throws {
        guard manualRendering == nil else { return }
        let opened = capture == nil && (inputNode.hasTap || isInputConnected) ? try InputCapture(inputNode, makeCapture) : nil
        do {
            if playback == nil, let source = outputNode.connectedSource, hasSources(source) {
                playback = try OutputRendering(self, openPlayback)
            }
        } catch {
            opened?.stop()
            throw error
        }
        capture = capture ?? opened
    }

    /// Opens the input when a tap is installed while the engine runs.
    func noteTap(of node: AVAudioNode) {
        lock.withLock {
            guard isRunning, node === inputNode else { return }
            // Without the input the tap stays silent, as with Core Audio.
            try? openDevices()
        }
    }

    // MARK: Paths

    /// Whether a mixer or the output has the input as a source.
    var isInputConnected: Bool {
        lock.withLock { outputNode.connectedSource === inputNode || !mixers(of: inputNode).isEmpty }
    }

    /// Whether a node has audio: a mixer without sources has none.
    private func hasSources(_ node: AVAudioNode) -> Bool {
        guard let mixer = node as? AVAudioMixerNode else { return true }
        return mixer.sources.contains { hasSources($0) }
    }

    /// Returns the mixers that a node is a source of.
    private func mixers(of node: AVAudioNode) -> [AVAudioMixerNode] {
        nodes.compactMap { $0 as? AVAudioMixerNode }.filter { mixer in mixer.sources.contains { $0 === node } }
    }

    /// More frames than a rate converter takes ahead of its output, at the lower rate: 1400 from 8 to 48 kHz.
    private static let converterReserve = 1500.0

    /// Renders mixers that the input feeds and nothing plays, so that their taps receive it.
    ///
    /// - Parameter time: The time of the latest audio that was captured.
    func renderUnplayed(at time: AVAudioTime) {
        let end = lock.withLock { () -> AVAudioMixerNode? in
            guard var end = mixers(of: inputNode).first else { return nil }
            while let next = mixers(of: end).first { end = next }
            return playback != nil && outputNode.connectedSource === end ? nil : end
        }
        guard let end else { return }
        let (rate, inputRate) = (end.format.sampleRate, max(1, inputNode.format.sampleRate))
        let reserve = rate == inputRate ? 0 : Self.converterReserve * max(1, inputRate / rate)
        let frameCount = Int((Double(inputNode.waitingFrameCount) - reserve) * rate / inputRate)
        guard frameCount > 0 else { return }
        renderLock.withLock {
            _ = end.pull(frameCount, at: AVAudioTime(host: time.validHostTime, sample: unplayedFrames, sampleRate: rate))
            unplayedFrames += AVAudioFramePosition(frameCount)
        }
    }
}
#endif
