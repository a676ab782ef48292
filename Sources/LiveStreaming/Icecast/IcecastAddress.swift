// SPDX-License-Identifier: Apache-2.0

/// A parsed Icecast stream address: `icecast://user:password@host:port/mount?name=TEXT&genre=TEXT`.
package struct IcecastAddress: Hashable, Sendable {
    /// Whether the connection is encrypted (`icecasts`).
    ///
    /// The certificate must match the host, which must be a name.
    package var isEncrypted: Bool
    /// The server's name or IP address.
    package var host: String
    /// The port (default: 8000).
    package var port: Int
    /// The user name (default: `source`).
    package var user: String
    package var password: String
    /// The mount point, with its leading slash.
    package var mount: String
    package var stationName: String?
    package var genre: String?
    package var stationDescription: String?
    /// The URL of the station's website.
    package var siteURL: String?
    /// Whether the server may list the station in public directories.
    package var isPublic = false

    /// The URL of server and mount point, without credentials.
    package var connectionURL: String { "\(isEncrypted ? "icecasts" : "icecast")://\(authority)\(mount)" }

    /// Host and port, in URL syntax.
    var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

extension IcecastAddress {
    /// Parses an address.
    ///
    /// - Parameter url: An `icecast` or `icecasts` URL with the parameters `name`, `genre`, `description`, `url` and `public`. User,
    ///   password and parameters are percent-encoded where needed.
    /// - Throws: ``StreamingError/invalidAddress(_:reason:)``. The error contains neither the password nor parameter values.
    package init(_ url: String) throws(StreamingError) {
        guard let parts = ServerURL(url), ["icecast", "icecasts"].contains(parts.scheme), !parts.host.isEmpty else {
            throw .invalidAddress("icecast://…", reason: "invalid address; use for example icecast://source:password@host:8000/talk.aac")
        }
        isEncrypted = parts.scheme == "icecasts"
        host = parts.host
        port = parts.port ?? 8000
        user = parts.user ?? "source"
        password = parts.password ?? ""
        mount = parts.path
        if let reason = invalidReason(hasPassword: parts.password != nil) { throw .invalidAddress(shownURL, reason: reason) }
        for (name, value) in parts.parameters {
            if let reason = set(name, to: value) { throw .invalidAddress(shownURL, reason: reason) }
        }
    }

    /// The URL without the path.
    ///
    /// An invalid address may contain secrets in its path.
    private var shownURL: String { "\(isEncrypted ? "icecasts" : "icecast")://\(authority)" }

    /// Returns why the parts before the parameters are invalid, or `nil` if they are valid.
    private func invalidReason(hasPassword: Bool) -> String? {
        guard hasPassword else { return "missing password; use for example icecast://source:password@host:8000/talk.aac" }
        guard mount.count > 1 else { return "missing mount point; use for example icecast://source:password@host:8000/talk.aac" }
        // The request line is ASCII without spaces (RFC 9112, 3).
        guard mount.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return "the mount point needs percent-encoding" }
        // The user name ends at the first colon (RFC 7617, 2).
        guard !user.contains(":") else { return "the user name contains a colon" }
        guard Self.isText(user), Self.isText(password), Self.isText(host) else { return "the address contains a control character" }
        return nil
    }

    /// Sets a parameter.
    ///
    /// Returns the problem if the parameter is invalid.
    private mutating func set(_ name: String, to value: String) -> String? {
        guard Self.isText(value) else { return "a parameter contains a control character" }
        switch name {
        case "name": stationName = value
        case "genre": genre = value
        case "description": stationDescription = value
        case "url": siteURL = value
        case "public":
            guard value == "0" || value == "1" else { return "public must be 0 or 1" }
            isPublic = value == "1"
        default: return "unknown parameter; use name, genre, description, url or public, with %26 for & in values"
        }
        return nil
    }

    /// Whether a text has no control characters, which would end a header field.
    private static func isText(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
