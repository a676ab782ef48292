// SPDX-License-Identifier: Apache-2.0

/// The parts of the address of a stream on an Icecast server: `icecast://user:password@host:port/mount?name=TEXT&genre=TEXT`.
package struct IcecastAddress: Hashable, Sendable {
    /// Whether the connection is encrypted (`icecasts`).
    ///
    /// The certificate has to be for the host, which has to be a name.
    package var isEncrypted: Bool
    /// The name or address of the server.
    package var host: String
    /// The port, 8000 by default.
    package var port: Int
    /// The user, `source` by default.
    package var user: String
    /// The password.
    package var password: String
    /// The mount point, with its slash.
    package var mount: String
    /// The name of the station.
    package var stationName: String?
    /// The genre of the station.
    package var genre: String?
    /// The description of the station.
    package var stationDescription: String?
    /// The address of the station's site.
    package var siteURL: String?
    /// Whether the server may list the station in public directories.
    package var isPublic = false

    /// The server and the mount point as a URL, which is safe to show.
    package var connectionURL: String { "\(isEncrypted ? "icecasts" : "icecast")://\(authority)\(mount)" }

    /// The host and the port as they stand in a URL.
    var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

extension IcecastAddress {
    /// Reads an address.
    ///
    /// - Parameter url: The URL, `icecast` or `icecasts`, with the parameters `name`, `genre`, `description`, `url` and `public`. User,
    ///   password and parameters are percent-encoded where needed.
    /// - Throws: ``StreamingError/invalidAddress(_:reason:)``, without the password and without any value of a parameter.
    package init(_ url: String) throws(StreamingError) {
        guard let parts = ServerURL(url), ["icecast", "icecasts"].contains(parts.scheme), !parts.host.isEmpty else {
            throw .invalidAddress("icecast://…", reason: "an Icecast address is like icecast://source:password@host:8000/talk.aac")
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

    /// The URL without the path, which may hold anything in an invalid address.
    private var shownURL: String { "\(isEncrypted ? "icecasts" : "icecast")://\(authority)" }

    /// Returns the reason why the parts without parameters can't be used; nil if they can.
    private func invalidReason(hasPassword: Bool) -> String? {
        guard hasPassword else { return "the password is missing, as in icecast://source:password@host:8000/talk.aac" }
        guard mount.count > 1 else { return "the mount point is missing, as in icecast://source:password@host:8000/talk.aac" }
        // A request is a line of ASCII without spaces (RFC 9112, 3).
        guard mount.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return "the mount point needs percent-encoding" }
        // The user name ends at the first colon (RFC 7617, 2).
        guard !user.contains(":") else { return "the user name has a colon" }
        guard Self.isText(user), Self.isText(password), Self.isText(host) else { return "a control character is in it" }
        return nil
    }

    /// Sets a parameter; returns the reason if that is impossible.
    private mutating func set(_ name: String, to value: String) -> String? {
        guard Self.isText(value) else { return "a control character is in a parameter" }
        switch name {
        case "name": stationName = value
        case "genre": genre = value
        case "description": stationDescription = value
        case "url": siteURL = value
        case "public":
            guard value == "0" || value == "1" else { return "public is 0 or 1" }
            isPublic = value == "1"
        default: return "a parameter is unknown; known are name, genre, description, url and public, with %26 for & in their values"
        }
        return nil
    }

    /// Returns whether a text has no control characters, which would end a field of the request.
    private static func isText(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
