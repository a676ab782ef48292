// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles
package import SystemLibrary

/// An IPv4 or IPv6 socket address.
package struct SocketAddress {
    package enum Kind {
        case stream
        case datagrams

        var socketType: Int32 {
            #if canImport(Glibc)
            Int32(self == .stream ? SOCK_STREAM.rawValue : SOCK_DGRAM.rawValue)
            #else
            self == .stream ? SOCK_STREAM : SOCK_DGRAM
            #endif
        }

        /// Creates a non-blocking socket.
        ///
        /// - Parameter family: The system's address family.
        func makeSocket(family: Int32) throws(StreamingError) -> OpenFile {
            #if canImport(Glibc)
            let descriptor = SystemLibrary.socket(family, socketType | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw .connectionFailed(.connect, code: errno) }
            #else
            let descriptor = SystemLibrary.socket(family, socketType, 0)
            guard descriptor >= 0 else { throw .connectionFailed(.connect, code: errno) }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            #endif
            return OpenFile(owning: descriptor)
        }
    }

    /// The bytes of a `sockaddr`.
    private let bytes: [UInt8]

    let family: Int32

    var isIPv6: Bool { family == AF_INET6 }

    /// Calls `open` with each address of a host.
    ///
    /// Returns the first result, or throws the last error.
    ///
    /// - Parameter host: A name or an IP address; empty for all local addresses.
    static func first<Sockets>(
        _ host: String, port: Int, open: (SocketAddress) throws(StreamingError) -> Sockets
    ) throws(StreamingError) -> Sockets {
        var failure = StreamingError.closedByPeer
        for address in try resolve(host, port: port, for: .datagrams) {
            do throws(StreamingError) { return try open(address) } catch { failure = error }
        }
        throw failure
    }

    /// Returns the addresses of a host, in the resolver's order.
    ///
    /// - Parameter host: A name or an IP address; empty for all local addresses.
    package static func resolve(_ host: String, port: Int, for kind: Kind) throws(StreamingError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = kind.socketType
        hints.ai_flags = host.isEmpty ? AI_PASSIVE : 0
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host.isEmpty ? nil : host, String(port), &hints, &list)
        guard status == 0 else {
            // Without a network, the resolver may succeed later.
            if status == EAI_AGAIN { throw .connectionFailed(.connect, code: ENETUNREACH) }
            throw .hostNotFound(host: host, reason: String(cString: gai_strerror(status)))
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let info = next?.pointee {
            next = info.ai_next
            let bytes = Array(UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
            addresses.append(SocketAddress(bytes: bytes, family: info.ai_family))
        }
        return addresses
    }

    /// The numeric host, such as `127.0.0.1`.
    var numericHost: String {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        // The size's type differs between systems.
        let status = withPointer { getnameinfo($0, socklen_t($1), &name, numericCast(NI_MAXHOST), nil, 0, NI_NUMERICHOST) }
        return status == 0 ? String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
    }

    func withPort(_ port: Int) -> SocketAddress {
        var bytes = bytes
        // In IPv4 and IPv6 addresses the big-endian port follows the family.
        bytes[2] = UInt8(truncatingIfNeeded: port >> 8)
        bytes[3] = UInt8(truncatingIfNeeded: port)
        return SocketAddress(bytes: bytes, family: family)
    }

    package func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, Int) -> Result) -> Result {
        func call(_ start: UnsafeRawPointer) -> Result { body(start.assumingMemoryBound(to: sockaddr.self), bytes.count) }
        return call(bytes)
    }
}
