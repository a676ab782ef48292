// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The parser of an elementary stream's frames: of ADTS, of LOAS or of Opus.
///
/// An enumeration, since Embedded Swift can't call generic methods of `any StreamParser`.
enum FrameParser: Sendable {
    /// Frames with a header each.
    case adts(ADTSParser)
    /// LATM in a LOAS sync stream.
    case loas(LOASParser)
    /// Packets of Opus with a control header each.
    case opus(OpusElementaryParser)

    /// The configuration of the latest access unit; nil before the first one.
    var configuration: CodecConfiguration? {
        switch self {
        case .adts(let parser): parser.configuration
        case .loas(let parser): parser.configuration
        case .opus(let parser): parser.configuration
        }
    }

    /// Appends the next bytes of the stream.
    mutating func append(_ bytes: some Collection<UInt8>) {
        change {
            $0.append(bytes)
        } loas: {
            $0.append(bytes)
        } opus: {
            $0.append(bytes)
        }
    }

    /// Ends the stream.
    mutating func finish() {
        change {
            $0.finish()
        } loas: {
            $0.finish()
        } opus: {
            $0.finish()
        }
    }

    /// Returns the next event; nil if more bytes are needed or at the end.
    mutating func nextEvent() -> ReaderEvent? {
        change {
            $0.nextEvent()
        } loas: {
            $0.nextEvent()
        } opus: {
            $0.nextEvent()
        }
    }

    /// Calls one of the closures with the parser, which is not copied.
    private mutating func change<Result>(
        adts: (inout ADTSParser) -> Result, loas: (inout LOASParser) -> Result, opus: (inout OpusElementaryParser) -> Result
    ) -> Result {
        switch self {
        case .adts(var parser):
            // No second reference to the parser's bytes, which would be copied by the change.
            self = .adts(ADTSParser())
            defer { self = .adts(parser) }
            return adts(&parser)
        case .loas(var parser):
            self = .loas(LOASParser())
            defer { self = .loas(parser) }
            return loas(&parser)
        case .opus(var parser):
            self = .adts(ADTSParser())
            defer { self = .opus(parser) }
            return opus(&parser)
        }
    }
}
