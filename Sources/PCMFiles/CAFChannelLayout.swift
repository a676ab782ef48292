// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives

/// The channel layout chunk of CAF and AIFF: a layout tag, a bitmap, or channel descriptions.
enum CAFChannelLayout {
    /// The layout tag that indicates a bitmap (`kAudioChannelLayoutTag_UseChannelBitmap`).
    ///
    /// The tag for descriptions is 0.
    private static let bitmapTag = 1 << 16
    private static let descriptionLength = 20
    static let chunkID = "chan"

    /// Returns the chunk contents for a WAV channel mask, which has the same bits as the bitmap.
    static func contents(waveMask: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in [bitmapTag, Int(waveMask), 0] { bytes.appendBigEndian(number, byteCount: 4) }
        return bytes
    }

    /// Parses a chunk, or returns `nil` for unsupported layouts and speakers.
    static func layout(_ bytes: [UInt8]) -> ChannelLayout? {
        guard bytes.count >= 12 else { return nil }
        switch number(bytes[0..<4]) {
        case bitmapTag: return ChannelLayout(waveMask: UInt32(truncatingIfNeeded: number(bytes[4..<8])))
        case 0:
            let count = number(bytes[8..<12])
            guard count > 0, count <= (bytes.count - 12) / descriptionLength else { return nil }
            return layout(labels: (0..<count).map { number(bytes[12 + $0 * descriptionLength..<16 + $0 * descriptionLength]) })
        case let tag: return taggedLabels[tag >> 16].flatMap { $0.count == tag & 0xFFFF ? layout(labels: $0) : nil }
        }
    }

    private static func layout(labels: [Int]) -> ChannelLayout? {
        ChannelLayout(known: labels.map { speaker(label: $0, hasRearSurround: labels.contains(33)) })
    }

    /// The channel labels of layouts, by the upper 16 bits of their tags (Core Audio Format specification 1.0, channel layout tags).
    private static let taggedLabels = [
        100: [42], 101: [1, 2], 108: [1, 2, 5, 6], 113: [1, 2, 3], 114: [3, 1, 2], 115: [1, 2, 3, 9], 116: [3, 1, 2, 9],
        117: [1, 2, 3, 5, 6], 118: [1, 2, 5, 6, 3], 119: [1, 3, 2, 5, 6], 120: [3, 1, 2, 5, 6], 121: [1, 2, 3, 4, 5, 6],
        122: [1, 2, 5, 6, 3, 4], 123: [1, 3, 2, 5, 6, 4], 124: [3, 1, 2, 5, 6, 4], 125: [1, 2, 3, 4, 5, 6, 9],
        126: [1, 2, 3, 4, 5, 6, 7, 8], 127: [3, 7, 8, 1, 2, 5, 6, 4], 128: [1, 2, 3, 4, 5, 6, 33, 34], 131: [1, 2, 9], 132: [1, 2, 5, 6],
    ]

    /// Returns the speaker of a channel label.
    ///
    /// - Parameter hasRearSurround: Whether the layout has `RearSurroundLeft`. The surround speakers are then at the sides.
    private static func speaker(label: Int, hasRearSurround: Bool) -> Speaker? {
        switch label {
        case 1: .left
        case 2: .right
        case 3, 42: .center
        case 4: .lowFrequency
        case 5: hasRearSurround ? .sideLeft : .backLeft
        case 6: hasRearSurround ? .sideRight : .backRight
        case 7: .leftOfCenter
        case 8: .rightOfCenter
        case 9: .backCenter
        case 10: .sideLeft
        case 11: .sideRight
        case 13: .topLeft
        case 15: .topRight
        case 33: .backLeft
        case 34: .backRight
        default: nil
        }
    }

    /// Returns a big-endian number.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
