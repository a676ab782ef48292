// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiveStreaming
import Synchronization
import TestSupport

/// A TCP server in a thread of the tests that answers RTMP as a script says, at a limited speed.
final class SocketServer: Sendable {
    /// The behaviour of the server.
    struct Behaviour: Sendable {
        /// The most bytes read in a tenth of a second.
        var bytesPerTenth = Int.max
        /// Whether publishers are answered; otherwise the server only reads.
        var answers = true
        /// The number of bytes of a connection after which it is closed, once nothing more comes for a tenth of a second; nil for never.
        var byteLimit: Int?
    }

    /// The port.
    let port: Int
    private let listener: Int32
    private let behaviour: Behaviour
    /// The number of connections that were closed.
    let closedCount = Atomic<Int>(0)
    private let isEnded = Atomic<Bool>(false)
    private let group = DispatchGroup()
    private let connections = Mutex<[(server: ScriptedRTMPServer, bytes: [UInt8])]>([])

    /// The units that arrived over each connection.
    var units: [[(timestamp: UInt32, payload: [UInt8])]] { connections.withLock { $0.map(\.server.units) } }

    /// The names of the commands that arrived over each connection.
    var commandNames: [[String]] { connections.withLock { $0.map(\.server.commandNames) } }

    /// The bytes that arrived over each connection.
    var bytes: [[UInt8]] { connections.withLock { $0.map(\.bytes) } }

    /// Listens at a free port.
    init(_ behaviour: Behaviour = Behaviour()) throws {
        self.behaviour = behaviour
        port = try LiveServer.freePort()
        // A program that another test starts would inherit it, and keep connections open that are closed here.
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // A small buffer, so that a slow reader is noticed after some kilobytes.
        var size: Int32 = 4096
        setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
        }
        guard isBound, listen(listener, 8) == 0 else { throw POSIXError(.EADDRINUSE) }
        group.enter()
        Thread { [self] in accept() }.start()
    }

    /// Ends the server and its connections.
    func end() {
        isEnded.store(true, ordering: .relaxed)
        shutdown(listener, Int32(SHUT_RDWR))
        group.wait()
    }

    /// Accepts connections, one after the other, until the end.
    private func accept() {
        while !isEnded.load(ordering: .relaxed) {
            let descriptor = Foundation.accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            serve(descriptor)
        }
        close(listener)
        group.leave()
    }

    /// Serves a connection until its end.
    private func serve(_ descriptor: Int32) {
        let index = connections.withLock { connections in
            connections.append((ScriptedRTMPServer(), []))
            return connections.count - 1
        }
        var limit = timeval(tv_sec: 0, tv_usec: 100_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var buffer = [UInt8](repeating: 0, count: min(behaviour.bytesPerTenth, 65_536))
        while !isEnded.load(ordering: .relaxed) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 { break }
            guard count > 0 else {
                if let limit = behaviour.byteLimit, connections.withLock({ $0[index].bytes.count }) >= limit { break }
                continue
            }
            let answer = connections.withLock { connections in
                connections[index].bytes += buffer[..<count]
                return behaviour.answers ? (try? connections[index].server.receive(buffer[..<count])) ?? [] : []
            }
            _ = send(descriptor, answer, answer.count, Int32(MSG_NOSIGNAL))
            if behaviour.bytesPerTenth < Int.max { usleep(100_000) }
        }
        // A program that another test has just started may have inherited the descriptor: closing alone would not end the connection then.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
        closedCount.add(1, ordering: .relaxed)
    }
}
