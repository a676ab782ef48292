// SPDX-License-Identifier: Apache-2.0

/// Files without audio that are often passed by mistake.
enum NonAudioFile {
    /// Returns the kind of a file by its first bytes, with an article, or `nil` if it can be audio.
    static func kind(_ front: [UInt8]) -> String? {
        if front.isEmpty { return "empty" }
        if front.starts(with: "RIFF".utf8), front.dropFirst(8).starts(with: "WEBP".utf8) { return "a WebP picture" }
        if let found = signatures.first(where: { front.starts(with: $0.bytes) }) { return found.kind }
        let text = front.drop { [0xEF, 0xBB, 0xBF, 0x09, 0x0A, 0x0D, 0x20].contains($0) }
        let lowercase = text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return texts.first(where: { lowercase.starts(with: $0.start.utf8) })?.kind
    }

    private static let signatures: [(bytes: [UInt8], kind: String)] = [
        ([0xFF, 0xD8, 0xFF], "a JPEG picture"), ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"), (Array("GIF8".utf8), "a GIF picture"),
        (Array("%PDF".utf8), "a PDF document"), ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"), (Array("Rar!".utf8), "a RAR archive"),
        ([0x37, 0x7A, 0xBC, 0xAF], "a 7-Zip archive"), ([0x1F, 0x8B], "a gzip archive"), ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ]

    /// Starts of texts, in lower case.
    private static let texts: [(start: String, kind: String)] = [
        ("<!doctype html", "an HTML page"), ("<html", "an HTML page"), ("<?xml", "an XML document"), ("#extm3u", "a playlist"),
        ("[playlist]", "a playlist"), ("{\\rtf", "an RTF document"),
    ]
}
