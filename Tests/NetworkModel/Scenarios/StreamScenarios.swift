// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiveStreaming
import Network
import Synchronization

/// Receives until the end; returns the bytes and the error that ended the stream.
private func receiveAll(_ connection: any ServerConnection) -> ([UInt8], StreamingError?) {
    var all: [UInt8] = []
    do throws(StreamingError) {
        while true {
            let bytes = try connection.receive(timeout: .seconds(5))
            if bytes.isEmpty { return (all, nil) }
            all += bytes
        }
    } catch {
        return (all, error)
    }
}

private let text = Array("the last words".utf8)

let streamScenarios: [Scenario] = [
    Scenario(name: "network-closed", expectation: "bytes arrive before the end or with it; then the connection is closed") { report in
        let certificate = try Certificate("IP:127.0.0.1")
        for endsWithContent in [false, true] {
            behave { $0.endsWithContent = endsWithContent }
            let server = try Server(certificate) { peer in
                peer.write(text)
                peer.end()
                _ = peer.readAll()
            }
            let connection = try server.open(authorities: certificate.authorityPath)
            let (bytes, error) = receiveAll(connection)
            report.check(bytes == text && error == .closedByPeer, "\(bytes.count) bytes, \(error.map { "\($0)" } ?? "no error")")
            report.check("again", throws: .closedByPeer) { _ = try connection.receive(timeout: .zero) }
            connection.close()
        }
    },
    Scenario(name: "network-truncated", expectation: "a stream without close_notify is a closed connection, after its bytes") { report in
        let certificate = try Certificate("IP:127.0.0.1")
        for truncation in [Behaviour.Truncation.isComplete, .noNotice, .reset] {
            behave { $0.truncation = truncation }
            let server = try Server(certificate) { $0.write(text) }
            let connection = try server.open(authorities: certificate.authorityPath)
            let (bytes, error) = receiveAll(connection)
            report.check(
                bytes == text && error == .closedByPeer, "\(truncation): \(bytes.count) bytes, \(error.map { "\($0)" } ?? "no error")")
            connection.close()
        }
    },
    Scenario(name: "network-reset", expectation: "a reset ends both directions; unconfirmed bytes stay counted") { report in
        let certificate = try Certificate("IP:127.0.0.1")
        let mayEnd = DispatchSemaphore(value: 0)
        let server = try Server(certificate) { peer in
            mayEnd.wait()
            peer.reset()
        }
        let connection = try server.open(authorities: certificate.authorityPath)
        report.check("a slow reader", throws: .timedOut(.send, after: .milliseconds(300))) {
            while true { try connection.send(Array(repeating: 1, count: 10_000), timeout: .milliseconds(300)) }
        }
        let unconfirmed = connection.unconfirmedByteCount
        report.check(unconfirmed > 10_000, "\(unconfirmed) bytes are not confirmed")
        mayEnd.signal()
        report.check("receiving", throws: .closedByPeer) { _ = try connection.receive(timeout: .seconds(5)) }
        report.check("sending", throws: .closedByPeer) { try connection.send([1], timeout: .seconds(5)) }
        report.check(connection.unconfirmedByteCount >= unconfirmed, "\(connection.unconfirmedByteCount) of \(unconfirmed) are left")
        connection.close()
        report.check(
            connection.unconfirmedByteCount >= unconfirmed, "\(connection.unconfirmedByteCount) of \(unconfirmed) are left when closed")
    },
    Scenario(name: "network-half-closed", expectation: "data sent after the server's end arrives") { report in
        let certificate = try Certificate("IP:127.0.0.1")
        let received = Mutex<(bytes: [UInt8], isProper: Bool)>(([], false))
        let server = try Server(certificate) { peer in
            peer.end()
            let all = peer.readAll()
            received.withLock { $0 = all }
        }
        let connection = try server.open(authorities: certificate.authorityPath)
        report.check("receiving", throws: .closedByPeer) { _ = try connection.receive(timeout: .seconds(5)) }
        for _ in 0..<10 { try connection.send(text, timeout: .seconds(5)) }
        try connection.finish(timeout: .seconds(5))
        connection.close()
        report.check(
            waits { received.withLock { $0.bytes.count == 10 * text.count && $0.isProper } },
            "\(received.withLock { $0.bytes.count }) bytes")
    },
    Scenario(name: "network-slow", expectation: "a slow reader makes sending time out, and the bytes are counted") { report in
        let certificate = try Certificate("IP:127.0.0.1")
        let arrived = Mutex(0)
        let server = try Server(certificate) { peer in
            for _ in 0..<20 { arrived.withLock { [count = peer.read()?.count ?? 0] in $0 += count } }
            sleep(10)
        }
        let connection = try server.open(authorities: certificate.authorityPath)
        var complete = 0
        report.check("sending", throws: .timedOut(.send, after: .milliseconds(300))) {
            while true {
                try connection.send(Array(repeating: 1, count: 1000), timeout: .milliseconds(300))
                complete += 1000
            }
        }
        report.check(connection.sentByteCount == complete + 1000, "\(connection.sentByteCount) bytes are sent")
        // The rest is in the receive buffer of the server's system, which has acknowledged it.
        let unconfirmed = connection.unconfirmedByteCount
        report.check(unconfirmed >= 1000 && unconfirmed < connection.sentByteCount, "\(unconfirmed) are not confirmed")
        report.check("the end", throws: .timedOut(.send, after: .milliseconds(300))) { try connection.finish(timeout: .milliseconds(300)) }
        connection.close()
    },
    Scenario(name: "network-receive-time", expectation: "receiving waits exactly until its timeout; later bytes are not lost") { report in
        let certificate = try Certificate("IP:127.0.0.1")
        let mayWrite = DispatchSemaphore(value: 0)
        let server = try Server(certificate) { peer in
            mayWrite.wait()
            peer.write(text)
            _ = peer.readAll()
        }
        let connection = try server.open(authorities: certificate.authorityPath)
        try report.check("no time", takes: 0...2) {
            for _ in 0..<100 { report.check(try connection.receive(timeout: .zero).isEmpty, "bytes without time") }
        }
        try report.check("200 ms", takes: 0.2...2) {
            report.check(try connection.receive(timeout: .milliseconds(200)).isEmpty, "bytes too early")
        }
        mayWrite.signal()
        report.check(try connection.receive(timeout: .seconds(5)) == text, "bytes are lost")
        connection.close()
    },
    Scenario(name: "network-never-closes", expectation: "finishing waits one second for a server that has confirmed everything") { report in
        let certificate = try Certificate("IP:127.0.0.1")
        for isEncrypted in [true, false] {
            let isProper = Mutex(false)
            let server = try Server(isEncrypted ? certificate : nil) { peer in
                let all = peer.readAll()
                isProper.withLock { $0 = all == (text, true) }
                sleep(10)
            }
            let connection = try server.open(isEncrypted: isEncrypted, authorities: certificate.authorityPath)
            try connection.send(text, timeout: .seconds(1))
            try report.check("the end", takes: 1...3) { try connection.finish(timeout: .seconds(4)) }
            report.check(isProper.withLock { $0 }, "the server has not seen the end")
            connection.close()
        }
    },
    Scenario(name: "network-abort", expectation: "an abort ends opening, sending and receiving") { report in
        let certificate = try Certificate("IP:127.0.0.1")
        let silent = try Server(nil) { while $0.read()?.isEmpty == false {} }
        let server = try Server(certificate) { _ in sleep(10) }
        /// Aborts a waiting operation.
        func check(_ what: String, _ body: (ConnectionAbort) throws -> Void) {
            let abort = ConnectionAbort()
            Thread {
                usleep(200_000)
                abort.request()
            }.start()
            report.check(what, takes: 0.2...4) { report.check(what, throws: .aborted) { try body(abort) } }
        }
        check("opening") { _ = try silent.open(authorities: nil, abort: $0) }
        check("receiving") { _ = try server.open(authorities: certificate.authorityPath, abort: $0).receive(timeout: .seconds(5)) }
        check("sending") { abort in
            let connection = try server.open(authorities: certificate.authorityPath, abort: abort)
            while true { try connection.send(Array(repeating: 1, count: 10_000), timeout: .seconds(5)) }
        }
    },
    Scenario(name: "network-leaks", expectation: "closed, released and failed connections leave nothing") { report in
        let certificate = try Certificate("IP:127.0.0.1")
        let server = try Server(certificate) { _ = $0.readAll() }
        func counts() -> [Int] {
            ["fd", "task"].map { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\($0)").count) ?? 0 }
        }
        func connect(_ count: Int) throws {
            for number in 0..<count {
                let connection = try? server.open(authorities: number % 3 == 0 ? nil : certificate.authorityPath)
                try connection?.send(text, timeout: .seconds(5))
                if number % 2 == 0 { connection?.close() }
            }
        }
        try connect(6)
        report.check(waits { liveConnectionCount.withLock { $0 } == 0 }, "connections remain")
        let before = counts()
        try connect(30)
        report.check(waits { zip(counts(), before).allSatisfy { $0 <= $1 + 4 } }, "\(before) before, \(counts()) after")
    },
]
