// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiveStreaming
import TestSupport

/// nginx with its RTMP module, recording the received streams and its log in a folder.
final class RTMPServer {
    let port: Int
    /// The RTMPS port; `nil` without a certificate.
    let encryptedPort: Int?
    let server: LiveServer

    var folder: TemporaryFolder { server.folder }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - application: Additional directives for the application `live`. `HTTP` is replaced with the port of a web server that forbids
    ///     everything.
    ///   - certificate: The certificate for RTMPS, if any.
    init(application: String = "", certificate: TestCertificate? = nil) throws {
        let folder = try TemporaryFolder()
        port = try LiveServer.freePort()
        let webPort = try LiveServer.freePort()
        encryptedPort = try certificate.map { _ in try LiveServer.freePort() }
        // A single process, so that signals reach the worker. Its user must be able to write to the folder.
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
        // The ports are opened in sequence.
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

    func address(_ stream: String = "talk", isEncrypted: Bool = false, host: String = "127.0.0.1") throws -> RTMPAddress {
        let url = isEncrypted ? "rtmps://\(host):\(encryptedPort ?? 0)/live/\(stream)" : "rtmp://\(host):\(port)/live/\(stream)"
        guard let address = RTMPAddress(url) else { throw CocoaError(.fileReadInvalidFileName) }
        return address
    }

    /// The audio tags of the recordings, in the order of their names.
    var recordings: [[FLVFile.Tag]] {
        get throws {
            try folder.contents.filter { $0.hasSuffix(".flv") }.map { try FLVFile(bytes(ofFile: folder.path($0))).audio }
        }
    }

    var log: String { (try? String(contentsOfFile: folder.path("nginx.log"), encoding: .utf8)) ?? "" }
}
