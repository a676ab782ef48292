// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiveStreaming
import TestSupport

/// The web server nginx with its module for RTMP: records what arrives, and writes what it says into its folder.
final class RTMPServer {
    /// The port of RTMP.
    let port: Int
    /// The port of RTMPS; nil without a certificate.
    let encryptedPort: Int?
    /// The running program.
    let server: LiveServer

    /// The folder of the recordings.
    var folder: TemporaryFolder { server.folder }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - application: More directives of the application `live`; `HTTP` stands for the port of a web server that forbids everything.
    ///   - certificate: The certificate for RTMPS; nil for none.
    init(application: String = "", certificate: TestCertificate? = nil) throws {
        let folder = try TemporaryFolder()
        port = try LiveServer.freePort()
        let webPort = try LiveServer.freePort()
        encryptedPort = try certificate.map { _ in try LiveServer.freePort() }
        // One process, so that signals to it reach what serves. Its user has to be able to write to the folder.
        var lines = [
            geteuid() == 0 ? "user root;" : "", "load_module modules/ngx_rtmp_module.so;",
            "master_process off;", "daemon off;", "pid \(folder.path("nginx.pid"));", "error_log \(folder.path("nginx.log")) info;",
            "events { worker_connections 256; }",
            "rtmp { server { listen 127.0.0.1:\(port); ping 2s; ping_timeout 20s;",
            "application live { live on; record all; record_path \(folder.url.path); record_suffix -%s.flv; record_unique on;",
            "\(application.replacingOccurrences(of: "HTTP", with: String(webPort))) } } }",
            "http { access_log off; server { listen 127.0.0.1:\(webPort); return 403; } }",
        ]
        if let certificate, let encryptedPort {
            lines.insert("load_module modules/ngx_stream_module.so;", at: 2)
            lines.append(
                "stream { server { listen 127.0.0.1:\(encryptedPort) ssl; listen [::1]:\(encryptedPort) ssl; proxy_pass 127.0.0.1:\(port);"
                    + " ssl_certificate \(certificate.path); ssl_certificate_key \(certificate.keyPath); } }")
        }
        let path = try folder.write(Array(lines.joined(separator: "\n").utf8), to: "nginx.conf")
        server = try LiveServer("nginx", in: folder, ["-c", path, "-e", folder.path("nginx.log")], port: port)
        // The ports are opened one after the other.
        for host in encryptedPort == nil ? [] : ["127.0.0.1", "::1"] { try Self.awaitPort(encryptedPort ?? 0, of: host) }
    }

    /// Waits until the server accepts connections at a port.
    private static func awaitPort(_ port: Int, of host: String) throws {
        for attempt in 1...200 {
            do {
                try TCPConnection(to: host, port: port, timeout: .seconds(5), abort: ConnectionAbort()).close()
                return
            } catch {
                guard attempt < 200 else { throw error }
                usleep(25_000)
            }
        }
    }

    /// Returns the address of a stream.
    func address(_ stream: String = "talk", isEncrypted: Bool = false, host: String = "127.0.0.1") throws -> RTMPAddress {
        let url = isEncrypted ? "rtmps://\(host):\(encryptedPort ?? 0)/live/\(stream)" : "rtmp://\(host):\(port)/live/\(stream)"
        guard let address = RTMPAddress(url) else { throw CocoaError(.fileReadInvalidFileName) }
        return address
    }

    /// The tags of audio in the recordings, in the order of the recordings' names.
    var recordings: [[FLVFile.Tag]] {
        get throws {
            try folder.contents.filter { $0.hasSuffix(".flv") }.map { try FLVFile(bytes(ofFile: folder.path($0))).audio }
        }
    }

    /// The lines that the server has written about what it does.
    var log: String { (try? String(contentsOfFile: folder.path("nginx.log"), encoding: .utf8)) ?? "" }
}
