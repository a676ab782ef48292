// SPDX-License-Identifier: Apache-2.0

/// The markers of an AIFF file (`MARK`; Audio Interchange File Format 1.3), which are chapters in tags.
package struct AIFFMarkers {
    /// In hertz, or 0 before the common chunk was read.
    private var sampleRate = 0
    private var markers: [(frame: Int, name: String)] = []

    /// The maximum number of markers, and bytes of a name.
    private static let (countLimit, nameLimit) = (min(AudioTags.Chapter.countLimit, Int(Int16.max)), Int(UInt8.max))
    /// The offset of the sample rate in the common chunk.
    private static let rateOffset = 8

    /// Reads the contents of a chunk, ignoring other types.
    mutating func read(_ id: String, _ contents: ArraySlice<UInt8>) {
        var cursor = TagCursor(contents)
        if id == "COMM" {
            guard cursor.read(Self.rateOffset) != nil, let rate = cursor.read(10) else { return }
            sampleRate = Self.rounded(extended: rate)
        } else if id == "MARK" {
            guard let count = cursor.readBigEndian(2) else { return }
            for _ in 0..<min(count, Self.countLimit) {
                guard cursor.read(2) != nil, let frame = cursor.readBigEndian(4), let length = cursor.readBigEndian(1),
                    let name = cursor.read(length)
                else { return }
                // The length and the name have an even number of bytes together.
                _ = cursor.readAtMost((length + 1) & 1)
                markers.append((frame, TagText.trimmed(TagText.decode(name))))
            }
        }
    }

    /// One chapter per marker, with a number as title if it has no name.
    var chapters: [AudioTags.Chapter] {
        guard sampleRate > 0 else { return [] }
        return markers.enumerated().map { index, marker in
            AudioTags.Chapter(
                start: marker.frame, timescale: sampleRate, title: marker.name.isEmpty ? "Marker \(index + 1)" : marker.name)
        }
    }

    /// Returns the chapters as a chunk; empty without chapters.
    ///
    /// Omits chapters after 2³² - 1 sample frames, and cuts long names.
    static func chunk(_ chapters: [AudioTags.Chapter], sampleRate: Int) -> [UInt8] {
        var list: [UInt8] = []
        var count = 0
        for chapter in chapters.prefix(countLimit) {
            let frame = chapter.start(in: sampleRate)
            guard frame <= Int(clamping: UInt32.max) else { continue }
            let name = chapter.title.utf8Prefix(nameLimit)
            count += 1
            list.appendBigEndian(count, byteCount: 2)
            list.appendBigEndian(frame, byteCount: 4)
            list += [UInt8(name.count)] + name + (name.count & 1 == 0 ? [0] : [])
        }
        guard count > 0 else { return [] }
        var contents: [UInt8] = []
        contents.appendBigEndian(count, byteCount: 2)
        return [UInt8](chunk: "MARK", contents + list, isBigEndian: true)
    }

    /// Rounds 80-bit floating point to an integer.
    ///
    /// Returns 0 if it is negative, not a number or too large.
    package static func rounded(extended bytes: ArraySlice<UInt8>) -> Int {
        let exponent = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) } - 16_383
        let mantissa = bytes.dropFirst(2).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard 0..<62 ~= exponent else { return 0 }
        let value = mantissa >> UInt64(63 - exponent)
        let isHalf = mantissa >> UInt64(62 - exponent) & 1 == 1
        return Int(value) + (isHalf ? 1 : 0)
    }
}
