// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)

internal import SystemLibrary
internal import SystemFiles

/// The sockets of this program for TCP, which a library does not tell.
///
/// Sockets are known by the numbers of their nodes: a descriptor may be that of another one after a moment.
enum OpenSockets {
    /// Returns the node and the descriptor of each TCP socket.
    static func all() -> [UInt: Int32] {
        var sockets: [UInt: Int32] = [:]
        for name in (try? Folder.names(in: "/proc/self/fd")) ?? [] {
            guard let descriptor = Int32(name), let node = node(of: descriptor) else { continue }
            sockets[node] = descriptor
        }
        return sockets
    }

    /// Returns the node of a TCP socket; nil for other files.
    private static func node(of descriptor: Int32) -> UInt? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        guard option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue) else { return nil }
        guard let domain = option(SO_DOMAIN, of: descriptor), domain == AF_INET || domain == AF_INET6 else { return nil }
        return UInt(status.st_ino)
    }

    /// Returns an option of a socket.
    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    /// Whether the next socket can be waited for with select(2), which ends the program at a descriptor of 1024 or more.
    static var nextCanBeSelected: Bool {
        guard let next = try? OpenFile(reading: "/dev/null") else { return false }
        return next.descriptor < 1024 - descriptorMargin
    }

    /// The number of files that other threads may open meanwhile.
    private static let descriptorMargin = 24

    /// Returns the port that a socket is connected to; nil if it is not connected.
    static func peerPort(of descriptor: Int32) -> Int? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
        }
        guard status == 0 else { return nil }
        // The port is at the same place in the addresses of both protocols.
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { Int(UInt16(bigEndian: $0.pointee.sin_port)) }
        }
    }
}

#endif
