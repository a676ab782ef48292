// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
public import CLinnet

/// A function result: 0, or a negative error code.
typealias ResultCode = Int32

extension Int {
    /// A header constant as a function result.
    var code: ResultCode { ResultCode(truncatingIfNeeded: self) }
}

extension CodecError {
    var resultCode: ResultCode {
        switch self {
        case .finished: LINNET_ERROR_STATE.code
        case .invalidSample: LINNET_ERROR_SAMPLE.code
        case .incompleteFrame, .channelCountMismatch, .sampleRateMismatch: LINNET_ERROR_ARGUMENT.code
        case .unsupportedSampleRate, .unsupportedChannelCount, .unsupportedChannelLayout, .unsupportedProfile, .unsupportedProfileRate,
            .fixedBandwidth, .lowDelayProfile, .lowDelaySBR, .rateGroupProfile, .rateGroupTooShort, .unsupportedFrameLength,
            .unsupportedBitRate, .unsupportedPeakBitRate, .variableBitRate, .unsupportedQuality, .unsupportedBandwidth, .unsupportedTool,
            .unsupportedObjectType,
            .unsupportedChannelConfiguration, .unsupportedErrorProtection, .tooManyChannels:
            LINNET_ERROR_UNSUPPORTED.code
        default: LINNET_ERROR_DAMAGED.code
        }
    }
}

/// Returns the description of a result.
@c @implementation
public func linnet_error_text(_ error: Int32) -> UnsafePointer<CChar>? {
    let text: StaticString =
        switch Int(error) {
        case LINNET_OK: "no error"
        case LINNET_ERROR_ARGUMENT: "an argument is null, or a size or setting is out of range"
        case LINNET_ERROR_UNSUPPORTED: "unsupported settings or stream"
        case LINNET_ERROR_DAMAGED: "the bytes are damaged or not in the expected format"
        case LINNET_ERROR_STATE: "the call is out of order"
        case LINNET_ERROR_SAMPLE: "a sample is infinite or NaN"
        case LINNET_ERROR_FILE: "a file cannot be opened, read or written"
        case LINNET_ERROR_TOO_LARGE: "an access unit exceeds the limit of its container"
        case LINNET_ERROR_NO_AUDIO: "no track of a supported codec"
        default: "unknown error"
        }
    // A static string is null-terminated and lives as long as the library is loaded.
    return unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Returns the library's version.
@c @implementation
public func linnet_version() -> UInt32 {
    UInt32(LINNET_VERSION_MAJOR) << 16 | UInt32(LINNET_VERSION_MINOR) << 8 | UInt32(LINNET_VERSION_PATCH)
}
