// SPDX-License-Identifier: Apache-2.0

/// The file names in a stream's folder.
package enum HLSFileNames {
    static let playlist = "audio.m3u8"
    static let master = "master.m3u8"

    /// Returns the name of an initialization segment; `number` is the first segment that uses it.
    static func initialization(_ number: Int) -> String { "audio-\(number)-init.mp4" }

    static func segment(_ number: Int, _ fileExtension: String) -> String { "audio-\(number).\(fileExtension)" }

    static func part(_ index: Int, ofSegment number: Int, _ fileExtension: String) -> String {
        "audio-\(number)-part\(index).\(fileExtension)"
    }

    /// Returns the segment number in a file name, or `nil` for other names.
    package static func number(of name: String) -> Int? {
        let fields = name.split(separator: ".", omittingEmptySubsequences: false)
        guard fields.count == 2, ["m4s", "aac", "mp4"].contains(fields[1]) else { return nil }
        let words = fields[0].split(separator: "-", omittingEmptySubsequences: false)
        guard (2...3).contains(words.count), words[0] == "audio", let number = decimal(words[1]) else { return nil }
        if words.count == 2 { return fields[1] == "mp4" ? nil : number }
        if fields[1] == "mp4" { return words[2] == "init" ? number : nil }
        return words[2].hasPrefix("part") && decimal(words[2].dropFirst(4)) != nil ? number : nil
    }

    static func isPart(_ name: String) -> Bool { number(of: name) != nil && name.contains("-part") }

    /// Parses a decimal number without sign or leading zeros.
    private static func decimal(_ text: Substring) -> Int? {
        guard let value = Int(text), value >= 0, String(value) == text else { return nil }
        return value
    }
}
