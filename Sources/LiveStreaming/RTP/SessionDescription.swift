// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// The description of a session with one stream of audio (SDP, RFC 8866).
package struct SessionDescription: Hashable, Sendable {
    /// The payload type of streams that this module sends.
    package static let dynamicPayloadType: UInt8 = 97

    /// The address that the stream is sent to.
    package var host: String
    /// The port of the stream.
    package var port: Int
    /// The port of the reports; that of the stream if both share one (RFC 5761).
    package var controlPort: Int
    /// The number of the format in the packets, 0 to 127.
    package var payloadType: UInt8
    /// The ticks per second of the time stamps.
    package var clockRate: Int
    /// The number of channels.
    package var channelCount: Int
    /// The way in which the units stand in the payloads.
    package var format: RTPPayloadFormat
    /// The key of encryption with AES_CM_128_HMAC_SHA1_80: 16 bytes of key and 14 of salt; nil for an open stream.
    package var key: [UInt8]?

    /// Creates a description of a stream that is sent to a port and the next one.
    package init(
        host: String, port: Int, payloadType: UInt8 = dynamicPayloadType, clockRate: Int, channelCount: Int, format: RTPPayloadFormat,
        key: [UInt8]? = nil
    ) {
        self.host = host
        self.port = port
        controlPort = port + 1
        self.payloadType = payloadType
        self.clockRate = clockRate
        self.channelCount = channelCount
        self.format = format
        self.key = key
    }

    /// The encryption that is supported (RFC 4568, 6.2.1).
    package static let encryption = "AES_CM_128_HMAC_SHA1_80"
    /// The length of a key with its salt, in bytes.
    package static let keyLength = 30
}

// MARK: Writing

extension SessionDescription {
    /// The text of the description.
    package var text: String {
        let family = host.contains(":") ? "IP6" : "IP4"
        var lines = [
            "v=0", "o=- 0 0 IN \(family) \(host)", "s=Linnet", "c=IN \(family) \(host)", "t=0 0",
            "m=audio \(port) RTP/\(key == nil ? "AVP" : "SAVP") \(payloadType)", "a=rtpmap:\(payloadType) \(encoding)",
            "a=fmtp:\(payloadType) \(parameters)",
        ]
        if let key { lines.append("a=crypto:1 \(Self.encryption) inline:\(Base64.string(key))") }
        return lines.map { $0 + "\r\n" }.joined()
    }

    /// The encoding with its rate and channels.
    private var encoding: String {
        switch format {
        case .headers: "mpeg4-generic/\(clockRate)/\(channelCount)"
        case .latm: "MP4A-LATM/\(clockRate)/\(channelCount)"
        // Always so, whatever the stream has (RFC 7587, 7).
        case .opus: "opus/48000/2"
        }
    }

    /// The parameters of the format.
    private var parameters: String {
        switch format {
        case .headers(let config, let layout):
            "streamtype=5;profile-level-id=1;mode=\(layout == .lowBitRate ? "AAC-lbr" : "AAC-hbr");sizelength=\(layout.sizeLength);"
                + "indexlength=\(layout.indexLength);indexdeltalength=\(layout.indexDeltaLength);config=\(Self.hex(config.serialized()))"
        case .latm(let config, let isConfigInStream):
            "profile-level-id=1;cpresent=\(isConfigInStream ? 1 : 0)" + (config.map { ";config=\(Self.hex(Self.bytes($0)))" } ?? "")
        case .opus(let channelCount): channelCount == 2 ? "sprop-stereo=1;stereo=1" : "sprop-stereo=0"
        }
    }
}
