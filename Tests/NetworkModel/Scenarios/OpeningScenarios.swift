// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Foundation
import LiveStreaming
import Network
import Synchronization

/// Sets the uncertain behaviour and network conditions.
func behave(_ change: (inout Behaviour) -> Void) { Behaviour.current.withLock { change(&$0) } }

let openingScenarios: [Scenario] = [
    Scenario(name: "network-plain", expectation: "TLS 1.2 or later, the server's name, all bytes both ways, and a proper end") { report in
        let certificate = try Certificate("DNS:localhost")
        let seen = Mutex<(name: String?, version: Int, isProper: Bool)>((nil, 0, false))
        let server = try Server(certificate) { peer in
            let (bytes, isProper) = peer.readAll()
            seen.withLock { $0 = (peer.serverName, peer.version, isProper) }
            peer.write(bytes)
            peer.end()
        }
        let connection = try server.open("localhost", authorities: certificate.authorityPath)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        for start in stride(from: 0, to: bytes.count, by: 1000) {
            try connection.send(Array(bytes[start..<start + 1000]), timeout: .seconds(5))
        }
        report.check(connection.sentByteCount >= bytes.count, "\(connection.sentByteCount) bytes are counted")
        try connection.finish(timeout: .seconds(5))
        connection.close()
        report.check(seen.withLock { $0 } == ("localhost", 0x0304, true), "the server has seen \(seen.withLock { $0 })")
        report.check(connection.unconfirmedByteCount == 0, "\(connection.unconfirmedByteCount) bytes are not confirmed")
    },
    Scenario(name: "network-address", expectation: "a server given by its IPv4 or IPv6 address receives no server name") { report in
        let certificate = try Certificate("IP:127.0.0.1", "IP:::1")
        for host in ["127.0.0.1", "::1"] {
            let name = Mutex<String?>("none yet")
            let server = try Server(certificate, on: host) { peer in
                name.withLock { $0 = peer.serverName }
                _ = peer.readAll()
            }
            let connection = try server.open(host, authorities: certificate.authorityPath)
            report.check(waits { name.withLock { $0 } == nil }, "the server is called \(name.withLock { $0 } ?? "")")
            connection.close()
        }
    },
    Scenario(name: "network-refused", expectation: "a refused connection fails at once, although NWConnection waits") { report in
        let port = try Server(nil) { _ in }.port + 1
        report.check("opening", takes: 0...5) {
            report.check("opening", throws: .connectionFailed(.connect, code: ECONNREFUSED)) {
                _ = try TCPConnection.open(
                    "127.0.0.1", port: port, isEncrypted: true, authorities: nil, timeout: .seconds(10), abort: ConnectionAbort())
            }
        }
    },
    Scenario(name: "network-unknown-host", expectation: "an unknown host name fails at once with a permanent error") { report in
        report.check("opening", throws: { if case .hostNotFound("no-such-host.invalid", _) = $0 { $0.isPermanent } else { false } }) {
            _ = try TCPConnection.open(
                "no-such-host.invalid", port: 443, isEncrypted: true, authorities: nil, timeout: .seconds(10), abort: ConnectionAbort())
        }
    },
    Scenario(name: "network-down", expectation: "without a network, opening waits up to its timeout and continues once there is one") {
        report in
        let certificate = try Certificate("IP:127.0.0.1")
        let server = try Server(certificate) { _ = $0.readAll() }
        behave { $0.isNetworkDown = true }
        report.check("opening", takes: 0.5...5) {
            report.check("opening", throws: .connectionFailed(.connect, code: ENETDOWN)) {
                _ = try server.open(authorities: certificate.authorityPath, timeout: .milliseconds(500))
            }
        }
        let silent = try Server(nil) { while $0.read()?.isEmpty == false {} }
        for (server, isSilent) in [(server, false), (silent, true)] {
            behave { $0.isNetworkDown = true }
            Thread {
                usleep(300_000)
                behave { $0.isNetworkDown = false }
            }.start()
            guard isSilent else {
                try server.open(authorities: certificate.authorityPath).close()
                continue
            }
            report.check("a silent server", throws: .timedOut(.connect, after: .seconds(2))) {
                _ = try server.open(authorities: nil, timeout: .seconds(2))
            }
        }
    },
    Scenario(name: "network-silent", expectation: "a server without encryption receives only the start of a handshake") { report in
        let start = Mutex<[UInt8]>([])
        let server = try Server(nil) { peer in
            while let bytes = peer.read(), !bytes.isEmpty { start.withLock { $0 += bytes } }
        }
        report.check("opening", takes: 0.5...5) {
            report.check("opening", throws: .timedOut(.connect, after: .milliseconds(500))) {
                _ = try server.open(authorities: nil, timeout: .milliseconds(500))
            }
        }
        report.check(start.withLock { $0.starts(with: [22, 3]) }, "the start is \(start.withLock { $0.prefix(8) })")
    },
    Scenario(name: "network-closes-early", expectation: "a server that closes during the handshake has closed the connection") { report in
        for waits in [false, true] {
            behave { $0.waitsAfterFailedHandshake = waits }
            let server = try Server(nil) { _ = $0.read() }
            report.check("opening", throws: .closedByPeer) { _ = try server.open(authorities: nil) }
        }
    },
    Scenario(name: "network-old-version", expectation: "a server with TLS 1.1 is rejected") { report in
        let certificate = try Certificate("IP:127.0.0.1")
        let server = try Server(certificate, lastVersion: Int(MODEL_TLS_1_1)) { _ = $0.readAll() }
        report.check("opening", throws: { if case .encryptionFailed = $0 { true } else { false } }) {
            try server.open(authorities: certificate.authorityPath).close()
        }
    },
]
