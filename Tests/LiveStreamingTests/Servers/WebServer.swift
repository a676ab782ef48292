// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// An nginx web server that serves a folder.
final class WebServer {
    /// The folder's URL.
    let url: String
    /// The served folder's path.
    let path: String
    private let folder: TemporaryFolder
    private let server: LiveServer

    init() throws {
        let folder = try TemporaryFolder()
        let port = try LiveServer.freePort()
        path = folder.path("www")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        let temporaries = kinds.map { "\($0)_temp_path \(folder.path($0));" }.joined(separator: " ")
        // A single process, so that killing it leaves none behind.
        let configuration = """
            daemon off; master_process off; pid \(folder.path("nginx.pid")); error_log \(folder.path("error.log"));
            events { worker_connections 64; }
            http {
              types { text/html html; application/vnd.apple.mpegurl m3u8; video/mp4 m4s mp4; audio/aac aac; }
              log_format uri '$request_uri $status'; access_log \(folder.path("access.log")) uri; \(temporaries)
              server { listen 127.0.0.1:\(port); location / { root \(path); add_header Cache-Control no-cache; } location /report { return 204; } }
            }
            """
        let file = try folder.write(Array(configuration.utf8), to: "nginx.conf")
        self.folder = folder
        url = "http://127.0.0.1:\(port)"
        server = try LiveServer("nginx", in: folder, ["-e", folder.path("error.log"), "-c", file], port: port)
    }

    /// The requests so far: URI and status, one per line.
    var requests: [String] {
        let log = (try? String(contentsOfFile: folder.path("access.log"), encoding: .utf8)) ?? ""
        return log.split(separator: "\n").map(String.init)
    }

    /// The data that a page has sent to `/report?`, if any.
    var report: String? {
        let prefix = "/report?"
        guard let line = requests.first(where: { $0.hasPrefix(prefix) }) else { return nil }
        return String(line.dropFirst(prefix.count).prefix { $0 != " " }).removingPercentEncoding
    }
}
