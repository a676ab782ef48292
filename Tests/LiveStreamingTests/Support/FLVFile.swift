// SPDX-License-Identifier: Apache-2.0

/// The tags of a file of Flash video (Adobe, *Flash Video File Format Specification 10.1*, E.3 and E.4), also of one that is being written.
struct FLVFile {
    /// A tag of audio.
    struct Tag: Hashable {
        /// The time in milliseconds, modulo 2^32.
        var timestamp: UInt32
        /// The content after the two bytes of the header.
        var payload: [UInt8]
        /// Whether it is an access unit, not the AudioSpecificConfig.
        var isUnit: Bool
    }

    /// The tags of audio in order.
    let audio: [Tag]

    /// Reads a file up to its last complete tag.
    init(_ bytes: [UInt8]) {
        var audio: [Tag] = []
        var position = 13
        while position + 11 <= bytes.count {
            let word = { (offset: Int, count: Int) in
                bytes[position + offset..<position + offset + count].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            let end = position + 11 + Int(word(1, 3))
            guard end + 4 <= bytes.count else { break }
            if bytes[position] == 8, end >= position + 13 {
                let timestamp = word(4, 3) | word(7, 1) << 24
                audio.append(
                    Tag(timestamp: timestamp, payload: Array(bytes[position + 13..<end]), isUnit: bytes[position + 12] == 1))
            }
            position = end + 4
        }
        self.audio = audio
    }
}
