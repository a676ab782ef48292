// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)

internal import SystemLibrary
internal import LiveAudio
internal import Synchronization

/// Opens the connection of a libshout object, and finds its socket.
struct ShoutLogin {
    /// Lets one stream at a time call libshout while it connects, so that a new socket is known to be its own.
    ///
    /// No call waits for the network.
    private static let oneAtATime = Mutex(())
    /// The time between two looks at a connection that is being opened, in microseconds: a look reads the list of open
    /// descriptors, and a login needs about three.
    private static let pollInterval: UInt32 = 20_000

    private let handle: ShoutHandle
    private let port: Int
    /// The nodes of the sockets that libshout has opened.
    private var ownNodes: Set<UInt> = []
    /// Whether the server's system has accepted a connection.
    private var wasConnected = false

    /// Creates an object for a connection that is not open.
    ///
    /// - Parameters:
    ///   - handle: The libshout object.
    ///   - port: The server's port.
    init(_ handle: ShoutHandle, port: Int) {
        self.handle = handle
        self.port = port
    }

    /// Waits until the server accepts the stream.
    ///
    /// - Returns: The socket; nil if it can't be told from others.
    mutating func connect(timeout: Duration, abort: ConnectionAbort) throws(StreamingError) -> ShoutSocket? {
        let deadline = ContinuousClock.now + timeout
        var state = try step { handle throws(StreamingError) in try handle.open() }
        while state == .connecting {
            if abort.isRequested { throw .network(.aborted) }
            guard ContinuousClock.now < deadline else {
                // libshout goes on waiting after a server has closed the connection without an answer.
                throw .network(.timedOut(wasConnected ? .handshake : .connect, after: timeout))
            }
            usleep(Self.pollInterval)
            wasConnected = wasConnected || !connectedDescriptors.isEmpty
            state = try step { handle throws(StreamingError) in try handle.state() }
        }
        return duplicateSocket()
    }

    /// Calls libshout, and notes the sockets that it opens.
    private mutating func step(
        _ body: (ShoutHandle) throws(StreamingError) -> ShoutHandle.State
    ) throws(StreamingError) -> ShoutHandle.State {
        let handle = handle
        let (result, nodes) = Self.oneAtATime.withLock { _ in
            let before = OpenSockets.all()
            let result = Result { () throws(StreamingError) in try body(handle) }
            return (result, OpenSockets.all().keys.filter { before[$0] == nil })
        }
        ownNodes.formUnion(nodes)
        return try result.get()
    }

    /// Returns the connected socket with a descriptor of its own; nil if there is none, or more than one.
    ///
    /// Other streams that connect wait meanwhile: a list of sockets that is read while one gets a second descriptor and loses its first can
    /// miss it, and then takes it for a new one.
    private func duplicateSocket() -> ShoutSocket? {
        Self.oneAtATime.withLock { _ in
            let descriptors = connectedDescriptors
            return descriptors.count == 1 ? ShoutSocket(duplicating: descriptors[0]) : nil
        }
    }

    /// The descriptors of the sockets that libshout has opened and that are connected to the server's port.
    private var connectedDescriptors: [Int32] {
        OpenSockets.all().compactMap { node, descriptor in
            ownNodes.contains(node) && OpenSockets.peerPort(of: descriptor) == port ? descriptor : nil
        }
    }
}

#endif
