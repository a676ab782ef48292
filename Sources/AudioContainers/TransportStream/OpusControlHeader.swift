// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The header before each Opus access unit in a transport stream (`opus_control_header`, ETSI draft "Opus in MPEG-2 Transport Streams",
/// 0.1.3).
struct OpusControlHeader {
    /// The sample frames at 48 kHz to discard at the start and at the end.
    var trim = UnitTrim()
    /// The packet size, in bytes.
    var byteCount: Int

    private(set) var headerByteCount = 0

    /// The first 11 bits, as the upper bits of two bytes.
    private static let prefix = 0x7FE0
    private static let prefixMask = 0xFFE0
    private static let startTrimFlag = 0x10
    private static let endTrimFlag = 0x08
    private static let extensionFlag = 0x04
    /// The maximum trim in either direction.
    static let maximumTrim = 0x1FFF

    typealias Search = StreamSearch<OpusControlHeader>

    static func search(_ window: StreamWindow, at distance: Int = 0) -> Search {
        let missing: Search = window.isFinished ? .none : .needsMore
        guard window.has(distance + 2) else { return missing }
        let first = Int(window[distance]) << 8 | Int(window[distance + 1])
        guard first & prefixMask == prefix else { return .none }
        var position = distance + 2
        var header = OpusControlHeader(trim: UnitTrim(), byteCount: 0)
        // The size is the sum of all bytes up to the first byte below 255.
        while true {
            guard window.has(position + 1) else { return missing }
            header.byteCount += Int(window[position])
            position += 1
            if window[position - 1] < 255 { break }
            guard header.byteCount <= OggOpusParser.maximumPacketByteCount * OpusChannelMapping.maximumChannelCount else { return .none }
        }
        for flag in [startTrimFlag, endTrimFlag] where first & flag != 0 {
            guard window.has(position + 2) else { return missing }
            let value = (Int(window[position]) << 8 | Int(window[position + 1])) & maximumTrim
            if flag == startTrimFlag { header.trim.leading = value } else { header.trim.trailing = value }
            position += 2
        }
        if first & extensionFlag != 0 {
            guard window.has(position + 1) else { return missing }
            position += 1 + Int(window[position])
        }
        guard header.byteCount > 0 else { return .none }
        header.headerByteCount = position - distance
        return .found(header)
    }

    var serialized: [UInt8] {
        let leading = min(trim.leading, Self.maximumTrim)
        let trailing = min(trim.trailing, Self.maximumTrim)
        let first = Self.prefix | (leading > 0 ? Self.startTrimFlag : 0) | (trailing > 0 ? Self.endTrimFlag : 0)
        var bytes = [UInt8(first >> 8), UInt8(first & 0xFF)]
        bytes += OggPage.lacing(of: byteCount)
        for value in [leading, trailing] where value > 0 { bytes += [UInt8(value >> 8), UInt8(value & 0xFF)] }
        return bytes
    }
}
