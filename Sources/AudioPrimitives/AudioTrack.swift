// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
/// An audio track of a file with several tracks.
public struct AudioTrack: Hashable, Sendable {
    /// The track number in the file.
    public var number: Int
    /// The usual name of the codec.
    public var codecName: String
    /// The ISO 639-2 language code, such as `eng`, or `nil` if unknown.
    public var language: String?
    /// The name that players show, or `nil` without one.
    public var name: String?
    /// The channel count, or `nil` if unknown.
    package var channelCount: Int?
    /// The sample rate in hertz, or `nil` if unknown.
    package var sampleRate: Int?
    /// Whether this track is read.
    public var isRead: Bool

    package init(number: Int, codecName: String, language: String?, isRead: Bool) {
        self.number = number
        self.codecName = codecName
        self.language = language
        self.isRead = isRead
    }
}

extension AudioTrack: CustomStringConvertible {
    /// The number, codec and language, such as `2 (AAC, eng)`.
    public var description: String { "\(number) (\(codecName)\(language.map { ", " + $0 } ?? ""))" }
}

extension AudioTrack {
    /// Returns a line with the track that is read and the ignored ones, or `nil` if no track is ignored.
    package static func note(_ tracks: [AudioTrack]) -> String? {
        let others = tracks.filter { !$0.isRead }.map(\.description)
        guard let read = tracks.first(where: \.isRead), !others.isEmpty else { return nil }
        return "audio track \(read) is read; ignored: " + others.joined(separator: ", ")
    }
}
#endif
