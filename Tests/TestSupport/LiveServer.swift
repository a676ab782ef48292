// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// A server for a test, with its own folder.
///
/// Deinitialization ends it.
public final class LiveServer {
    /// A failure to start a server.
    public struct Failure: Error, CustomStringConvertible {
        /// The program and its output.
        public let description: String

        /// Creates an error with a description.
        public init(description: String) { self.description = description }
    }

    /// The folder with the server's configuration and files, which is its working directory.
    public let folder: TemporaryFolder
    private let program: String
    private let arguments: [String]
    private let port: Int
    private var process: ChildProcess?

    /// Starts a server and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - program: The name of the program.
    ///   - folder: The folder with its configuration and files.
    ///   - port: The TCP port that it listens on; 0 does not wait.
    public init(_ program: String, in folder: TemporaryFolder, _ arguments: [String], port: Int) throws {
        self.program = try ProgramRun.require(program)
        self.folder = folder
        self.arguments = arguments
        self.port = port
        try start()
    }

    deinit { process?.kill() }

    /// Restarts the server after it was killed.
    public func start() throws {
        let process = try ChildProcess(program, arguments, output: folder.path("server.log"))
        self.process = process
        guard port > 0 else { return }
        for _ in 0..<200 {
            if Self.accepts(port) { return }
            if process.status != nil { break }
            usleep(25_000)
        }
        process.kill()
        let log = (try? String(contentsOfFile: folder.path("server.log"), encoding: .utf8)) ?? ""
        throw Failure(description: "\(program) does not listen on port \(port): \(log)")
    }

    /// Whether all threads of the server are waiting.
    public var isIdle: Bool { process?.isIdle ?? false }

    /// Kills the server.
    public func kill() { process?.kill() }

    /// Sends a signal to the server.
    public func send(_ signal: Int32) { process?.send(signal) }

    /// Returns an unused even port, for TCP and UDP, that no other test of this process gets.
    ///
    /// The port is below the range that the system assigns to clients, so that no client of another test can get it before the server.
    public static func freePort() throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: 10_000..<16_000) * 2
            let isNew = assignedPorts.withLock { $0.insert(port).inserted }
            if isNew && isFree(port, SOCK_STREAM) && isFree(port, SOCK_DGRAM) { return port }
        }
        throw POSIXError(.EADDRNOTAVAIL)
    }

    private static let assignedPorts = Mutex(Set<Int>())

    /// Returns whether a socket of this type can bind the port.
    private static func isFree(_ port: Int, _ type: __socket_type) -> Bool {
        // Otherwise a program that another test starts would inherit the socket and keep the port.
        let descriptor = socket(AF_INET, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = localAddress(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Returns whether a program accepts connections on a local port.
    private static func accepts(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = localAddress(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func localAddress(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }
}
