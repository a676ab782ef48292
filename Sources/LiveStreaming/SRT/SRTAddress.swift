// SPDX-License-Identifier: Apache-2.0

/// A parsed SRT stream address: `srt://host:port?mode=caller&latency=120&passphrase=SECRET&streamid=NAME`.
package struct SRTAddress: Hashable, Sendable {
    /// Which side initiates the connection.
    package enum Mode: String, Hashable, Sendable {
        /// This side connects to the host.
        case caller
        /// This side waits for a receiver.
        case listener
    }

    /// The receiver's name or IP address.
    ///
    /// For a listener the local address, empty for all.
    package var host: String
    package var port: Int
    /// Which side initiates the connection.
    package var mode = Mode.caller
    /// The latency for retransmissions, in milliseconds; `nil` uses libsrt's default.
    package var latency: Int?
    /// The encryption passphrase, 10 to 79 bytes; `nil` disables encryption.
    package var passphrase: String?
    /// The key length in bytes, 16, 24 or 32; `nil` uses libsrt's default.
    package var keyLength: Int?
    /// The stream ID sent to the receiver, a secret on some servers.
    package var streamID: String?

    /// The URL of host and port, safe to show.
    package var connectionURL: String { "srt://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

extension SRTAddress {
    /// Parses an address.
    ///
    /// - Parameter url: The URL with the parameters `mode`, `latency`, `passphrase`, `pbkeylen` and `streamid`, percent-encoded where
    ///   needed. Without a host, the mode must be `listener`.
    /// - Throws: ``StreamingError/invalidAddress(_:reason:)``. The error contains no parameter values.
    package init(_ url: String) throws(StreamingError) {
        guard let parts = ServerURL(url), parts.scheme == "srt", let port = parts.port, parts.user == nil, ["", "/"].contains(parts.path)
        else {
            throw .invalidAddress("srt://…", reason: "invalid address; use for example srt://host:9000?latency=200&passphrase=0123456789")
        }
        (host, self.port) = (parts.host, port)
        for (name, value) in parts.parameters {
            if let reason = set(name, to: value) { throw .invalidAddress(connectionURL, reason: reason) }
        }
        if host.isEmpty, mode == .caller {
            throw .invalidAddress(connectionURL, reason: "missing host; use mode=listener to let receivers connect to this machine")
        }
        if keyLength != nil, passphrase == nil {
            throw .invalidAddress(connectionURL, reason: "pbkeylen requires a passphrase")
        }
    }

    /// Sets a parameter.
    ///
    /// Returns the problem if the parameter is invalid.
    private mutating func set(_ name: String, to value: String) -> String? {
        switch name {
        case "mode":
            guard let mode = Mode(rawValue: value) else { return "mode must be caller or listener" }
            self.mode = mode
        case "latency":
            guard let latency = Int(value), Self.latencies.contains(latency) else { return "latency must be from 0 to 30000 ms" }
            self.latency = latency
        case "passphrase":
            guard (10...79).contains(value.utf8.count), !value.utf8.contains(0) else { return "passphrase must have 10 to 79 bytes" }
            passphrase = value
        case "pbkeylen":
            guard let length = Int(value), [16, 24, 32].contains(length) else { return "pbkeylen must be 16, 24 or 32 bytes" }
            keyLength = length
        case "streamid":
            guard (1...512).contains(value.utf8.count), !value.utf8.contains(0) else { return "streamid must have 1 to 512 bytes" }
            streamID = value
        default:
            // The name is not shown, because it may be the rest of a passphrase that contains &.
            return "unknown parameter; use mode, latency, passphrase, pbkeylen or streamid, with %26 for & in values"
        }
        return nil
    }

    /// The supported latencies, in milliseconds.
    ///
    /// The handshake has 16 bits for the latency. Above 30 s, the receiver's buffer of 8192 packets would be the limit at high bit rates.
    private static let latencies = 0...30_000
}
