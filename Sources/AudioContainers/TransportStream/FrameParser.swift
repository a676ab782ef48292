// SPDX-License-Identifier: Apache-2.0

/// The frame parser of an elementary stream: ADTS, LOAS or Opus.
///
/// It contains all three and uses one, because Embedded Swift cannot call generic methods of `any StreamParser`. Unused ones allocate
/// nothing.
struct FrameParser: Sendable {
    private let isLOAS: Bool
    private var adts = ADTSParser()
    private var loas = LOASParser()
    private var opus: OpusElementaryParser?

    init(isLOAS: Bool) { self.isLOAS = isLOAS }

    /// Creates a parser for Opus packets with control headers.
    init(opus parser: OpusElementaryParser) {
        isLOAS = false
        opus = parser
    }

    var configuration: CodecConfiguration? {
        if let opus { return opus.configuration }
        return isLOAS ? loas.configuration : adts.configuration
    }

    mutating func append(_ bytes: some Collection<UInt8>) {
        if opus != nil { opus?.append(bytes) } else if isLOAS { loas.append(bytes) } else { adts.append(bytes) }
    }

    mutating func finish() {
        if opus != nil { opus?.finish() } else if isLOAS { loas.finish() } else { adts.finish() }
    }

    mutating func nextEvent() -> ReaderEvent? {
        if opus != nil { return opus?.nextEvent() }
        return isLOAS ? loas.nextEvent() : adts.nextEvent()
    }
}
