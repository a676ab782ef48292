// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// A parsed RTP stream address: `rtp://host:port?units=1&format=latm&sdp=FILE`, or `srtp://…?key=KEY` for an encrypted stream.
package struct RTPAddress: Hashable, Sendable {
    /// The AAC payload format.
    package enum Format: String, Hashable, Sendable {
        /// AU header sections (RFC 3640, mode `AAC-hbr`).
        case headers = "generic"
        /// LATM (RFC 6416).
        case latm
    }

    /// The receiver's name or IP address.
    package var host: String
    /// The RTP port.
    ///
    /// RTCP uses the next port.
    package var port: Int
    /// Whether the packets are encrypted (SRTP).
    package var isEncrypted: Bool
    /// The 16-byte key and 14-byte salt; `nil` generates them, and only the session description contains them.
    package var key: [UInt8]?
    /// The AAC payload format.
    ///
    /// Opus has only one.
    package var format = Format.headers
    /// The maximum number of access units per packet, 1 to 16.
    ///
    /// Each one after the first adds its duration to the delay.
    package var unitsPerPacket = 1
    /// The maximum UDP payload in bytes, without UDP and IP headers.
    package var packetSize = 1400
    package var descriptionPath: String

    /// The URL of host and port, safe to show.
    package var connectionURL: String { "\(isEncrypted ? "srtp" : "rtp")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

extension RTPAddress {
    /// Parses an address.
    ///
    /// - Parameter url: The URL with the parameters `units`, `format`, `size` and `sdp`, and for `srtp` also `key`; percent-encoded
    ///   where needed.
    /// - Throws: ``StreamingError/invalidAddress(_:reason:)``. The error contains no parameter values.
    package init(_ url: String) throws(StreamingError) {
        guard let parts = ServerURL(url), ["rtp", "srtp"].contains(parts.scheme), let port = parts.port, port < 65_535, !parts.host.isEmpty,
            parts.user == nil, ["", "/"].contains(parts.path)
        else {
            throw .invalidAddress(
                "\(url.lowercased().hasPrefix("srtp") ? "srtp" : "rtp")://…", reason: "invalid address; use for example rtp://host:5004")
        }
        (host, self.port) = (parts.host, port)
        isEncrypted = parts.scheme == "srtp"
        descriptionPath = "rtp-\(port).sdp"
        for (name, value) in parts.parameters {
            if let reason = set(name, to: value) { throw .invalidAddress(connectionURL, reason: reason) }
        }
    }

    /// Sets a parameter.
    ///
    /// Returns the problem if the parameter is invalid.
    private mutating func set(_ name: String, to value: String) -> String? {
        switch name {
        case "units":
            guard let count = Int(value), (1...16).contains(count) else { return "units must be from 1 to 16" }
            unitsPerPacket = count
        case "format":
            guard let format = Format(rawValue: value) else { return "format must be generic (RFC 3640) or latm (RFC 6416)" }
            self.format = format
        case "size":
            guard let size = Int(value), (128...65_000).contains(size) else { return "size must be from 128 to 65000 bytes" }
            packetSize = size
        case "sdp":
            guard !value.isEmpty, !value.utf8.contains(0) else { return "sdp must be a file path" }
            descriptionPath = value
        case "key" where isEncrypted:
            guard let key = Base64.decode(value.utf8), key.count == SessionDescription.keyLength else {
                return "key must be 30 bytes in Base64: a 16-byte key and a 14-byte salt"
            }
            self.key = key
        default:
            // The name is not shown, because it may be the rest of a key that contains &.
            return "unknown parameter; use units, format, size or sdp, and with srtp also key"
        }
        return nil
    }
}
