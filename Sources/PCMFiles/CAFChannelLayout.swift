// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles

/// The channel layout chunk of CAF, as far as libsndfile does not know it: bitmaps and channel descriptions.
enum CAFChannelLayout {
    /// The layout tag of a bitmap (`kAudioChannelLayoutTag_UseChannelBitmap`); that of descriptions is 0.
    private static let bitmapTag = 1 << 16
    /// The size of a channel description in bytes.
    private static let descriptionLength = 20
    /// The most chunks before the layout that are passed over.
    private static let chunkLimit = 64

    /// The identifier of the chunk.
    static let chunkID = "chan"

    /// Returns the contents of a chunk with the speakers of a WAV mask, whose bits the bitmap has too.
    static func contents(waveMask: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in [bitmapTag, Int(waveMask), 0] { bytes.appendBigEndian(number, byteCount: 4) }
        return bytes
    }

    /// Returns the speakers that a bitmap or descriptions in a file name; nil if there are none, or the file is no CAF.
    static func read(_ input: FileInput) throws(SystemFileError) -> ChannelLayout? {
        guard try input.bytes(at: 0..<4) == Array("caff".utf8) else { return nil }
        var offset = 8
        for _ in 0..<chunkLimit {
            let head = try input.bytes(at: offset..<offset + 12)
            guard head.count == 12 else { return nil }
            let length = number(head[4..<12])
            offset += 12
            if head[0..<4].elementsEqual(chunkID.utf8) {
                guard length >= 12, length <= 12 + 64 * descriptionLength else { return nil }
                return layout(try input.bytes(at: offset..<offset + length))
            }
            // The length of the samples can be unknown: -1.
            guard length >= 0, length <= Int.max - offset - 12 else { return nil }
            offset += length
        }
        return nil
    }

    /// Returns the speakers of a chunk; nil for layout tags, and for speakers that have no name here.
    private static func layout(_ bytes: [UInt8]) -> ChannelLayout? {
        guard bytes.count >= 12 else { return nil }
        switch number(bytes[0..<4]) {
        case bitmapTag: return ChannelLayout(waveMask: UInt32(truncatingIfNeeded: number(bytes[4..<8])))
        case 0:
            let count = number(bytes[8..<12])
            guard count > 0, count <= (bytes.count - 12) / descriptionLength else { return nil }
            let labels = (0..<count).map { number(bytes[12 + $0 * descriptionLength..<16 + $0 * descriptionLength]) }
            return ChannelLayout(known: labels.map { speaker(label: $0, hasRearSurround: labels.contains(33)) })
        default: return nil
        }
    }

    /// Returns the speaker of a channel label.
    ///
    /// - Parameter hasRearSurround: Whether the layout has speakers behind the surround (`RearSurroundLeft`), which is then at the sides.
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

    /// Returns a number with the highest byte first.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
