// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import MPEG4Audio

extension SessionDescription {
    /// The reason why a description can't be used.
    package enum Problem: Error, Hashable {
        /// The text does not begin with `v=0`.
        case notADescription
        /// There is no audio, or it is not sent over RTP.
        case noAudio
        /// The line that says where or how the audio is sent is missing or malformed.
        case invalidLine(String)
        /// The payload type has no encoding that is supported: `mpeg4-generic`, `MP4A-LATM` and `opus` are.
        case unsupportedEncoding(String)
        /// A parameter of the format is missing, or its value is unsupported.
        case unsupportedParameter(String)
        /// The configuration of the codec can't be read.
        case configuration(CodecError)
        /// The audio is encrypted in an unsupported way; `AES_CM_128_HMAC_SHA1_80` is supported.
        case unsupportedEncryption
    }
}

extension SessionDescription.Problem: DescribedError {
    /// A description of the error.
    package var description: String {
        switch self {
        case .notADescription: "it is no session description: the first line has to be v=0"
        case .noAudio: "it has no audio that is sent over RTP"
        case .invalidLine(let name): "the line \(name) is missing or malformed"
        case .unsupportedEncoding(let name): "the encoding \(name) is unsupported; mpeg4-generic, MP4A-LATM and opus can be received"
        case .unsupportedParameter(let name): "the parameter \(name) is missing, or its value is unsupported"
        case .configuration(let error): "the configuration of the codec: \(error)"
        case .unsupportedEncryption: "the encryption is unsupported; AES_CM_128_HMAC_SHA1_80 with a key of 30 bytes is supported"
        }
    }
}
