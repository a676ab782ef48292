// SPDX-License-Identifier: Apache-2.0

/// A parsed RTMP stream address: `rtmp://host:port/app/key`.
///
/// The last path component, with the query, is the stream name, which servers use as a key. The preceding components are the application.
package struct RTMPAddress: Hashable, Sendable {
    /// Whether the connection is encrypted (`rtmps`).
    package var isEncrypted: Bool
    /// The server's name or IP address.
    package var host: String
    /// The port (default: 1935, or 443 if encrypted).
    package var port: Int
    package var application: String
    /// The stream name, a secret on most servers.
    package var streamName: String

    /// Parses an address.
    ///
    /// - Parameter url: An `rtmp` or `rtmps` URL. An IPv6 address is in brackets.
    /// - Returns: `nil` if the URL is malformed, has no application or no stream name, or has a user or password, which RTMP does not send.
    package init?(_ url: String) {
        guard let parts = ServerURL(url), parts.scheme == "rtmp" || parts.scheme == "rtmps", !parts.host.isEmpty else { return nil }
        guard parts.user == nil else { return nil }
        isEncrypted = parts.scheme == "rtmps"
        host = parts.host
        port = parts.port ?? (isEncrypted ? 443 : 1935)
        guard let slash = parts.path.lastIndex(of: "/"), slash > parts.path.startIndex else { return nil }
        application = String(parts.path[..<slash].dropFirst())
        // Servers expect the name unchanged, including the query.
        streamName = parts.path[parts.path.index(after: slash)...] + (parts.query.map { "?\($0)" } ?? "")
        guard !application.isEmpty, !streamName.isEmpty else { return nil }
    }

    /// The URL without the stream name, safe to show.
    package var connectionURL: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let isDefault = port == (isEncrypted ? 443 : 1935)
        return "\(isEncrypted ? "rtmps" : "rtmp")://\(name)\(isDefault ? "" : ":\(port)")/\(application)"
    }

    /// Texts that no message may show: the stream name, its part before the query, and the query values.
    package var secrets: [String] {
        let parts = streamName.split(separator: "?", maxSplits: 1)
        let parameters = parts.count > 1 ? parts[1].split(separator: "&") : []
        return [streamName] + parts.prefix(1).map(String.init) + parameters.map { String($0.drop { $0 != "=" }.dropFirst()) }
    }
}
