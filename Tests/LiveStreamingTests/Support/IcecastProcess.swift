// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiveStreaming
import Synchronization
import TestSupport

/// An Icecast server for a test.
final class IcecastProcess {
    static let password = "s3cret word"
    let port: Int
    let server: LiveServer
    private let mount: String

    /// Starts a server that stores the stream of a mount point.
    ///
    /// - Parameters:
    ///   - mount: The mount point.
    ///   - sourceLimit: The maximum number of simultaneous sources.
    init(_ mount: String = "/talk.aac", sourceLimit: Int = 20) throws {
        self.mount = mount
        port = try LiveServer.freePort()
        let folder = try TemporaryFolder()
        // If started by root, the server runs as another user.
        for name in ["log", "dump"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path(name))
        }
        let owner = geteuid() == 0 ? "<changeowner><user>nobody</user><group>nogroup</group></changeowner>" : ""
        let configuration = """
            <icecast>
            <limits><clients>50</clients><sources>\(sourceLimit)</sources><queue-size>4000000</queue-size><client-timeout>30</client-timeout>
            <header-timeout>15</header-timeout><source-timeout>60</source-timeout><burst-size>0</burst-size></limits>
            <authentication><source-password>\(Self.password)</source-password><admin-user>admin</admin-user>
            <admin-password>admin</admin-password></authentication>
            <hostname>127.0.0.1</hostname>
            <listen-socket><port>\(port)</port><bind-address>127.0.0.1</bind-address></listen-socket>
            <mount><mount-name>\(mount)</mount-name><charset>UTF-8</charset><dump-file>\(folder.path("dump" + mount))</dump-file></mount>
            <paths><basedir>/usr/share/icecast2</basedir><logdir>\(folder.path("log"))</logdir><webroot>/usr/share/icecast2/web</webroot>
            <adminroot>/usr/share/icecast2/admin</adminroot></paths>
            <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>4</loglevel></logging>
            <security><chroot>0</chroot>\(owner)</security>
            </icecast>
            """
        let path = try folder.write(Array(configuration.utf8), to: "icecast.xml")
        // Port 0: a connection that tests whether the server listens could crash it.
        server = try LiveServer("icecast2", in: folder, ["-c", path], port: 0)
        try waitForStart()
    }

    /// Restarts the server after it was killed.
    func restart() throws {
        try Data().write(to: URL(filePath: server.folder.path("log/error.log")))
        try server.start()
        try waitForStart()
    }

    /// Waits until the log has the last startup message, and the server's threads are idle.
    ///
    /// Icecast 2.4.4 accepts connections earlier but closes them without a response. A connection before its statistics thread has run
    /// crashes it: in 49 of 600 starts with 24 servers at a time on four processors, and in none of 720 with this wait.
    private func waitForStart() throws {
        for _ in 0..<2000 {
            if log.contains("No SSL capability") && server.isIdle { return }
            usleep(5000)
        }
        throw LiveServer.Failure(description: "Icecast does not start: \(log)")
    }

    var log: String { (try? String(contentsOfFile: server.folder.path("log/error.log"), encoding: .utf8)) ?? "" }

    /// The file with the stored stream.
    var dumpPath: String { server.folder.path("dump" + mount) }

    func address(_ mount: String? = nil, password: String = IcecastProcess.password) throws -> IcecastAddress {
        let password = password.replacingOccurrences(of: " ", with: "%20")
        return try IcecastAddress("icecast://source:\(password)@127.0.0.1:\(port)\(mount ?? self.mount)")
    }

    func destination(_ mount: String? = nil, timeout: Duration = .seconds(10)) throws -> IcecastDestination {
        IcecastDestination(try address(mount), timeout: timeout)
    }

    /// The stored stream.
    var dump: [UInt8] { (try? bytes(ofFile: dumpPath)) ?? [] }

    /// Returns the server's status page.
    func status() throws -> String {
        let listener = try IcecastListener(port: port, path: "/status-json.xsl")
        return String(decoding: listener.waitForEnd(), as: UTF8.self)
    }
}

/// A listener that stores the received stream.
final class IcecastListener: Sendable {
    private let connection: Mutex<Data?>
    private let ended = DispatchSemaphore(value: 0)
    private let descriptor: Int32
    let header: String

    /// Connects and reads the header.
    ///
    /// - Parameters:
    ///   - path: The mount point.
    ///   - titles: Whether to request titles.
    init(port: Int, path: String, titles: Bool = false) throws {
        connection = Mutex(Data())
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
        let request = Array("GET \(path) HTTP/1.0\r\n\(titles ? "Icy-MetaData: 1\r\n" : "")\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw POSIXError(.EPIPE) }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard recv(descriptor, &byte, 1, 0) == 1 else { throw POSIXError(.ECONNRESET) }
            bytes.append(byte)
        }
        header = String(decoding: bytes, as: UTF8.self)
        DispatchQueue(label: "test.listener").async { [self] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                connection.withLock { $0?.append(contentsOf: buffer[..<count]) }
            }
            close(descriptor)
            ended.signal()
        }
    }

    /// The stream's bytes so far.
    var bytes: [UInt8] { connection.withLock { [UInt8]($0 ?? Data()) } }

    /// Waits until the server ends the stream.
    ///
    /// Returns its bytes.
    func waitForEnd() -> [UInt8] {
        if ended.wait(timeout: .now() + 30) == .timedOut { shutdown(descriptor, Int32(SHUT_RDWR)) }
        return bytes
    }

    /// Splits a stream with titles into audio and titles, in the form `StreamTitle='TEXT';`.
    func divided() -> (audio: [UInt8], titles: [String]) {
        let field = header.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("icy-metaint:") }
        guard let interval = field.flatMap({ Int($0.drop { $0 != ":" }.dropFirst().filter(\.isNumber)) }) else { return (bytes, []) }
        var rest = bytes[...]
        var (audio, titles) = ([UInt8](), [String]())
        while !rest.isEmpty {
            audio += rest.prefix(interval)
            rest = rest.dropFirst(interval)
            guard let size = rest.first, rest.count > 16 * Int(size) else { break }
            let title = String(decoding: rest.dropFirst().prefix(16 * Int(size)).prefix { $0 != 0 }, as: UTF8.self)
            if !title.isEmpty { titles.append(title) }
            rest = rest.dropFirst(1 + 16 * Int(size))
        }
        return (audio, titles)
    }
}
