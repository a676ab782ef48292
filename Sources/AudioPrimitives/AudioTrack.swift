// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
/// An audio track of a file that has several.
public struct AudioTrack: Hashable, Sendable {
    /// The number of the track in the file.
    public var number: Int
    /// The usual name of the codec.
    public var codecName: String
    /// The language as a code of ISO 639-2, such as `eng`; nil if the file does not tell.
    public var language: String?
    /// Whether the track is the one that is read.
    public var isRead: Bool

    /// Creates a track.
    package init(number: Int, codecName: String, language: String?, isRead: Bool) {
        self.number = number
        self.codecName = codecName
        self.language = language
        self.isRead = isRead
    }
}

extension AudioTrack: CustomStringConvertible {
    /// The number, the codec and the language, such as `2 (AAC, eng)`.
    public var description: String { "\(number) (\(codecName)\(language.map { ", " + $0 } ?? ""))" }
}

extension AudioTrack {
    /// Returns a line that names the track that is read and the others; nil if there are no others.
    package static func note(_ tracks: [AudioTrack]) -> String? {
        let others = tracks.filter { !$0.isRead }.map(\.description)
        guard let read = tracks.first(where: \.isRead), !others.isEmpty else { return nil }
        return "audio track \(read) is read; left out: " + others.joined(separator: ", ")
    }
}
#endif
