// SPDX-License-Identifier: Apache-2.0

/// The parser of an elementary stream's frames: of ADTS, of LOAS or of Opus.
///
/// All parsers, one of which is used, since Embedded Swift can't call generic methods of `any StreamParser`. Unused ones hold no memory.
struct FrameParser: Sendable {
    private let isLOAS: Bool
    private var adts = ADTSParser()
    private var loas = LOASParser()
    private var opus: OpusElementaryParser?

    /// Makes a parser of ADTS or LOAS.
    init(isLOAS: Bool) { self.isLOAS = isLOAS }

    /// Makes a parser of packets of Opus with a control header each.
    init(opus parser: OpusElementaryParser) {
        isLOAS = false
        opus = parser
    }

    /// The configuration of the latest access unit; nil before the first one.
    var configuration: CodecConfiguration? {
        if let opus { return opus.configuration }
        return isLOAS ? loas.configuration : adts.configuration
    }

    /// Appends the next bytes of the stream.
    mutating func append(_ bytes: some Collection<UInt8>) {
        if opus != nil { opus?.append(bytes) } else if isLOAS { loas.append(bytes) } else { adts.append(bytes) }
    }

    /// Ends the stream.
    mutating func finish() {
        if opus != nil { opus?.finish() } else if isLOAS { loas.finish() } else { adts.finish() }
    }

    /// Returns the next event; nil if more bytes are needed or at the end.
    mutating func nextEvent() -> ReaderEvent? {
        if opus != nil { return opus?.nextEvent() }
        return isLOAS ? loas.nextEvent() : adts.nextEvent()
    }
}
