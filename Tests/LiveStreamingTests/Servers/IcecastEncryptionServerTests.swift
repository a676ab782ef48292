// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import LiveStreaming
import TestSupport
import Testing

/// Icecast over TLS with a minimal server, because Debian's Icecast has no TLS.
@Suite(.serialized) struct IcecastEncryptionServerTests {
    /// A server that accepts a source over TLS, stores its data, and closes when the source does.
    private static let script = """
        import socket, ssl, sys, threading
        port, folder = int(sys.argv[1]), sys.argv[2]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder + "/certificate.pem", folder + "/key.pem")
        def serve(connection):
            try:
                connection = context.wrap_socket(connection, server_side=True)
                head = b""
                while b"\\r\\n\\r\\n" not in head:
                    received = connection.recv(1)
                    if not received: return
                    head += received
                if b"Authorization" not in head:
                    connection.sendall(b"HTTP/1.0 401 No\\r\\nWWW-Authenticate: Basic realm=x\\r\\nContent-Length: 0\\r\\n\\r\\n")
                    return
                if head.startswith(b"GET"):
                    open(folder + "/title", "wb").write(head)
                    connection.sendall(b"HTTP/1.0 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n")
                    return
                connection.sendall(b"HTTP/1.0 200 OK\\r\\n\\r\\n")
                with open(folder + "/stream", "wb") as file:
                    while received := connection.recv(65536): file.write(received)
            except OSError: pass
            finally: connection.close()
        server = socket.create_server(("127.0.0.1", port))
        while True: threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
        """

    /// Starts the server with a certificate for `localhost`.
    private static func start() throws -> (server: LiveServer, port: Int) {
        let folder = try TemporaryFolder()
        let run = try ProgramRun(
            try ProgramRun.require("openssl"),
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost", "-keyout", folder.path("key.pem"), "-out", folder.path("certificate.pem"),
            ])
        #expect(run.exitCode == 0, "\(run.errorText)")
        let port = try LiveServer.freePort()
        let path = try folder.write(Array(script.utf8), to: "server.py")
        return (try LiveServer("python3", in: folder, [path, String(port), folder.path("")], port: port), port)
    }

    /// Returns the server's destination for a host name.
    private static func destination(_ host: String, port: Int, authorities: String?) throws -> IcecastDestination {
        IcecastDestination(
            try IcecastAddress("icecasts://source:pw@\(host):\(port)/talk.aac"), timeout: .seconds(10), authorities: authorities)
    }

    @Test("Encrypted stream and its title arrive")
    func stream() async throws {
        let (server, port) = try Self.start()
        let certificate = server.folder.path("certificate.pem")
        let run = StreamingRun(try Self.destination("localhost", port: port, authorities: certificate))
        #expect(try await run.waitForConnection())
        let accessUnits = LiveUnits.random(500, sizes: 100...300, seed: 8)
        run.sink.title = "Käse"
        try await run.append(accessUnits)
        #expect(try await waitUntil { FileManager.default.fileExists(atPath: server.folder.path("title")) })
        try await run.finish()
        let stream = Data(try LiveUnits.adts(accessUnits))
        #expect(try await waitUntil { (try? Data(contentsOf: URL(filePath: server.folder.path("stream")))) == stream })
        let statistics = run.sink.statistics
        #expect(statistics.sentUnitCount == accessUnits.count && statistics.lostUnitCount == 0)
        let title = try String(contentsOfFile: server.folder.path("title"), encoding: .utf8)
        #expect(title.lowercased().contains("song=k%c3%a4se"))
    }

    @Test("Certificate for another name or from an unknown authority is rejected")
    func untrusted() throws {
        let (server, port) = try Self.start()
        let certificate = server.folder.path("certificate.pem")
        for (host, file) in [("127.0.0.1", certificate), ("localhost", nil)] as [(String, String?)] {
            #expect {
                try Self.destination(host, port: port, authorities: file).connect(.stereo48(), abort: ConnectionAbort())
            } throws: { error in
                guard case .untrustedCertificate(host, _)? = error as? StreamingError else { return false }
                return true
            }
        }
    }
}
