// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Foundation
import Glibc
import LiveStreaming
import Synchronization

/// A certificate created with openssl and the authority that signed it.
struct Certificate: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "certificate-\(UUID().uuidString)").path
    var path: String { folder + "/server.pem" }
    var keyPath: String { folder + "/server.key" }
    var authorityPath: String { folder + "/authority.pem" }

    init(_ names: String..., days: Int = 2, isSelfSigned: Bool = false) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let signing = isSelfSigned ? "-signkey server.key" : "-CA authority.pem -CAkey authority.key -CAcreateserial"
        let script = """
            set -e; cd '\(folder)'; echo 'subjectAltName=\(names.joined(separator: ","))' >names
            key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
            openssl req -x509 $key -keyout authority.key -out authority.pem -days 3 -subj /CN=Test-Authority
            openssl req $key -keyout server.key -out server.csr -subj /CN=Test-Server
            openssl x509 -req -in server.csr \(signing) -out server.pem -days \(days) -extfile names
            """
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw StreamingError.destinationFailed(reason: "openssl makes no certificate") }
    }
}

/// A local server with a thread for each connection.
final class Server: Sendable {
    let port: Int
    private let listener: Int32
    private let failedHandshakes = Mutex(0)
    /// The number of clients that aborted the handshake.
    var failedHandshakeCount: Int { failedHandshakes.withLock { $0 } }

    /// Listens on a free port; a server without a certificate does not encrypt.
    init(
        _ certificate: Certificate?, on address: String = "127.0.0.1", lastVersion: Int? = nil, serve: @escaping @Sendable (Peer) -> Void
    ) throws {
        signal(SIGPIPE, SIG_IGN)
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, "0", &hints, &list) == 0, let info = list?.pointee else { throw StreamingError.closedByPeer }
        let listener = socket(info.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // Small, so that a waiting reader is detected after a few kilobytes.
        var size: Int32 = 4096
        setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, 4)
        guard bind(listener, info.ai_addr, info.ai_addrlen) == 0, listen(listener, 100) == 0 else { throw StreamingError.closedByPeer }
        var name = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutablePointer(to: &name) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        self.listener = listener
        port = Int(UInt16(bigEndian: name.sin6_port))
        nonisolated(unsafe) let context: OpaquePointer? = certificate.flatMap { certificate in
            let context = SSL_CTX_new(TLS_server_method())
            SSL_CTX_set_cipher_list(context, "DEFAULT:@SECLEVEL=0")
            SSL_CTX_ctrl(context, Int32(MODEL_SET_LEAST_VERSION), Int(MODEL_OLD_VERSION), nil)
            if let lastVersion { SSL_CTX_ctrl(context, Int32(MODEL_SET_LAST_VERSION), lastVersion, nil) }
            SSL_CTX_use_certificate_chain_file(context, certificate.path)
            SSL_CTX_use_PrivateKey_file(context, certificate.keyPath, Int32(MODEL_PEM))
            return context
        }
        Thread { [self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                Thread { [self] in
                    if let peer = Peer(descriptor, context) { serve(peer) } else { failedHandshakes.withLock { $0 += 1 } }
                    close(descriptor)
                }.start()
            }
        }.start()
    }

    func open(
        _ host: String = "127.0.0.1", isEncrypted: Bool = true, authorities: String?, timeout: Duration = .seconds(10),
        abort: ConnectionAbort = ConnectionAbort()
    ) throws -> any ServerConnection {
        try TCPConnection.open(host, port: port, isEncrypted: isEncrypted, authorities: authorities, timeout: timeout, abort: abort)
    }
}

/// The server side of a connection.
final class Peer {
    private let descriptor: Int32
    private let session: OpaquePointer?

    /// Performs the handshake; returns nil if it fails.
    init?(_ descriptor: Int32, _ context: OpaquePointer?) {
        self.descriptor = descriptor
        session = context.map { SSL_new($0) }
        guard let session else { return }
        SSL_set_fd(session, descriptor)
        guard SSL_accept(session) == 1 else { return nil }
    }

    deinit { SSL_free(session) }

    /// The host name that the client requests.
    var serverName: String? { SSL_get_servername(session, 0).map { String(cString: $0) } }
    var version: Int { Int(SSL_version(session)) }

    /// Waits for bytes; returns an empty array at a proper end and nil at any other end.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        guard let session else {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return count >= 0 ? Array(bytes.prefix(count)) : nil
        }
        let count = SSL_read(session, &bytes, Int32(bytes.count))
        if count > 0 { return Array(bytes.prefix(Int(count))) }
        return Int(SSL_get_error(session, count)) == Int(MODEL_ENDED) ? [] : nil
    }

    /// Reads up to the end; returns the bytes and whether the end is proper.
    func readAll() -> (bytes: [UInt8], isProper: Bool) {
        var all: [UInt8] = []
        while let bytes = read() {
            if bytes.isEmpty { return (all, true) }
            all += bytes
        }
        return (all, false)
    }

    func write(_ bytes: [UInt8]) { SSL_write(session, bytes, Int32(bytes.count)) }

    /// Ends the sending direction properly.
    func end() {
        SSL_shutdown(session)
        shutdown(descriptor, Int32(SHUT_WR))
    }

    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
