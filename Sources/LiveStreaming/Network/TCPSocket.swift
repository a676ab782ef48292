// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Options and state of a TCP socket, owned by this module or by a library.
enum TCPSocket {
    /// The size of the system's send buffer in bytes, which the system doubles: about two seconds at 256 kbit/s.
    ///
    /// A larger buffer (systems choose up to 4 MB) would hide a slow network from the queue.
    private static let sendBufferSize: Int32 = 32_768

    /// Configures a socket for a live stream.
    static func setOptions(_ descriptor: Int32) {
        // Access units are small and must not be delayed.
        set(TCP_NODELAY, of: Int32(IPPROTO_TCP), to: 1, descriptor)
        set(SO_SNDBUF, of: SOL_SOCKET, to: sendBufferSize, descriptor)
    }

    /// Sets a socket option, if the system supports it.
    static func set(_ option: Int32, of level: Int32, to value: Int32, _ descriptor: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Returns the number of bytes in the send buffer that the peer has not acknowledged.
    static func unconfirmedByteCount(_ descriptor: Int32) -> Int {
        var count: Int32 = 0
        #if canImport(Darwin)
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 else { return 0 }
        #else
        // SIOCOUTQ (tcp(7)) equals TIOCOUTQ.
        guard ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 else { return 0 }
        #endif
        return Int(count)
    }
}
