// SPDX-License-Identifier: Apache-2.0

import LiveAudio
import LiveStreaming
import TestSupport
import Testing

@Suite(.serialized) struct RTMPSServerTests {
    private let stream: SampleStream

    init() throws { stream = try SampleStream("tone") }

    /// Connects to a server with a certificate.
    ///
    /// Returns the error.
    private func failure(
        of certificate: TestCertificate, host: String = "127.0.0.1", trusting authorities: String?
    ) throws -> (error: StreamingError?, log: String) {
        let server = try RTMPServer(certificate: certificate)
        let address = try server.address("secretkey", isEncrypted: true, host: host)
        let destination = RTMPDestination(address, timeout: .seconds(8), authorities: authorities)
        do {
            try destination.connect(stream.format, abort: ConnectionAbort()).close(isComplete: true)
            return (nil, server.log)
        } catch {
            return (error as? StreamingError, server.log)
        }
    }

    @Test("Access units arrive exactly over an encrypted connection to a server with the right name")
    func encrypted() async throws {
        let certificate = try TestCertificate(["DNS:localhost"])
        let server = try RTMPServer(certificate: certificate)
        let address = try server.address(isEncrypted: true, host: "localhost")
        let destination = RTMPDestination(address, timeout: .seconds(8), authorities: certificate.authorityPath)
        let sink = StreamingSink(destination, limits: RTMPServerTests.limits())
        sink.begin(stream.format)
        for number in 0..<200 { try sink.append(stream.accessUnit(number)) }
        try sink.finish(nil)
        #expect(sink.statistics.sentUnitCount == 200)
        #expect(try await waits { try server.recordings.first?.count(where: \.isUnit) == 200 })
        #expect(try server.recordings.first?.filter(\.isUnit).map(\.payload) == (0..<200).map(stream.payload))
        #expect(await waits { server.log.contains("deleteStream") })
    }

    @Test("Server may be named by its IPv4 or IPv6 address", arguments: ["127.0.0.1", "[::1]"])
    func addresses(host: String) throws {
        let certificate = try TestCertificate(["IP:127.0.0.1", "IP:::1"])
        #expect(try failure(of: certificate, host: host, trusting: certificate.authorityPath).error == nil)
    }

    @Test("Untrusted certificates are rejected before any command is sent")
    func untrusted() throws {
        let other = try TestCertificate(["DNS:example.com", "IP:127.0.0.2"])
        let good = try TestCertificate(["DNS:localhost", "IP:127.0.0.1"])
        let expired = try TestCertificate(["IP:127.0.0.1"], days: -1)
        let selfSigned = try TestCertificate(["IP:127.0.0.1"], isSelfSigned: true)
        let cases: [(TestCertificate, host: String, authorities: String?, reason: String)] = [
            (other, "localhost", other.authorityPath, "hostname mismatch"),
            (other, "127.0.0.1", other.authorityPath, "IP address mismatch"),
            (expired, "127.0.0.1", expired.authorityPath, "certificate has expired"),
            (selfSigned, "127.0.0.1", selfSigned.authorityPath, "self-signed certificate"),
            (good, "127.0.0.1", other.authorityPath, "unable to get local issuer certificate"),
            (good, "127.0.0.1", nil, "unable to get local issuer certificate"),
        ]
        for (certificate, host, authorities, reason) in cases {
            let (error, log) = try failure(of: certificate, host: host, trusting: authorities)
            #expect(error == .untrustedCertificate(host: host, reason: reason))
            #expect(!log.contains("connect: app") && !log.contains("secretkey"))
        }
    }

    @Test("Plain server receives only the TLS handshake")
    func plainServer() throws {
        let server = try SocketServer()
        defer { server.end() }
        let address = try #require(RTMPAddress("rtmps://127.0.0.1:\(server.port)/app/secretkey"))
        let destination = RTMPDestination(address, timeout: .seconds(1))
        let error = #expect(throws: StreamingError.self) { try destination.connect(stream.format, abort: ConnectionAbort()) }
        #expect(error == .timedOut(.handshake, after: .seconds(1)))
        let bytes = try #require(server.bytes.first)
        // A handshake record (RFC 8446 5.1).
        #expect(bytes.prefix(2) == [22, 3])
        for text in ["secretkey", "app", "rtmp"] { #expect(bytes.firstRange(of: Array(text.utf8)) == nil) }
    }

    @Test("Missing authorities file throws")
    func missingAuthorities() throws {
        let certificate = try TestCertificate(["IP:127.0.0.1"])
        guard case .encryptionFailed? = try failure(of: certificate, trusting: "/no/such/file").error else {
            Issue.record("the file is not missed")
            return
        }
    }
}
