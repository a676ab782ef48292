// SPDX-License-Identifier: Apache-2.0

/// The cue points of a WAV file (`cue `) with their labels, notes and regions (`LIST` of type `adtl`).
package struct WAVECues: Hashable, Sendable {
    private struct Point: Hashable {
        var id: Int
        var frame: Int
    }

    /// A text of a cue point, or the text and length of a region.
    private struct Annotation: Hashable {
        /// `labl`, `note` or `ltxt`.
        var type: String
        /// All bytes, which begin with the identifier of the cue point.
        var body: [UInt8]

        var pointID: Int { number(0) }

        /// Returns four bytes as a number.
        func number(_ offset: Int) -> Int {
            Int(clamping: body[offset..<offset + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }

        var text: String { TagText.decode(body.dropFirst(4).prefix { $0 != 0 }) }
    }

    /// In hertz, or 0 before the format chunk was read.
    private(set) var sampleRate = 0
    private var points: [Point] = []
    private var annotations: [Annotation] = []

    /// The maximum size of a chunk to read, in bytes.
    static let maximumByteCount = 1 << 20
    private static let (label, note, region) = ("labl", "note", "ltxt")
    /// The bytes of a region's length, in sample frames.
    private static let lengthOffset = 4
    /// The size of a region without its text.
    private static let regionByteCount = 20

    /// Creates the cue points of chapters, each with a label, numbered from 1.
    ///
    /// - Parameter sampleRate: In hertz.
    init(_ chapters: [AudioTags.Chapter], sampleRate: Int) {
        self.sampleRate = sampleRate
        for (index, chapter) in chapters.enumerated() {
            points.append(Point(id: index + 1, frame: chapter.start(in: sampleRate)))
            var body: [UInt8] = []
            body.appendLittleEndian(index + 1, byteCount: 4)
            annotations.append(Annotation(type: Self.label, body: body + Array(chapter.title.utf8) + [0]))
        }
    }

    /// Creates a value without cue points.
    init() {}

    var isEmpty: Bool { points.isEmpty && annotations.isEmpty }

    /// Whether there are notes and regions, which chapters do not have.
    var hasDetails: Bool { annotations.contains { $0.type != Self.label } }

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
                points.append(Point(id: id, frame: frame))
            }
        case "LIST" where contents.starts(with: "adtl".utf8):
            _ = cursor.read(4)
            while let type = cursor.read(4), let length = cursor.readLittleEndian(4), let body = cursor.read(length) {
                _ = cursor.readAtMost(length & 1)
                let name = TagText.latin1(type)
                let minimum = name == Self.region ? Self.regionByteCount : 4
                guard [Self.label, Self.note, Self.region].contains(name), body.count >= minimum else { continue }
                annotations.append(Annotation(type: name, body: Array(body)))
            }
        default: break
        }
    }

    /// Returns the chunks with positions at another sample rate.
    ///
    /// Omits cue points after 2³² - 1 sample frames.
    func chunks(newRate: Int) -> [UInt8] {
        var kept: [Int: Int] = [:]
        var list: [UInt8] = []
        for point in points {
            let frame = Self.scaled(point.frame, rate: sampleRate, newRate: newRate)
            guard frame <= Int(clamping: UInt32.max) else { continue }
            kept[point.id] = frame
            list.appendLittleEndian(point.id, byteCount: 4)
            list.appendLittleEndian(frame, byteCount: 4)
            list += Array("data".utf8)
            list.appendLittleEndian(0, byteCount: 8)
            list.appendLittleEndian(frame, byteCount: 4)
        }
        guard !list.isEmpty else { return [] }
        var count: [UInt8] = []
        count.appendLittleEndian(list.count / 24, byteCount: 4)
        var texts = Array("adtl".utf8)
        for annotation in annotations where kept[annotation.pointID] != nil {
            var body = annotation.body
            if annotation.type == Self.region {
                var length: [UInt8] = []
                let scaled = Self.scaled(annotation.number(Self.lengthOffset), rate: sampleRate, newRate: newRate)
                length.appendLittleEndian(min(scaled, Int(clamping: UInt32.max)), byteCount: 4)
                body.replaceSubrange(Self.lengthOffset..<Self.lengthOffset + 4, with: length)
            }
            texts += [UInt8](chunk: annotation.type, body)
        }
        return [UInt8](chunk: "cue ", count + list) + (texts.count > 4 ? [UInt8](chunk: "LIST", texts) : [])
    }

    /// Whether cue points with labels express chapters completely, at a sample rate in hertz.
    static func canStore(_ chapters: [AudioTags.Chapter], at rate: Int) -> Bool {
        // The header of an annotation has 13 bytes with the terminator.
        let byteCount = chapters.reduce(0) { $0 + $1.title.utf8.count + 14 }
        return byteCount < maximumByteCount
            && chapters.allSatisfy {
                $0.picture == nil && $0.address == nil && !$0.title.utf8.contains(0) && $0.start(in: rate) <= Int(clamping: UInt32.max)
            }
    }

    /// Returns a 32-bit number of sample frames at another rate, rounded to nearest.
    static func scaled(_ frames: Int, rate: Int, newRate: Int) -> Int {
        rate == newRate || rate <= 0 ? frames : AudioTags.Chapter(start: frames, timescale: rate, title: "").start(in: newRate)
    }

    /// One chapter per cue point, in file order, with a number as title if there is neither a label nor a note.
    var chapters: [AudioTags.Chapter] {
        guard sampleRate > 0 else { return [] }
        var titles: [Int: String] = [:]
        for type in [Self.note, Self.label] {
            for annotation in annotations where annotation.type == type { titles[annotation.pointID] = annotation.text }
        }
        return points.enumerated().map { index, point in
            AudioTags.Chapter(start: point.frame, timescale: sampleRate, title: titles[point.id] ?? "Cue \(index + 1)")
        }
    }
}
