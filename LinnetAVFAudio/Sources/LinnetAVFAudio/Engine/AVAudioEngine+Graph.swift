// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
extension AVAudioEngine {
    /// The attached nodes.
    public var attachedNodes: Set<AVAudioNode> { lock.withLock { nodes } }

    /// The mixer before the output.
    ///
    /// Created and connected on first use.
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

    /// Attaches a node.
    public func attach(_ node: AVAudioNode) {
        lock.withLock {
            node.engine = self
            nodes.insert(node)
        }
    }

    /// Detaches a node and removes its connections.
    ///
    /// Stops a player.
    public func detach(_ node: AVAudioNode) {
        lock.withLock {
            disconnectNodeOutput(node)
            disconnectNodeInput(node)
            nodes.remove(node)
            if node === mixer { mixer = nil }
            node.engine = nil
        }
        (node as? AVAudioPlayerNode)?.stop()
    }

    /// Connects the output of a node to the next free input of another.
    ///
    /// - Parameters:
    ///   - node1: A player, source node or mixer.
    ///   - node2: A mixer or the output.
    ///   - format: The format of the connection; `nil` uses the source's format, or else the mixer's.
    public func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
        let bus = (node2 as? AVAudioMixerNode)?.nextAvailableInputBus ?? 0
        connect(node1, to: node2, fromBus: 0, toBus: bus, format: format)
    }

    /// Connects the output of a node to an input of another.
    ///
    /// - Parameters:
    ///   - node1: A player, source node or mixer.
    ///   - node2: A mixer or the output.
    ///   - bus1: The output, 0.
    ///   - bus2: The input.
    ///   - format: The format of the connection; `nil` uses the source's format, or else the mixer's.
    public func connect(
        _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus, toBus bus2: AVAudioNodeBus, format: AVAudioFormat?
    ) {
        precondition(bus1 == 0, "node outputs other than 0 do not exist")
        let isOpen = lock.withLock {
            precondition(nodes.contains(node1) && nodes.contains(node2), "attach nodes before connecting them")
            disconnectNodeOutput(node1)
            if let format { node1.connectedFormat = format }
            switch node2 {
            case let mixer as AVAudioMixerNode: mixer.connect(node1, bus: bus2)
            case let output as AVAudioOutputNode: output.connect(node1)
            default: preconditionFailure("\(type(of: node2)) has no inputs")
            }
            guard isRunning else { return true }
            do { try openDevices() } catch { return false }
            return true
        }
        // A device that cannot be opened now is reported like a later failure, without the lock that its thread may wait for.
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
            node.setRenderTime(nil)
        }
    }
}
#endif
