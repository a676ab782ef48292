// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import MPEG4Audio

extension ContainerError: DescribedError {
    /// The error in one line of plain text.
    public var description: String {
        switch self {
        case .truncated(let offset, let needed, let available):
            "truncated data at byte \(offset): \(needed) bytes needed, \(available) available"
        case .noSyncword(let offset): "no header at byte \(offset)"
        case .frameLengthTooShort(let byteCount, let minimum):
            "the frame length of \(byteCount) bytes is below the minimum of \(minimum)"
        case .codec(let error): error.description
        case .unsupportedMultiplex(let feature): "unsupported LATM feature: \(feature)"
        case .missingConfiguration: "an access unit precedes its configuration"
        case .invalidBox(let code, let offset): "invalid \(code) box or chunk at byte \(offset)"
        case .missingPart(let code): "missing \(code) box or chunk"
        case .unsupportedCodec(let found?): "unsupported codec: \(found.codecName)"
        case .unsupportedCodec(nil): "no audio found"
        case .partTooLong(let code, let byteCount, let limit):
            "the \(code) box or chunk of \(byteCount) bytes exceeds the limit of \(limit)"
        case .notSeekable: "the container is not seekable"
        case .inputFailed(let code): "reading failed with error \(code)"
        case .outputFailed(let code): "writing failed with error \(code)"
        case .accessUnitTooLong(let byteCount, let limit):
            "an access unit of \(byteCount) bytes exceeds the container's limit of \(limit)"
        case .wrongUnitLength(let byteCount, let expected):
            "an access unit has \(byteCount) bytes instead of \(expected)"
        case .formatNotReadable(let format): "cannot read access units from \(format.name)"
        case .formatNotWritable(let format): "cannot write \(format.name)"
        case .sinkCannotOverwrite: "cannot write this container to a pipe"
        case .missingElementSpans: "checksums require element spans"
        case .emptyAccessUnit: "empty access unit"
        case .codecNotStorable(let codec, let format): "\(format.name) does not support \(codec.codecName)"
        case .outputGainNotStorable(let gain, let format):
            "\(format.name) has no place for the output gain of \(DecimalText.fixed(Double(gain) / 256, digits: 2) ?? "0") dB"
        case .unsupportedObjectType(let type, let allowed):
            "unsupported object type \(type); the container supports \(Self.list(allowed))"
                + (type.isLowDelay || type == .usac ? Self.otherContainers : "")
        case .unsupportedSampleRate(let rate, let allowed):
            "unsupported sample rate \(rate) Hz; the container supports \(Self.list(allowed))"
        case .unsupportedChannelConfiguration(let configuration, let allowed):
            """
            unsupported channel configuration \(configuration); the container supports \(allowed.lowerBound) to \(allowed.upperBound); \
            M4A, CAF and LOAS support all
            """
        case .unsupportedFrameLength(let length, let allowed):
            "unsupported frame length of \(length) samples; the container supports \(Self.list(allowed))"
        case .unsupportedBitRate(let bitRate, let byteCount):
            "unsupported bit rate of \(bitRate) bit/s with \(byteCount) data bytes per access unit"
        case .noRoomForLabels(let byteCount, let minimum):
            "labels require at least \(minimum) data bytes per access unit, not \(byteCount)"
        case .unitGroupTooLong(let byteCount, let limit):
            "the access units of a frame have \(byteCount) bytes, more than the limit of \(limit)"
        }
    }

    private static let otherContainers = "; M4A, CAF, LOAS and MPEG-TS support it"

    private static func list(_ values: [some Any]) -> String { values.map { "\($0)" }.joined(separator: ", ") }
}

extension MultiplexFeature: CustomStringConvertible {
    /// The feature in a few words.
    public var description: String {
        switch self {
        case .futureVersion: "audioMuxVersionA 1"
        case .separateTiming: "streams with different frame timing"
        case .severalStreams(let programs, let layers): "\(programs) programs and \(layers) layers"
        case .frameLengthType(let type): "frameLengthType \(type)"
        }
    }
}
