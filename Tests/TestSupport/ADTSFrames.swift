// SPDX-License-Identifier: Apache-2.0

/// The access units of an intact ADTS stream, split independently of the library's reader.
public struct ADTSFrames: Sendable {
    /// `sampling_frequency_index` of the first frame.
    public let frequencyIndex: Int
    /// `channel_configuration` of the first frame.
    public let channelConfiguration: Int
    /// The payload of each frame.
    public let accessUnits: [[UInt8]]

    /// Splits the stream; `nil` if a header is not where the previous frame ends.
    public init?(_ bytes: [UInt8]) {
        var units: [[UInt8]] = []
        var position = 0
        while position < bytes.count {
            guard position + 7 <= bytes.count, bytes[position] == 0xFF, bytes[position + 1] & 0xF6 == 0xF0 else { return nil }
            let length =
                Int(bytes[position + 3] & 3) << 11 | Int(bytes[position + 4]) << 3 | Int(bytes[position + 5]) >> 5
            let headerLength = bytes[position + 1] & 1 == 1 ? 7 : 9
            guard length > headerLength, position + length <= bytes.count else { return nil }
            units.append(Array(bytes[position + headerLength..<position + length]))
            position += length
        }
        guard !units.isEmpty else { return nil }
        accessUnits = units
        frequencyIndex = Int(bytes[2] >> 2) & 15
        channelConfiguration = Int(bytes[2] & 1) << 2 | Int(bytes[3] >> 6)
    }
}
