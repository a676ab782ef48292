// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles
internal import SystemLibrary

/// A non-blocking UDP socket.
///
/// Must be used by one thread at a time.
package final class UDPSocket {
    /// The size of the system's receive buffer in bytes: seconds of audio, for the time until a device is ready.
    private static let receiveBufferSize: Int32 = 1_048_576
    private static let maximumDatagramByteCount = 65_536

    private let socket: OpenFile
    private var buffer = [UInt8](repeating: 0, count: maximumDatagramByteCount)

    /// The file descriptor, for `poll`.
    var descriptor: Int32 { socket.descriptor }

    private init(family: Int32) throws(StreamingError) {
        socket = try SocketAddress.Kind.datagrams.makeSocket(family: family)
    }

    package convenience init(sendingTo address: SocketAddress) throws(StreamingError) {
        try self.init(family: address.family)
        let descriptor = descriptor
        guard address.withPointer({ connect(descriptor, $0, socklen_t($1)) }) == 0 else { throw .connectionFailed(.connect, code: errno) }
    }

    package convenience init(receivingAt address: SocketAddress) throws(StreamingError) {
        try self.init(family: address.family)
        let descriptor = descriptor
        TCPSocket.set(SO_RCVBUF, of: SOL_SOCKET, to: Self.receiveBufferSize, descriptor)
        guard address.withPointer({ bind(descriptor, $0, socklen_t($1)) }) == 0 else { throw .connectionFailed(.connect, code: errno) }
    }

    /// Sends a datagram.
    ///
    /// A datagram is lost, as on a network, if the system's buffer is full or if the peer refuses it because no receiver listens yet.
    package func send(_ datagram: [UInt8]) throws(StreamingError) {
        let count = SystemLibrary.send(descriptor, datagram, datagram.count, 0)
        guard count < 0, ![EAGAIN, ECONNREFUSED, EINTR, ENOBUFS].contains(errno) else { return }
        throw .connectionFailed(.send, code: errno)
    }

    /// Returns the next queued datagram, if any.
    package func receive() -> [UInt8]? {
        let count = buffer.withUnsafeMutableBytes { recv(socket.descriptor, $0.baseAddress, $0.count, 0) }
        return count < 0 ? nil : Array(buffer[..<count])
    }

    /// Waits until one of several sockets has received data, for at most one second.
    package static func wait(for sockets: [UDPSocket], timeout: Duration) {
        var entries = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        let milliseconds = Int32(max(0, min(timeout / .milliseconds(1), 1000)).rounded(.up))
        _ = poll(&entries, nfds_t(entries.count), milliseconds)
    }
}
