// SPDX-License-Identifier: Apache-2.0

/// The address of a live server, or the folder of a live stream.
public struct StreamingAddress: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case rtmp(RTMPAddress), icecast(IcecastAddress), srt(SRTAddress), rtp(RTPAddress), hls(HLSFolder)
    }

    package let kind: Kind

    /// Returns the address of an HTTP Live Streaming folder.
    public static func hls(_ folder: HLSFolder) -> StreamingAddress { StreamingAddress(kind: .hls(folder)) }

    private init(kind: Kind) { self.kind = kind }

    /// Whether a text is an address and not a file path: it starts with `hls:` or with any scheme and `://`.
    package static func isAddress(_ text: String) -> Bool {
        if text.lowercased().hasPrefix("hls:") { return true }
        guard let separator = text.firstRange(of: "://") else { return false }
        return !separator.isEmpty && text[..<separator.lowerBound].allSatisfy { $0.isASCII && $0.isLetter }
    }

    private static let schemes = ["rtmp", "rtmps", "icecast", "icecasts", "srt", "rtp", "srtp"]

    /// Returns the supported server scheme of a text, if any.
    private static func scheme(of text: String) -> String? {
        schemes.first { text.lowercased().hasPrefix($0 + "://") }
    }

    /// Parses an address.
    ///
    /// - Parameter text: `rtmp://host/app/key`, `rtmps://host/app/key`, `icecast://user:password@host:8000/mount`, `srt://host:port`,
    ///   `rtp://host:port`, `srtp://host:port` or `hls:folder`.
    /// - Throws: ``StreamingError/invalidAddress(_:reason:)``. The error omits the text after the host, which may be secret.
    public init(_ text: String) throws(StreamingError) {
        if text.lowercased().hasPrefix("hls:") {
            let path = String(text.dropFirst(4))
            guard !path.isEmpty else { throw .invalidAddress("hls:", reason: "missing folder; use for example hls:/var/www/talk") }
            kind = .hls(HLSFolder(path: path))
            return
        }
        let scheme = Self.scheme(of: text) ?? ""
        let shown = ServerURL(text).map { "\($0.scheme)://\($0.authority)" } ?? "\(scheme)://…"
        switch scheme {
        case "rtmp", "rtmps":
            guard let address = RTMPAddress(text) else {
                throw .invalidAddress(shown, reason: "invalid address; use for example rtmp://host/application/key")
            }
            kind = .rtmp(address)
        case "icecast", "icecasts": kind = .icecast(try IcecastAddress(text))
        case "srt": kind = .srt(try SRTAddress(text))
        case "rtp", "srtp": kind = .rtp(try RTPAddress(text))
        default: throw .invalidAddress(shown, reason: "unsupported protocol; use rtmp, rtmps, icecast, icecasts, srt, rtp, srtp or hls")
        }
    }

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
    /// Creates a sink.
    ///
    /// Connects only in ``begin(_:)``.
    public convenience init(_ address: StreamingAddress, limits: StreamingLimits = StreamingLimits()) {
        self.init(address.destination(limits: limits), limits: limits)
    }
}
