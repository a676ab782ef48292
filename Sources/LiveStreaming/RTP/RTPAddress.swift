// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The parts of the address of an RTP stream: `rtp://host:port?units=1&format=latm&sdp=FILE`, or `srtp://…?key=KEY` for an encrypted one.
package struct RTPAddress: Hashable, Sendable {
    /// The form of AAC in the packets.
    package enum Format: String, Hashable, Sendable {
        /// With header sections (RFC 3640, mode `AAC-hbr`).
        case headers = "generic"
        /// LATM (RFC 6416).
        case latm
    }

    /// The name or address of the receiver.
    package var host: String
    /// The port of the stream; that of its reports is the next one.
    package var port: Int
    /// Whether the packets are encrypted (SRTP).
    package var isEncrypted: Bool
    /// The key of 16 bytes and the salt of 14; nil to make one, which only the session description tells.
    package var key: [UInt8]?
    /// The form of AAC; Opus has one only.
    package var format = Format.headers
    /// The access units in a packet, 1 to 16, as far as they fit; each but the first adds its duration to the delay.
    package var unitsPerPacket = 1
    /// The largest size of a packet of UDP in bytes, without the headers of UDP and IP.
    package var packetSize = 1400
    /// The path of the session description that is written.
    package var descriptionPath: String

    /// The host and the port as a URL, which is safe to show.
    package var connectionURL: String { "\(isEncrypted ? "srtp" : "rtp")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

extension RTPAddress {
    /// Reads an address.
    ///
    /// - Parameter url: The URL, with the parameters `units`, `format`, `size` and `sdp`, and with `srtp` also `key`, percent-encoded where
    ///   needed.
    /// - Throws: ``StreamingError/invalidAddress(_:reason:)``, without any value of a parameter.
    package init(_ url: String) throws(StreamingError) {
        guard let parts = ServerURL(url), ["rtp", "srtp"].contains(parts.scheme), let port = parts.port, port < 65_535, !parts.host.isEmpty,
            parts.user == nil, ["", "/"].contains(parts.path)
        else {
            throw .invalidAddress(
                "\(url.lowercased().hasPrefix("srtp") ? "srtp" : "rtp")://…", reason: "an RTP address is like rtp://host:5004")
        }
        (host, self.port) = (parts.host, port)
        isEncrypted = parts.scheme == "srtp"
        descriptionPath = "rtp-\(port).sdp"
        for (name, value) in parts.parameters {
            if let reason = set(name, to: value) { throw .invalidAddress(connectionURL, reason: reason) }
        }
    }

    /// Sets a parameter; returns the reason if that is impossible.
    private mutating func set(_ name: String, to value: String) -> String? {
        switch name {
        case "units":
            guard let count = Int(value), (1...16).contains(count) else { return "units is a number of access units from 1 to 16" }
            unitsPerPacket = count
        case "format":
            guard let format = Format(rawValue: value) else { return "format is generic (RFC 3640) or latm (RFC 6416)" }
            self.format = format
        case "size":
            guard let size = Int(value), (128...65_000).contains(size) else { return "size is a number of bytes from 128 to 65000" }
            packetSize = size
        case "sdp":
            guard !value.isEmpty, !value.utf8.contains(0) else { return "sdp is the path of a file" }
            descriptionPath = value
        case "key" where isEncrypted:
            guard let key = Base64.decode(value.utf8), key.count == SessionDescription.keyLength else {
                return "the key is 30 bytes in Base64: 16 of key and 14 of salt"
            }
            self.key = key
        default:
            // The name is not shown: it may be the rest of a key with a & in it.
            return "a parameter is unknown; known are units, format, size and sdp, and of srtp key"
        }
        return nil
    }
}
