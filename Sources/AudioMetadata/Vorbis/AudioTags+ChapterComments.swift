// SPDX-License-Identifier: Apache-2.0

// Chapters as Vorbis comments: `CHAPTER001=00:01:02.345`, `CHAPTER001NAME=…` and `CHAPTER001URL=…` (Xiph wiki, Chapter Extension).
extension AudioTags {
    private static let chapterName = "CHAPTER"
    /// The maximum number of digits in a chapter number.
    private static let digitLimit = 6

    /// Converts chapter comments to chapters and removes the comments.
    mutating func extractChapters() {
        var found: [String: Chapter] = [:]
        var order: [String] = []
        var parts: [(number: String, field: Field)] = []
        fields.removeAll { field in
            guard let (number, rest) = Self.chapterPart(field.key), found.count < Chapter.countLimit else { return false }
            guard rest.isEmpty else {
                guard rest == "NAME" || rest == "URL" else { return false }
                parts.append((number, field))
                return false
            }
            guard found[number] == nil, let time = ChapterTime.ticks(field.value) else { return false }
            found[number] = Chapter(start: time.start, timescale: time.timescale, title: "")
            order.append(number)
            return true
        }
        guard !found.isEmpty else { return }
        for (number, field) in parts where found[number] != nil {
            if field.key.folded.utf8.last == UInt8(ascii: "L") {
                found[number]?.address = field.value
            } else {
                found[number]?.title = field.value
            }
        }
        fields.removeAll { field in Self.chapterPart(field.key).map { !$0.rest.isEmpty && found[$0.number] != nil } ?? false }
        setChapters(order.compactMap { found[$0] })
    }

    /// Returns the chapter number in the name of a chapter comment and the text after it, or `nil` for other names.
    private static func chapterPart(_ key: Key) -> (number: String, rest: Substring)? {
        guard key.folded.hasPrefix(chapterName) else { return nil }
        let digits = Unicode.Scalar("0")...Unicode.Scalar("9")
        let tail = key.folded.unicodeScalars.dropFirst(chapterName.unicodeScalars.count)
        let number = tail.prefix { digits.contains($0) }
        let rest = Substring(tail.dropFirst(number.count))
        guard (1...digitLimit).contains(number.count), ["", "NAME", "URL"].contains(rest) else { return nil }
        return (String(Substring(number)), rest)
    }

    static func isChapterComment(_ comment: ArraySlice<UInt8>) -> Bool {
        chapterPart(Key(String(decoding: comment.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self))) != nil
    }

    /// The chapters as comments, numbered from 1.
    var chapterComments: [String] {
        chapters.enumerated().flatMap { index, chapter in
            let name = Self.chapterName + ChapterTime.padded(index + 1, 3)
            var comments = ["\(name)=\(ChapterTime.text(chapter))", "\(name)NAME=\(chapter.title)"]
            if let address = chapter.address { comments.append("\(name)URL=\(address)") }
            return comments
        }
    }
}
