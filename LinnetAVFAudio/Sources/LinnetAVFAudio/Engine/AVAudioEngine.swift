// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
package import AudioDevices
internal import CLinnetAudioTypes
public import Foundation
internal import Synchronization

extension Notification.Name {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Posted when the engine stopped after a device failure.
    public static let AVAudioEngineConfigurationChange = Notification.Name("AVAudioEngineConfigurationChangeNotification")
}

/// Records from the default input and plays to the default output, or renders without devices.
///
/// Nodes are players, source nodes, mixers, the input and the output; there are no effects. All members may be used from any thread.
open class AVAudioEngine: NSObject {
    /// The default input.
    public let inputNode = AVAudioInputNode()
    /// The default output.
    public let outputNode = AVAudioOutputNode()

    /// Protects the graph and the devices.
    let lock = NSRecursiveLock()
    /// Held while nodes render.
    ///
    /// Only one thread renders at a time.
    let renderLock = NSRecursiveLock()
    /// The attached nodes.
    var nodes: Set<AVAudioNode> = []
    /// The mixer before the output, once it has been used.
    var mixer: AVAudioMixerNode?
    private var capture: InputCapture?
    private var playback: OutputRendering?
    private let isStarted = Atomic<Bool>(false)
    /// Whether the engine was paused, so that rendering continues where it ended.
    private var isPaused = false
    /// Frames rendered to the output since the engine was created.
    private var renderedFrames: AVAudioFramePosition = 0
    /// Frames rendered for mixers without an output.
    private var unplayedFrames: AVAudioFramePosition = 0
    /// The state of manual rendering; `nil` with devices.
    var manualRendering: ManualRendering?

    /// Opens a playback device.
    ///
    /// Replaced by tests.
    package var openPlayback: @Sendable (PlaybackConfiguration) throws -> any PlaybackBackend = { try $0.open() }
    /// Creates the capture.
    ///
    /// Replaced by tests.
    package var makeCapture: @Sendable (CaptureConfiguration, _ removesEcho: Bool) -> AudioCapture = { configuration, removesEcho in
        AudioCapture(configuration, source: removesEcho ? .cancellingEcho() : .system)
    }

    /// Creates an engine with its input and output nodes.
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

    /// The format of the output, and of mixers without their own format.
    var mixingFormat: AVAudioFormat { lock.withLock { manualRendering?.format ?? .usual } }

    // MARK: Running

    /// Whether the engine is running.
    public var isRunning: Bool { isStarted.load(ordering: .acquiring) }

    /// Does nothing; ``start()`` opens the devices.
    public func prepare() {}

    /// Opens the devices that the graph needs: the input if it has a tap, the output if something is connected to it.
    ///
    /// Blocks until they are open.
    ///
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio` if a device cannot be opened or the graph needs none.
    open func start() throws {
        try lock.withLock {
            guard !isRunning else { return }
            guard manualRendering != nil || outputNode.connectedSource != nil || inputNode.hasTap || isInputConnected else {
                throw NSError(avfaudio: kAudioUnitErr_Uninitialized, "nothing to run; install a tap or connect a node to the output")
            }
            for node in nodes {
                node.setRenderTime(nil)
                if !isPaused { node.emptyTap() }
            }
            inputNode.reset()
            try openDevices()
            isStarted.store(true, ordering: .releasing)
        }
    }

    /// Stops after the device has played all rendered audio, at most 60 ms.
    ///
    /// Players keep their queues and continue after the next start.
    open func pause() { halt(drains: true) }

    /// Stops and closes the devices.
    open func stop() {
        halt()
        for node in attachedNodes { (node as? AVAudioPlayerNode)?.stop() }
    }

    /// Discards all queued audio of the nodes.
    ///
    /// Resets the time of manual rendering to 0.
    open func reset() {
        for node in attachedNodes { node.reset() }
        lock.withLock { manualRendering?.sampleTime = 0 }
    }

    /// Closes the devices.
    ///
    /// - Parameter drains: Whether to play all rendered audio first.
    private func halt(drains: Bool = false) {
        let (capture, playback) = lock.withLock {
            defer {
                self.capture = nil
                self.playback = nil
                isPaused = drains
                isStarted.store(false, ordering: .releasing)
            }
            return (self.capture, self.playback)
        }
        capture?.stop()
        playback?.stop(drains: drains)
    }

    /// Counts frames rendered to the output.
    ///
    /// Returns the previous count.
    func advance(by frameCount: Int) -> AVAudioFramePosition {
        lock.withLock {
            defer { renderedFrames += AVAudioFramePosition(frameCount) }
            return renderedFrames
        }
    }

    /// Stops after a device failure and notifies observers.
    ///
    /// - Parameter rendering: The failed rendering; `nil` for a device that could not be opened. Ignored if it was stopped in the meantime.
    func failDevice(of rendering: OutputRendering? = nil) {
        guard rendering == nil || lock.withLock({ playback === rendering }) else { return }
        halt()
        NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: self)
    }

    /// Opens the devices that the graph needs and that are not open: both or none.
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

    /// Opens the input when a tap is installed while the engine is running.
    func recordTap(of node: AVAudioNode) {
        lock.withLock {
            guard isRunning, node === inputNode else { return }
            // As in Core Audio, a tap without an input is silent.
            try? openDevices()
        }
    }

    // MARK: Paths

    /// Whether the input is a source of a mixer or the output.
    var isInputConnected: Bool {
        lock.withLock { outputNode.connectedSource === inputNode || !mixers(of: inputNode).isEmpty }
    }

    /// Whether a node has audio.
    ///
    /// A mixer without sources is silent.
    private func hasSources(_ node: AVAudioNode) -> Bool {
        guard let mixer = node as? AVAudioMixerNode else { return true }
        return mixer.sources.contains { hasSources($0) }
    }

    /// Returns the mixers that a node is a source of.
    private func mixers(of node: AVAudioNode) -> [AVAudioMixerNode] {
        nodes.compactMap { $0 as? AVAudioMixerNode }.filter { mixer in mixer.sources.contains { $0 === node } }
    }

    /// An upper limit of the frames that a sample rate converter reads ahead, at the lower rate: 1400 from 8 to 48 kHz.
    private static let converterReserve = 1500.0

    /// Renders mixers that the input feeds but that are not connected to the output, so that their taps get audio.
    ///
    /// - Parameter time: The time of the latest captured audio.
    func renderUnplayed(at time: AVAudioTime) {
        let end = lock.withLock { () -> AVAudioMixerNode? in
            // While the engine stops, capture ends after playback; players must not advance then.
            guard isStarted.load(ordering: .acquiring), var end = mixers(of: inputNode).first else { return nil }
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
