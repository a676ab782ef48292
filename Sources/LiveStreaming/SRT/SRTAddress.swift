// SPDX-License-Identifier: Apache-2.0

/// The parts of the address of an SRT stream: `srt://host:port?mode=caller&latency=120&passphrase=SECRET&streamid=NAME`.
package struct SRTAddress: Hashable, Sendable {
    /// The side that waits for the other.
    package enum Mode: String, Hashable, Sendable {
        /// This side connects to the host.
        case caller
        /// This side waits for a receiver.
        case listener
    }

    /// The name or address of the receiver; for a listener the address to listen at, empty for all.
    package var host: String
    /// The port.
    package var port: Int
    /// The side that waits for the other.
    package var mode = Mode.caller
    /// The time that lost packets may take to be sent again, in milliseconds; nil for the library's.
    package var latency: Int?
    /// The secret that the stream is encrypted with, 10 to 79 bytes; nil for no encryption.
    package var passphrase: String?
    /// The length of the key in bytes, 16, 24 or 32; nil for the library's.
    package var keyLength: Int?
    /// The name that the receiver is told, a secret on some servers.
    package var streamID: String?

    /// The host and the port as a URL, which is safe to show.
    package var connectionURL: String { "srt://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

extension SRTAddress {
    /// Reads an address.
    ///
    /// - Parameter url: The URL, with the parameters `mode`, `latency`, `passphrase`, `pbkeylen` and `streamid`, percent-encoded where
    ///   needed. Without a host the mode has to be `listener`.
    /// - Throws: ``StreamingError/invalidAddress(_:reason:)``, without any value of a parameter.
    package init(_ url: String) throws(StreamingError) {
        guard let parts = ServerURL(url), parts.scheme == "srt", let port = parts.port, parts.user == nil, ["", "/"].contains(parts.path)
        else {
            throw .invalidAddress("srt://…", reason: "an SRT address is like srt://host:9000?latency=200&passphrase=0123456789")
        }
        (host, self.port) = (parts.host, port)
        for (name, value) in parts.parameters {
            if let reason = set(name, to: value) { throw .invalidAddress(connectionURL, reason: reason) }
        }
        if host.isEmpty, mode == .caller {
            throw .invalidAddress(connectionURL, reason: "the host is missing; with mode=listener, receivers connect to this machine")
        }
        if keyLength != nil, passphrase == nil {
            throw .invalidAddress(connectionURL, reason: "pbkeylen needs a passphrase: without one, nothing is encrypted")
        }
    }

    /// Sets a parameter; returns the reason if that is impossible.
    private mutating func set(_ name: String, to value: String) -> String? {
        switch name {
        case "mode":
            guard let mode = Mode(rawValue: value) else { return "mode is caller or listener" }
            self.mode = mode
        case "latency":
            guard let latency = Int(value), Self.latencies.contains(latency) else { return "latency is a time in ms from 0 to 30000" }
            self.latency = latency
        case "passphrase":
            guard (10...79).contains(value.utf8.count), !value.utf8.contains(0) else { return "a passphrase has 10 to 79 bytes" }
            passphrase = value
        case "pbkeylen":
            guard let length = Int(value), [16, 24, 32].contains(length) else { return "pbkeylen is 16, 24 or 32 bytes" }
            keyLength = length
        case "streamid":
            guard (1...512).contains(value.utf8.count), !value.utf8.contains(0) else { return "a streamid has 1 to 512 bytes" }
            streamID = value
        default:
            // The name is not shown: it may be the rest of a passphrase with a & in it.
            return "a parameter is unknown; known are mode, latency, passphrase, pbkeylen and streamid, with %26 for & in their values"
        }
        return nil
    }

    /// The latencies that can be asked for, in milliseconds.
    ///
    /// The handshake has 16 bits for it; above half a minute, the receiver's buffer of 8192 packets would be the limit at high rates.
    private static let latencies = 0...30_000
}
