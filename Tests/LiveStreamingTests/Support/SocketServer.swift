// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiveStreaming
import Synchronization
import TestSupport

/// A TCP server on a test thread that runs a scripted RTMP server at a limited speed.
final class SocketServer: Sendable {
    struct Behaviour: Sendable {
        /// The maximum number of bytes read per 0.1 s.
        var bytesPerTenth = Int.max
        /// Whether the server responds to publishers; otherwise it only reads.
        var answers = true
        /// The number of bytes after which a connection is closed once it is idle for 0.1 s; `nil` for never.
        var byteLimit: Int?
    }

    let port: Int
    private let listener: Int32
    private let behaviour: Behaviour
    let closedCount = Atomic<Int>(0)
    private let isEnded = Atomic<Bool>(false)
    private let group = DispatchGroup()
    private let connections = Mutex<[(server: ScriptedRTMPServer, bytes: [UInt8])]>([])

    /// The access units received over each connection.
    var accessUnits: [[(timestamp: UInt32, payload: [UInt8])]] { connections.withLock { $0.map(\.server.accessUnits) } }

    /// The names of the commands received over each connection.
    var commandNames: [[String]] { connections.withLock { $0.map(\.server.commandNames) } }

    /// The bytes received over each connection.
    var bytes: [[UInt8]] { connections.withLock { $0.map(\.bytes) } }

    /// Listens on a free port.
    init(_ behaviour: Behaviour = Behaviour()) throws {
        self.behaviour = behaviour
        port = try LiveServer.freePort()
        // Close-on-exec: a program started by another test would inherit the socket and keep closed connections open.
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

    func end() {
        isEnded.store(true, ordering: .relaxed)
        shutdown(listener, Int32(SHUT_RDWR))
        group.wait()
    }

    /// Accepts connections in sequence until the end.
    private func accept() {
        while !isEnded.load(ordering: .relaxed) {
            let descriptor = Foundation.accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            serve(descriptor)
        }
        close(listener)
        group.leave()
    }

    /// Serves a connection until it ends.
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
        // A program just started by another test may have inherited the descriptor, so closing alone would not end the connection.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
        closedCount.add(1, ordering: .relaxed)
    }
}
