// SPDX-License-Identifier: Apache-2.0

/// The address of a live server, or the folder of a live stream.
public struct StreamingAddress: Hashable, Sendable {
    /// The address by protocol.
    package enum Kind: Hashable, Sendable {
        case rtmp(RTMPAddress), icecast(IcecastAddress), srt(SRTAddress), rtp(RTPAddress), hls(HLSFolder)
    }

    package let kind: Kind

    /// A folder of HTTP Live Streaming.
    public static func hls(_ folder: HLSFolder) -> StreamingAddress { StreamingAddress(kind: .hls(folder)) }

    /// Creates the address of a protocol.
    private init(kind: Kind) { self.kind = kind }

    /// Whether a text is an address rather than the path of a file: it starts with `hls:` or with a scheme and `://`, even an unsupported one.
    package static func isAddress(_ text: String) -> Bool {
        if text.lowercased().hasPrefix("hls:") { return true }
        guard let separator = text.firstRange(of: "://") else { return false }
        return !separator.isEmpty && text[..<separator.lowerBound].allSatisfy { $0.isASCII && $0.isLetter }
    }

    /// The schemes of servers.
    private static let schemes = ["rtmp", "rtmps", "icecast", "icecasts", "srt", "rtp", "srtp"]

    /// Returns the scheme of a server's address; nil for other texts.
    private static func scheme(of text: String) -> String? {
        schemes.first { text.lowercased().hasPrefix($0 + "://") }
    }

    /// Reads an address.
    ///
    /// - Parameter text: `rtmp://host/app/key`, `rtmps://host/app/key`, `icecast://user:password@host:8000/mount`, `srt://host:port`,
    ///   `rtp://host:port`, `srtp://host:port` or `hls:folder`.
    /// - Throws: ``StreamingError/invalidAddress(_:reason:)``, without the text after the host, which may be a secret.
    public init(_ text: String) throws(StreamingError) {
        if text.lowercased().hasPrefix("hls:") {
            let path = String(text.dropFirst(4))
            guard !path.isEmpty else { throw .invalidAddress("hls:", reason: "a folder has to follow, as in hls:/var/www/talk") }
            kind = .hls(HLSFolder(path: path))
            return
        }
        let scheme = Self.scheme(of: text) ?? ""
        let shown = ServerURL(text).map { "\($0.scheme)://\($0.authority)" } ?? "\(scheme)://…"
        switch scheme {
        case "rtmp", "rtmps":
            guard let address = RTMPAddress(text) else {
                throw .invalidAddress(shown, reason: "an RTMP address is like rtmp://host/application/key")
            }
            kind = .rtmp(address)
        case "icecast", "icecasts": kind = .icecast(try IcecastAddress(text))
        case "srt": kind = .srt(try SRTAddress(text))
        case "rtp", "srtp": kind = .rtp(try RTPAddress(text))
        default: throw .invalidAddress(shown, reason: "live streams go to rtmp, rtmps, icecast, icecasts, srt, rtp, srtp or hls")
        }
    }

    /// Returns the destination of an address.
    func destination(limits: StreamingLimits) -> any StreamingDestination {
        switch kind {
        case .rtmp(let address): RTMPDestination(address, timeout: limits.step)
        case .icecast(let address): IcecastDestination(address, timeout: limits.step)
        case .srt(let address): SRTDestination(address, timeout: limits.step)
        case .rtp(let address): RTPDestination(address)
        case .hls(let folder): HLSDestination(folder)
        }
    }
}

extension StreamingSink {
    /// Creates a sink; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - address: The server or folder.
    ///   - limits: The time limits.
    public convenience init(_ address: StreamingAddress, limits: StreamingLimits = StreamingLimits()) {
        self.init(address.destination(limits: limits), limits: limits)
    }
}
