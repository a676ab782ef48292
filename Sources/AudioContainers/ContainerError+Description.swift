// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension ContainerError: CustomStringConvertible {
    /// What is wrong, in one line for people.
    public var description: String {
        switch self {
        case .truncated(let offset, let needed, let available):
            "what begins at byte \(offset) needs \(needed) bytes and has \(available)"
        case .noSyncword(let offset): "no ADTS header at byte \(offset)"
        case .frameLengthTooShort(let byteCount, let minimum): "a frame of \(byteCount) bytes, where \(minimum) is the least"
        case .configuration(let error): "the codec's configuration is bad: \(error)"
        case .unsupportedMultiplex(let feature): "the multiplex has what can't be read: \(feature)"
        case .missingConfiguration: "an access unit comes before its configuration"
        case .invalidBox(let code, let offset): "the box \(code) at byte \(offset) contradicts itself"
        case .missingPart(let code): "the part \(code) is missing"
        case .noAACAudio(let found?): "there is no AAC, only \(found)"
        case .noAACAudio(nil): "there is no AAC"
        case .partTooLong(let code, let byteCount, let limit): "the part \(code) has \(byteCount) bytes, more than \(limit)"
        case .inputFailed(let code): "reading failed with error \(code)"
        case .outputFailed(let code): "writing failed with error \(code)"
        case .accessUnitTooLong(let byteCount, let limit): "an access unit of \(byteCount) bytes, where the container takes \(limit)"
        case .formatNotWritable(let format): "\(format.name) can't be written"
        case .sinkCannotOverwrite: "this container can't go to a pipe"
        case .missingElementSpans: "checksums need the places of the elements"
        case .emptyAccessUnit: "an access unit without bytes"
        case .unsupportedObjectType(let type, let allowed): "the container can't hold \(type), only \(Self.list(allowed))"
        case .unsupportedSampleRate(let rate, let allowed): "the container can't say \(rate) Hz, only \(Self.list(allowed))"
        case .unsupportedChannelConfiguration(let configuration, let allowed):
            "the container can't say channel configuration \(configuration), only \(allowed.lowerBound) to \(allowed.upperBound)"
        case .unsupportedFrameLength(let length, let allowed): "the container can't say \(length) frames a unit, only \(Self.list(allowed))"
        }
    }

    private static func list(_ values: [some Any]) -> String { values.map { "\($0)" }.joined(separator: ", ") }
}
