// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives

/// Dynamic range control for an access unit (`dynamic_range_info`, ISO/IEC 14496-3:2009, Table 4.52), for tests.
public struct DynamicRangePayload: Sendable {
    /// The gains of the bands in steps of 0.25 dB, -127 to 127.
    public var gains: [Int]
    /// `drc_band_top`, one per band; empty for one band without a top.
    public var tops: [Int]
    /// `drc_interpolation_scheme`.
    public var scheme = 0
    /// `prog_ref_level`, 0 to 127.
    public var referenceLevel: Int?
    /// The channels without control.
    public var excluded: Set<Int> = []
    /// `pce_instance_tag`.
    public var programTag: Int?

    /// Creates a payload for all channels.
    public init(_ gains: [Int], tops: [Int] = []) { (self.gains, self.tops) = (gains, tops) }

    /// The extension type and the payload.
    public var bytes: [UInt8] {
        var writer = BitWriter()
        writer.write(11, count: 4)
        writer.write(programTag == nil ? 0 : 1, count: 1)
        if let programTag { writer.write(UInt32(programTag) << 4, count: 8) }
        writer.write(excluded.isEmpty ? 0 : 1, count: 1)
        if let last = excluded.max() {
            for channel in 0..<7 * (last / 7 + 1) {
                writer.write(excluded.contains(channel) ? 1 : 0, count: 1)
                if channel % 7 == 6 { writer.write(channel < last ? 1 : 0, count: 1) }
            }
        }
        writer.write(tops.isEmpty ? 0 : 1, count: 1)
        if !tops.isEmpty {
            writer.write(UInt32(tops.count - 1), count: 4)
            writer.write(UInt32(scheme), count: 4)
            for top in tops { writer.write(UInt32(top), count: 8) }
        }
        writer.write(referenceLevel == nil ? 0 : 1, count: 1)
        if let referenceLevel { writer.write(UInt32(referenceLevel) << 1, count: 8) }
        for gain in gains { writer.write(UInt32(abs(gain)) | (gain < 0 ? 0x80 : 0), count: 8) }
        return writer.bytes
    }

    /// Returns a raw data block with a fill element before its elements.
    public static func insert(_ payloads: [DynamicRangePayload], into block: [UInt8]) -> [UInt8] {
        insert(payloads.map(\.bytes), into: block)
    }

    /// Returns a raw data block with fill elements of up to 14 or 269 bytes before its elements.
    public static func insert(_ payloads: [[UInt8]], into block: [UInt8]) -> [UInt8] {
        var writer = BitWriter()
        for bytes in payloads {
            // ID_FIL
            writer.write(6, count: 3)
            writer.write(UInt32(min(bytes.count, 15)), count: 4)
            if bytes.count >= 15 { writer.write(UInt32(bytes.count - 14), count: 8) }
            for byte in bytes { writer.write(UInt32(byte), count: 8) }
        }
        for byte in block { writer.write(UInt32(byte), count: 8) }
        return writer.bytes
    }
}
