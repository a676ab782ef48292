// SPDX-License-Identifier: Apache-2.0

/// The header of a transport stream packet (ISO/IEC 13818-1:2019, 2.4.3.2).
struct TransportPacket {
    static let byteCount = 188
    static let syncByte: UInt8 = 0x47
    /// The packet distances in use, in bytes: plain, with a preceding arrival time, and with a trailing error correction code.
    static let strides = [188, 192, 204]

    /// The packet identifier, 0 to 0x1FFF.
    var pid: Int
    /// Whether a section or PES packet starts in the payload (`payload_unit_start_indicator`).
    var startsUnit: Bool
    /// The packet number modulo 16, counted per PID over packets with payload.
    var continuityCounter: UInt8
    /// Whether the counter may jump (`discontinuity_indicator`).
    var isDiscontinuous: Bool
    /// The payload's range within the packet, possibly empty.
    var payload: Range<Int>

    /// Parses the header of the packet at the start of the window, or `nil` if it is marked as damaged, scrambled or invalid.
    ///
    /// - Parameter window: At least 188 bytes.
    init?(_ window: StreamWindow) {
        let hasError = window[1] & 0x80 != 0
        let isScrambled = window[3] & 0xC0 != 0
        guard !hasError, !isScrambled else { return nil }
        startsUnit = window[1] & 0x40 != 0
        pid = Int(window[1] & 0x1F) << 8 | Int(window[2])
        continuityCounter = window[3] & 0x0F
        let (hasAdaptationField, hasPayload) = (window[3] & 0x20 != 0, window[3] & 0x10 != 0)
        let start = hasAdaptationField ? 5 + Int(window[4]) : 4
        guard start <= Self.byteCount else { return nil }
        isDiscontinuous = hasAdaptationField && window[4] > 0 && window[5] & 0x80 != 0
        payload = hasPayload ? start..<Self.byteCount : 0..<0
    }
}
