// SPDX-License-Identifier: Apache-2.0

/// The cue points of a WAV file (`cue `) with their labels (`LIST` of type `adtl`), converted to chapters.
package struct WAVECues {
    /// In hertz, or 0 before the format chunk was read.
    private var sampleRate = 0
    private var points: [(id: Int, frame: Int)] = []
    private var labels: [Int: String] = [:]

    /// The maximum size of a chunk to read, in bytes.
    static let maximumByteCount = 1 << 20

    /// Reads the contents of a chunk, ignoring other types.
    mutating func read(_ id: String, _ contents: [UInt8]) {
        var cursor = TagCursor(contents[...])
        switch id {
        case "fmt ":
            guard cursor.read(4) != nil else { return }
            sampleRate = cursor.readLittleEndian(4) ?? 0
        case "cue ":
            guard let count = cursor.readLittleEndian(4) else { return }
            for _ in 0..<min(count, AudioTags.Chapter.countLimit) {
                // The play order, the chunk and two offsets for other chunk types precede the frame.
                guard let id = cursor.readLittleEndian(4), cursor.read(16) != nil, let frame = cursor.readLittleEndian(4) else { return }
                points.append((id, frame))
            }
        case "LIST" where contents.starts(with: "adtl".utf8):
            _ = cursor.read(4)
            while let type = cursor.read(4), let length = cursor.readLittleEndian(4), let body = cursor.read(length) {
                _ = cursor.readAtMost(length & 1)
                guard type.elementsEqual("labl".utf8), body.count >= 4 else { continue }
                let id = body.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
                labels[id] = TagText.decode(body.dropFirst(4).prefix { $0 != 0 })
            }
        default: break
        }
    }

    /// Returns the chunks of chapters, each with a cue point and a label, numbered from 1.
    ///
    /// Omits chapters that start after 2³² - 1 sample frames, which a cue point cannot express.
    ///
    /// - Parameter sampleRate: In hertz.
    package static func chunks(_ chapters: [AudioTags.Chapter], sampleRate: Int) -> [UInt8] {
        let found = chapters.filter { $0.start(in: sampleRate) <= Int(clamping: UInt32.max) }
        guard !found.isEmpty else { return [] }
        var points: [UInt8] = []
        var labels = Array("adtl".utf8)
        points.appendLittleEndian(found.count, byteCount: 4)
        for (index, chapter) in found.enumerated() {
            let frame = chapter.start(in: sampleRate)
            points.appendLittleEndian(index + 1, byteCount: 4)
            points.appendLittleEndian(frame, byteCount: 4)
            points += Array("data".utf8)
            points.appendLittleEndian(0, byteCount: 8)
            points.appendLittleEndian(frame, byteCount: 4)
            var label: [UInt8] = []
            label.appendLittleEndian(index + 1, byteCount: 4)
            labels += [UInt8](chunk: "labl", label + Array(chapter.title.utf8) + [0])
        }
        return [UInt8](chunk: "cue ", points) + [UInt8](chunk: "LIST", labels)
    }

    /// One chapter per cue point, in file order, with a number as title if there is no label.
    var chapters: [AudioTags.Chapter] {
        guard sampleRate > 0 else { return [] }
        return points.enumerated().map { index, point in
            AudioTags.Chapter(start: point.frame, timescale: sampleRate, title: labels[point.id] ?? "Cue \(index + 1)")
        }
    }
}
