// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)

internal import AudioContainers
internal import AudioPrimitives
internal import SystemLibrary
internal import LiveAudio

/// Sends access units as ADTS to an Icecast server by libshout.
final class ShoutConnection: StreamingConnection {
    /// The time between two attempts to send what libshout keeps, in milliseconds; the system ends it early when it has room.
    private static let pollInterval = 50

    private let handle: ShoutHandle
    /// The socket; nil if libshout's could not be told from others.
    ///
    /// Then what the system holds counts as arrived.
    let socket: ShoutSocket?
    private let framer: ADTSFramer
    private let titles: ShoutTitleUpdater
    private let timeout: Duration
    private let abort: ConnectionAbort
    /// The number of bytes passed to libshout.
    private var sentByteCount = 0
    /// The number of bytes sent up to the end of each unit whose arrival is not confirmed.
    private var unitEnds: [Int] = []
    private var isClosed = false

    /// Connects and starts the stream.
    ///
    /// - Parameters:
    ///   - configuration: The mount point.
    ///   - format: The format of the stream.
    ///   - framer: Makes ADTS frames.
    ///   - timeout: The time for connecting, and for each sending.
    ///   - abort: Ends all waiting.
    init(
        _ configuration: ShoutHandle.Configuration, format: RecordingFormat, framer: ADTSFramer, timeout: Duration, abort: ConnectionAbort
    ) throws(StreamingError) {
        self.framer = framer
        self.timeout = timeout
        self.abort = abort
        titles = ShoutTitleUpdater(configuration)
        handle = try ShoutHandle(configuration, format: format)
        var login = ShoutLogin(handle, port: configuration.address.port)
        socket = try login.connect(timeout: timeout, abort: abort)
    }

    /// Sends a unit.
    ///
    /// A unit that ADTS can't hold, because it is empty or longer than 8184 bytes, is left out: every connection would fail at it.
    func send(_ unit: AccessUnit) throws(StreamingError) {
        unitEnds.append(.max)
        // After the server has closed the connection, nothing sent would arrive.
        try idle()
        guard let frame = try? framer.frame(unit) else {
            unitEnds.removeLast()
            return
        }
        // libshout keeps any number of bytes: it gets a unit when it has sent the one before.
        try drain()
        sentByteCount += frame.count
        unitEnds[unitEnds.count - 1] = sentByteCount
        guard handle.send(frame) else { throw .network(.closedByPeer) }
        updateArrivals()
    }

    /// The number of the latest units of which libshout or the system still holds a byte.
    var unconfirmedUnitCount: Int {
        if !isClosed { updateArrivals() }
        return unitEnds.count
    }

    /// Notices the end of the connection, and sends what libshout keeps.
    func idle() throws(StreamingError) {
        guard socket?.isClosedByPeer != true, handle.send([]) else { throw .network(.closedByPeer) }
    }

    /// Shows a title soon.
    func setTitle(_ title: String) { titles.set(title) }

    /// Ends the connection; at the end of the stream, waits until the server has received everything.
    func close(isComplete: Bool) throws(StreamingError) {
        guard !isClosed else { return }
        titles.end()
        defer {
            socket?.close()
            isClosed = true
        }
        guard isComplete else {
            updateArrivals()
            handle.close()
            return
        }
        try drain()
        // Sends the end of TLS; the socket stays open by its other descriptor.
        let sentByteCount = sentByteCount
        handle.close()
        defer { removeUnits(upTo: sentByteCount - (socket?.unconfirmedByteCount ?? 0)) }
        do throws(NetworkError) {
            try socket?.finish(timeout: timeout, abort: abort)
        } catch {
            throw .network(error)
        }
    }

    /// Waits until libshout keeps nothing.
    private func drain() throws(StreamingError) {
        let deadline = ContinuousClock.now + timeout
        while handle.keptByteCount > 0 {
            if abort.isRequested { throw .network(.aborted) }
            guard ContinuousClock.now < deadline else { throw .network(.timedOut(.send, after: timeout)) }
            if let socket {
                socket.waitForRoom(Self.pollInterval)
            } else {
                usleep(UInt32(Self.pollInterval) * 1000)
            }
            try idle()
        }
    }

    /// Removes the units that have arrived: neither libshout nor the system keeps a byte of them.
    private func updateArrivals() {
        removeUnits(upTo: sentByteCount - handle.keptByteCount - (socket?.unconfirmedByteCount ?? 0))
    }

    /// Removes the units that end within a number of bytes.
    private func removeUnits(upTo byteCount: Int) { unitEnds.removeAll { $0 <= byteCount } }
}

#endif
