// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
public import CLinnet

/// A result of the library's functions: 0, or the negative code of an error.
typealias ResultCode = Int32

extension Int {
    /// A constant of the header as the result of a function.
    var code: ResultCode { ResultCode(truncatingIfNeeded: self) }
}

extension CodecError {
    /// The code of the error in the library's header.
    var resultCode: ResultCode {
        switch self {
        case .finished: LINNET_ERROR_STATE.code
        case .invalidSample: LINNET_ERROR_SAMPLE.code
        case .incompleteFrame, .channelCountMismatch, .sampleRateMismatch: LINNET_ERROR_ARGUMENT.code
        case .unsupportedSampleRate, .unsupportedChannelCount, .unsupportedChannelLayout, .unsupportedProfile, .unsupportedProfileRate,
            .fixedBandwidth, .lowDelayProfile, .lowDelaySBR, .rateGroupProfile, .rateGroupTooShort, .unsupportedFrameLength,
            .unsupportedBitRate, .variableBitRate, .unsupportedQuality, .unsupportedBandwidth, .unsupportedTool, .unsupportedObjectType,
            .unsupportedChannelConfiguration, .tooManyChannels:
            LINNET_ERROR_UNSUPPORTED.code
        default: LINNET_ERROR_DAMAGED.code
        }
    }
}

/// The text of a result.
@c @implementation
public func linnet_error_text(_ error: Int32) -> UnsafePointer<CChar>? {
    let text: StaticString =
        switch Int(error) {
        case LINNET_OK: "no error"
        case LINNET_ERROR_ARGUMENT: "an argument is null, a size is wrong, or a setting has no such value"
        case LINNET_ERROR_UNSUPPORTED: "the settings or the stream are not supported"
        case LINNET_ERROR_DAMAGED: "the bytes are damaged, or not what they should be"
        case LINNET_ERROR_STATE: "the call is out of order"
        case LINNET_ERROR_SAMPLE: "a sample is infinite or not a number"
        case LINNET_ERROR_FILE: "a file can't be opened or read"
        case LINNET_ERROR_TOO_LARGE: "an access unit exceeds the limit of its container"
        case LINNET_ERROR_NO_AUDIO: "there is no AAC"
        default: "unknown error"
        }
    // A static string ends with a zero and lives as long as the library.
    return unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// The version of the library.
@c @implementation
public func linnet_version() -> UInt32 {
    UInt32(LINNET_VERSION_MAJOR) << 16 | UInt32(LINNET_VERSION_MINOR) << 8 | UInt32(LINNET_VERSION_PATCH)
}
