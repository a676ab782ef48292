// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import MPEG4Audio

extension ContainerError: DescribedError {
    /// The error in one line of plain text.
    public var description: String {
        switch self {
        case .truncated(let offset, let needed, let available):
            "the structure at byte \(offset) needs \(needed) bytes but only \(available) are left"
        case .noSyncword(let offset): "no header at byte \(offset)"
        case .frameLengthTooShort(let byteCount, let minimum):
            "a frame length of \(byteCount) bytes is less than the minimum, \(minimum) bytes"
        case .codec(let error): error.description
        case .unsupportedMultiplex(let feature): "unsupported LATM feature: \(feature)"
        case .missingConfiguration: "an access unit precedes its configuration"
        case .invalidBox(let code, let offset): "the box \(code) at byte \(offset) is invalid"
        case .missingPart(let code): "the part \(code) is missing"
        case .unsupportedCodec(let found?): "it holds \(found.codecName) audio, which is not supported"
        case .unsupportedCodec(nil): "it holds no audio"
        case .partTooLong(let code, let byteCount, let limit): "the part \(code) has \(byteCount) bytes, more than the limit of \(limit)"
        case .notSeekable: "the container has no index to seek with"
        case .inputFailed(let code): "reading failed with error \(code)"
        case .outputFailed(let code): "writing failed with error \(code)"
        case .accessUnitTooLong(let byteCount, let limit):
            "an access unit of \(byteCount) bytes exceeds the limit of the container, \(limit) bytes"
        case .wrongUnitLength(let byteCount, let expected):
            "an access unit has \(byteCount) bytes, but those of this stream have \(expected)"
        case .formatNotReadable(let format): "access units can't be read from \(format.name)"
        case .formatNotWritable(let format): "\(format.name) can't be written"
        case .sinkCannotOverwrite: "this container can't be written to a pipe"
        case .missingElementSpans: "checksums need the spans of the elements"
        case .emptyAccessUnit: "an access unit has no bytes"
        case .codecNotStorable(let codec, let format): "\(format.name) can't hold \(codec.codecName)"
        case .unsupportedObjectType(let type, let allowed):
            "unsupported object type \(type); the container supports \(Self.list(allowed))"
                + (type.isLowDelay ? Self.lowDelayContainers : "")
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
            "\(bitRate) bit/s with \(byteCount) bytes of data in each access unit are not supported, or leave no room for audio"
        case .noRoomForLabels(let byteCount, let minimum):
            "labels need \(minimum) bytes of data in an access unit or more, not \(byteCount)"
        case .unitGroupTooLong(let byteCount, let limit):
            "the access units of a frame take \(byteCount) bytes, but the container has room for \(limit)"
        }
    }

    /// The containers for AAC-LD and AAC-ELD, at the end of a line.
    private static let lowDelayContainers = "; M4A, CAF, LOAS and MPEG-TS support it"

    /// Joins values with commas.
    private static func list(_ values: [some Any]) -> String { values.map { "\($0)" }.joined(separator: ", ") }
}

extension MultiplexFeature: CustomStringConvertible {
    /// The feature in a few words.
    public var description: String {
        switch self {
        case .futureVersion: "audioMuxVersionA 1"
        case .separateTiming: "streams with different framing"
        case .severalStreams(let programs, let layers): "\(programs) programs and \(layers) layers"
        case .frameLengthType(let type): "frameLengthType \(type)"
        }
    }
}
