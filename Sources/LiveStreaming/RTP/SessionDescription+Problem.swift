// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import MPEG4Audio

extension SessionDescription {
    package enum Problem: Error, Hashable {
        /// The text does not start with `v=0`.
        case notADescription
        /// The description has no audio over RTP.
        case noAudio
        /// A line with the destination or format of the audio is missing or malformed.
        case invalidLine(String)
        /// The encoding is not `mpeg4-generic`, `MP4A-LATM` or `opus`.
        case unsupportedEncoding(String)
        /// A format parameter is missing or has an unsupported value.
        case unsupportedParameter(String)
        /// The codec configuration is invalid.
        case configuration(CodecError)
        /// The destination is a multicast group.
        case multicast(String)
        /// The encryption is not `AES_CM_128_HMAC_SHA1_80`.
        case unsupportedEncryption
    }
}

extension SessionDescription.Problem: DescribedError {
    package var description: String {
        switch self {
        case .notADescription: "not a session description; the first line must be v=0"
        case .noAudio: "no audio over RTP"
        case .invalidLine(let name): "missing or malformed line \(name)"
        case .unsupportedEncoding(let name): "unsupported encoding \(name); use mpeg4-generic, MP4A-LATM or opus"
        case .unsupportedParameter(let name): "missing parameter \(name), or unsupported value"
        case .configuration(let error): "invalid codec configuration: \(error)"
        case .multicast(let group): "\(group) is a multicast group; only unicast is supported"
        case .unsupportedEncryption: "unsupported encryption; use AES_CM_128_HMAC_SHA1_80 with a 30-byte key"
        }
    }
}
