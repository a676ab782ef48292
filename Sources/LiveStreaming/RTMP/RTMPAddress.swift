// SPDX-License-Identifier: Apache-2.0

/// The parts of the address of an RTMP stream: `rtmp://host:port/app/key`.
///
/// The last component of the path, with the query after it, is the stream's name, which servers use as a key; the others are the application.
package struct RTMPAddress: Hashable, Sendable {
    /// Whether the connection is encrypted (`rtmps`).
    package var isEncrypted: Bool
    /// The name or address of the server.
    package var host: String
    /// The port, 1935 by default, and 443 for encrypted connections.
    package var port: Int
    /// The application of the server.
    package var application: String
    /// The name of the stream, which is a secret on most servers.
    package var streamName: String

    /// Creates an address from a URL.
    ///
    /// - Parameter url: The URL, `rtmp` or `rtmps`. An IPv6 address is in brackets.
    /// - Returns: Nil if the URL is malformed, has no application or no stream, or has a user or password, which RTMP does not send.
    package init?(_ url: String) {
        guard let parts = ServerURL(url), parts.scheme == "rtmp" || parts.scheme == "rtmps", !parts.host.isEmpty else { return nil }
        guard parts.user == nil else { return nil }
        isEncrypted = parts.scheme == "rtmps"
        host = parts.host
        port = parts.port ?? (isEncrypted ? 443 : 1935)
        guard let slash = parts.path.lastIndex(of: "/"), slash > parts.path.startIndex else { return nil }
        application = String(parts.path[..<slash].dropFirst())
        // Servers take the name as it stands, with its query.
        streamName = parts.path[parts.path.index(after: slash)...] + (parts.query.map { "?\($0)" } ?? "")
        guard !application.isEmpty, !streamName.isEmpty else { return nil }
    }

    /// The URL without the stream's name: the connection's address, which is safe to show.
    package var connectionURL: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let isDefault = port == (isEncrypted ? 443 : 1935)
        return "\(isEncrypted ? "rtmps" : "rtmp")://\(name)\(isDefault ? "" : ":\(port)")/\(application)"
    }

    /// The stream's name, its part before the query, and the values of the query: what no message may show.
    package var secrets: [String] {
        let parts = streamName.split(separator: "?", maxSplits: 1)
        let parameters = parts.count > 1 ? parts[1].split(separator: "&") : []
        return [streamName] + parts.prefix(1).map(String.init) + parameters.map { String($0.drop { $0 != "=" }.dropFirst()) }
    }
}
