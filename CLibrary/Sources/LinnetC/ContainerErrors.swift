// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import CLinnet

extension ContainerError {
    var resultCode: ResultCode {
        switch self {
        case .inputFailed, .outputFailed: LINNET_ERROR_FILE.code
        case .unsupportedCodec: LINNET_ERROR_NO_AUDIO.code
        case .accessUnitTooLong: LINNET_ERROR_TOO_LARGE.code
        case .emptyAccessUnit: LINNET_ERROR_ARGUMENT.code
        case .notSeekable: LINNET_ERROR_STATE.code
        case .formatNotWritable, .codecNotStorable, .outputGainNotStorable, .unsupportedObjectType, .unsupportedChannelConfiguration,
            .unsupportedFrameLength, .unsupportedSampleRate, .unsupportedBitRate, .unsupportedMultiplex:
            LINNET_ERROR_UNSUPPORTED.code
        case .codec(let error): error.resultCode
        default: LINNET_ERROR_DAMAGED.code
        }
    }
}
