// SPDX-License-Identifier: Apache-2.0

/// The tags of a Flash Video file (Adobe, *Flash Video File Format Specification 10.1*, E.3 and E.4), complete or still being written.
struct FLVFile {
    struct Tag: Hashable {
        /// The timestamp in milliseconds, modulo 2^32.
        var timestamp: UInt32
        /// The data after the two header bytes.
        var payload: [UInt8]
        /// Whether the tag is an access unit, not the `AudioSpecificConfig`.
        var isUnit: Bool
    }

    let audio: [Tag]

    /// Parses a file up to its last complete tag.
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
