// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The address of a socket of the Internet protocols.
struct SocketAddress {
    /// The bytes of a `sockaddr`.
    private let bytes: [UInt8]

    /// Whether the address is one of IPv6.
    let isIPv6: Bool

    /// Returns the addresses of a host for datagrams, in the order of the resolver.
    ///
    /// - Parameters:
    ///   - host: A name or an address; empty for all addresses of this machine.
    ///   - port: The port.
    static func resolve(_ host: String, port: Int) throws(NetworkError) -> [SocketAddress] {
        var hints = addrinfo()
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        #else
        hints.ai_socktype = SOCK_DGRAM
        #endif
        hints.ai_flags = host.isEmpty ? AI_PASSIVE : 0
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host.isEmpty ? nil : host, String(port), &hints, &list)
        guard status == 0 else {
            // A resolver without a network may have an answer later.
            if status == EAI_AGAIN { throw .failed(.connect, code: ENETUNREACH) }
            throw .hostNotFound(host: host, reason: String(cString: gai_strerror(status)))
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let info = next?.pointee {
            next = info.ai_next
            let bytes = Array(UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
            addresses.append(SocketAddress(bytes: bytes, isIPv6: info.ai_family == AF_INET6))
        }
        return addresses
    }

    /// Calls a function with the address and its size.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>?, Int) -> Result) -> Result {
        bytes.withUnsafeBytes { body($0.baseAddress?.assumingMemoryBound(to: sockaddr.self), $0.count) }
    }
}
