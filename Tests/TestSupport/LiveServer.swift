// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A server program of a test with a folder of its own; ended when it goes.
public final class LiveServer {
    /// Errors of starting a server.
    public struct Failure: Error, CustomStringConvertible {
        /// The program and its output.
        public let description: String

        /// Creates an error with a text.
        public init(description: String) { self.description = description }
    }

    /// The folder of its configuration and its files, in which it runs.
    public let folder: TemporaryFolder
    private let program: String
    private let arguments: [String]
    private let port: Int
    private var process: ChildProcess?

    /// Starts a server and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - program: The name of the program.
    ///   - folder: The folder of its configuration and its files.
    ///   - arguments: The arguments.
    ///   - port: A TCP port that it listens at; 0 to wait for nothing.
    public init(_ program: String, in folder: TemporaryFolder, _ arguments: [String], port: Int) throws {
        self.program = try ProgramRun.require(program)
        self.folder = folder
        self.arguments = arguments
        self.port = port
        try start()
    }

    deinit { process?.kill() }

    /// Starts the server again, after it was killed.
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
        throw Failure(description: "\(program) does not listen at port \(port): \(log)")
    }

    /// Whether each of the server's threads waits for something.
    public var isIdle: Bool { process?.isIdle ?? false }

    /// Ends the server without warning.
    public func kill() { process?.kill() }

    /// Sends a signal to the server.
    public func send(_ signal: Int32) { process?.send(signal) }

    /// Returns a port that no program listens at, by TCP or UDP.
    ///
    /// It is below those that the system gives to clients: otherwise a client of another test could get it before the server does.
    public static func freePort() throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: 20_000..<32_000)
            if isFree(port, SOCK_STREAM) && isFree(port, SOCK_DGRAM) { return port }
        }
        throw POSIXError(.EADDRNOTAVAIL)
    }

    /// Returns whether a socket of a type can have a port.
    private static func isFree(_ port: Int, _ type: __socket_type) -> Bool {
        // A program that another test starts would inherit it, and keep the port.
        let descriptor = socket(AF_INET, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = localAddress(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Returns whether a program accepts connections at a port of this machine.
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

    /// Returns an address of this machine.
    private static func localAddress(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }
}
