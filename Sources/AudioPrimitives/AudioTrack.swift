// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
/// An audio track of a file that can have several.
public struct AudioTrack: Hashable, Sendable {
    /// The number among the audio tracks of the file, from 1.
    public var number: Int
    /// The usual name of the codec.
    public var codecName: String
    /// The ISO 639-2 code of the language, such as `eng`, or its BCP 47 tag, or `nil` if unknown.
    public var language: String?
    /// The name that players show, or `nil` without one.
    public var name: String?
    /// The channel count, or `nil` if unknown.
    package var channelCount: Int?
    /// The sample rate in hertz, or `nil` if unknown.
    package var sampleRate: Int?
    /// Whether players choose this track unless told otherwise, or `nil` if the container has no such flag.
    package var isDefault: Bool?
    package var isSupported = true
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
    /// The number, codec, language and name, such as `2 (AAC, eng)`.
    public var description: String {
        "\(number) (\([codecName, language, name].compactMap { $0 }.joined(separator: ", ")))"
    }
}

extension AudioTrack {
    /// Returns a line with the track that is read and the ignored ones, or `nil` if no track is ignored.
    package static func note(_ tracks: [AudioTrack]) -> String? {
        let others = tracks.filter { !$0.isRead }.map { $0.description }
        guard let read = tracks.first(where: { $0.isRead }), !others.isEmpty else { return nil }
        return "audio track \(read) is read; ignored: " + others.joined(separator: ", ")
    }
}
#endif
