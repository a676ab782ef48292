// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if !canImport(Darwin)
internal import AudioDevices
internal import CLinnetAudioTypes
public import Foundation

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

    let lock = NSRecursiveLock()
    private var nodes: Set<AVAudioNode> = []
    private var mixer: AVAudioMixerNode?
    private var capture: InputCapture?
    private var playback: OutputRendering?
    private var isStarted = false
    /// Frames rendered to the output since the engine was made.
    private var renderedFrames: AVAudioFramePosition = 0
    /// The format of the device, or of rendering without one.
    private var outputFormat: AVAudioFormat?
    /// Rendering without a device.
    var manualRendering: ManualRendering?

    /// Opens a device to play to; replaced by tests.
    var openPlayback: @Sendable (PlaybackConfiguration) throws -> any PlaybackDevice = { try PlaybackDevices.open($0) }
    /// Creates the capture of a format; replaced by tests.
    var makeCapture: @Sendable (CaptureConfiguration, _ removesEcho: Bool) -> AudioCapture = { configuration, removesEcho in
        guard removesEcho else { return AudioCapture(configuration) }
        let backend = EchoCancellingBackend(microphone: AutomaticCaptureBackend(), monitor: AutomaticCaptureBackend())
        return AudioCapture(configuration, backend: backend)
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
    }

    // MARK: Graph

    /// All nodes of the engine.
    public var attachedNodes: Set<AVAudioNode> { lock.withLock { nodes } }

    /// The mixer in front of the output; made and connected when it is first asked for.
    public var mainMixerNode: AVAudioMixerNode {
        lock.withLock {
            if let mixer { return mixer }
            let new = AVAudioMixerNode()
            mixer = new
            attach(new)
            connect(new, to: outputNode, format: nil)
            return new
        }
    }

    /// Adds a node.
    public func attach(_ node: AVAudioNode) {
        lock.withLock {
            node.engine = self
            nodes.insert(node)
        }
    }

    /// Removes a node and its connections.
    public func detach(_ node: AVAudioNode) {
        lock.withLock {
            disconnectNodeOutput(node)
            disconnectNodeInput(node)
            nodes.remove(node)
            node.engine = nil
        }
    }

    /// Connects the output of a node to the next free input of another.
    ///
    /// - Parameters:
    ///   - node1: A player, a source node or a mixer.
    ///   - node2: A mixer or the output.
    ///   - format: The format of the connection; nil for that of the source, or else the mixer's.
    public func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
        let bus = (node2 as? AVAudioMixerNode)?.nextAvailableInputBus ?? 0
        connect(node1, to: node2, fromBus: 0, toBus: bus, format: format)
    }

    /// Connects the output of a node to an input of another.
    ///
    /// - Parameters:
    ///   - node1: A player, a source node or a mixer.
    ///   - node2: A mixer or the output.
    ///   - bus1: The output, 0.
    ///   - bus2: The input.
    ///   - format: The format of the connection; nil for that of the source, or else the mixer's.
    public func connect(
        _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus, toBus bus2: AVAudioNodeBus, format: AVAudioFormat?
    ) {
        precondition(bus1 == 0, "a node has one output")
        let isOpen = lock.withLock {
            precondition(nodes.contains(node1) && nodes.contains(node2), "nodes are attached before they are connected")
            disconnectNodeOutput(node1)
            if let format { node1.connectedFormat = format }
            switch node2 {
            case let mixer as AVAudioMixerNode: mixer.connect(node1, bus: bus2)
            case let output as AVAudioOutputNode: output.connect(node1)
            default: preconditionFailure("\(type(of: node2)) has no input")
            }
            guard isStarted else { return true }
            do { try openDevices() } catch { return false }
            return true
        }
        // A device that can't be opened now is reported as one that fails later, without the lock, which its thread may wait for.
        if !isOpen { failDevice() }
    }

    /// Disconnects all inputs of a node.
    public func disconnectNodeInput(_ node: AVAudioNode) {
        (node as? AVAudioMixerNode)?.disconnect { _, _ in true }
        (node as? AVAudioOutputNode)?.connect(nil)
    }

    /// Disconnects an input of a node.
    public func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
        (node as? AVAudioMixerNode)?.disconnect { $1 == bus }
        (node as? AVAudioOutputNode)?.connect(nil)
    }

    /// Disconnects the output of a node.
    public func disconnectNodeOutput(_ node: AVAudioNode) {
        lock.withLock {
            for case let mixer as AVAudioMixerNode in nodes { mixer.disconnect { source, _ in source === node } }
            if outputNode.connectedSource === node { outputNode.connect(nil) }
        }
    }

    /// The format of the output, and of mixers without one of their own.
    var mixingFormat: AVAudioFormat { lock.withLock { manualRendering?.format ?? outputFormat ?? .usual } }

    // MARK: Running

    /// Whether the engine runs.
    public var isRunning: Bool { lock.withLock { isStarted } }

    /// Does nothing: devices are opened by ``start()``.
    public func prepare() {}

    /// Opens the devices that the graph needs: the input if it has a tap, the output if something is connected to it.
    ///
    /// Blocks until they are open.
    ///
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio` if a device can't be opened, or the graph needs none.
    open func start() throws {
        try lock.withLock {
            guard !isStarted else { return }
            guard manualRendering != nil || outputNode.connectedSource != nil || inputNode.hasTap || isInputConnected else {
                throw NSError(avfaudio: kAudioUnitErr_Uninitialized, "no tap is installed, and nothing is connected to the output")
            }
            try openDevices()
            isStarted = true
        }
    }

    /// Stops; players keep what waits, and continue after the next start.
    open func pause() { halt() }

    /// Stops, and closes the devices.
    open func stop() {
        halt()
        for node in attachedNodes { (node as? AVAudioPlayerNode)?.stop() }
    }

    /// Discards all audio that waits in the nodes.
    open func reset() { for node in attachedNodes { node.reset() } }

    /// Closes the devices.
    private func halt() {
        let (capture, playback) = lock.withLock {
            defer {
                self.capture = nil
                self.playback = nil
                isStarted = false
            }
            return (self.capture, self.playback)
        }
        capture?.stop()
        playback?.stop()
    }

    /// Counts frames that are rendered to the output; returns the number before them.
    func advance(by frameCount: Int) -> AVAudioFramePosition {
        lock.withLock {
            defer { renderedFrames += AVAudioFramePosition(frameCount) }
            return renderedFrames
        }
    }

    /// Ends after a failure of a device, and tells observers.
    func failDevice() {
        halt()
        NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: self)
    }

    /// Opens the devices that the graph needs and that aren't open: both or none.
    private func openDevices() throws {
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
    func noteTapChange(of node: AVAudioNode) {
        lock.withLock {
            guard isStarted, node === inputNode, node.hasTap else { return }
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

    /// Renders mixers that the input feeds and nothing plays, so that their taps receive it.
    ///
    /// - Parameters:
    ///   - frameCount: The number of frames that were captured.
    ///   - time: The time of the first.
    func renderUnplayed(_ frameCount: Int, at time: AVAudioTime) {
        let ends = lock.withLock { () -> [AVAudioMixerNode] in
            guard playback == nil else { return [] }
            var ends = mixers(of: inputNode)
            while let next = ends.lazy.map({ self.mixers(of: $0) }).first(where: { !$0.isEmpty }) { ends = next }
            return ends
        }
        for mixer in ends {
            let frames = Double(frameCount) * mixer.format.sampleRate / max(1, inputNode.format.sampleRate)
            _ = mixer.pull(Int(frames.rounded()), at: time)
        }
    }
}
#endif
