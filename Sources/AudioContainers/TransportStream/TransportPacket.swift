// SPDX-License-Identifier: Apache-2.0

/// The header of a transport stream packet (ISO/IEC 13818-1:2019, 2.4.3.2).
struct TransportPacket {
    /// The length of a packet in bytes.
    static let byteCount = 188
    /// The first byte of a packet.
    static let syncByte: UInt8 = 0x47
    /// The distances of packets in use, in bytes: plain, with an arrival time before each packet, and with an error correction code after it.
    static let strides = [188, 192, 204]

    /// The packet identifier, 0 to 0x1FFF.
    var pid: Int
    /// Whether a section or PES packet starts in the payload (`payload_unit_start_indicator`).
    var startsUnit: Bool
    /// The number of the packet among those of its PID that have a payload, modulo 16.
    var continuityCounter: UInt8
    /// Whether the counter may start anew (`discontinuity_indicator`).
    var isDiscontinuous: Bool
    /// The payload as distances from the packet's first byte; empty for a packet without one.
    var payload: Range<Int>

    /// Reads the header of the packet at the start of a window; nil if it is marked as damaged, scrambled or invalid.
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
