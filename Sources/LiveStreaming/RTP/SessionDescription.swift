// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// A session description with one audio stream (SDP, RFC 8866).
package struct SessionDescription: Hashable, Sendable {
    /// The payload type of sent streams.
    package static let dynamicPayloadType: UInt8 = 97

    /// The destination address.
    package var host: String
    package var port: Int
    /// The RTCP port; equal to ``port`` if both share one (RFC 5761).
    package var controlPort: Int
    /// The payload type, 0 to 127.
    package var payloadType: UInt8
    /// The clock rate of RTP timestamps, in hertz.
    package var clockRate: Int
    package var channelCount: Int
    /// The packing of access units into payloads.
    package var format: RTPPayloadFormat
    /// The 16-byte key and 14-byte salt for AES_CM_128_HMAC_SHA1_80; `nil` for an unencrypted stream.
    package var key: [UInt8]?

    /// Creates a description of a stream with RTP on `port` and RTCP on the next port.
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

    /// The supported encryption (RFC 4568, 6.2.1).
    package static let encryption = "AES_CM_128_HMAC_SHA1_80"
    /// The length of a key with its salt, in bytes.
    package static let keyLength = 30
}

// MARK: Writing

extension SessionDescription {
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

    /// The encoding, with clock rate and channel count.
    private var encoding: String {
        switch format {
        case .headers: "mpeg4-generic/\(clockRate)/\(channelCount)"
        case .latm: "MP4A-LATM/\(clockRate)/\(channelCount)"
        // Constant for all streams (RFC 7587, 7).
        case .opus: "opus/48000/2"
        }
    }

    /// The `fmtp` parameters.
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
