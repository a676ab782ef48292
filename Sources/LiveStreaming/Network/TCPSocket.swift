// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Options and state of the descriptor of a TCP socket, for connections of this module and those of libraries.
enum TCPSocket {
    /// The size of the system's buffer for sending, in bytes (the system doubles it): about two seconds at 256 kb/s.
    ///
    /// A larger one, up to 4 MB where the system chooses, would hide from the queue that the network is slow.
    private static let sendBufferSize: Int32 = 32_768

    /// Prepares a socket for a live stream.
    static func setOptions(_ descriptor: Int32) {
        // Access units are small and must not wait for each other.
        set(TCP_NODELAY, of: Int32(IPPROTO_TCP), to: 1, descriptor)
        set(SO_SNDBUF, of: SOL_SOCKET, to: sendBufferSize, descriptor)
    }

    /// Sets an option of a socket; one that the system lacks stays as it is.
    static func set(_ option: Int32, of level: Int32, to value: Int32, _ descriptor: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Returns the number of bytes in the system's buffer whose arrival the other system has not confirmed.
    static func unconfirmedByteCount(_ descriptor: Int32) -> Int {
        var count: Int32 = 0
        #if canImport(Darwin)
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 else { return 0 }
        #else
        // SIOCOUTQ (tcp(7)), which is TIOCOUTQ.
        guard ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
        #endif
        return Int(count)
    }
}
