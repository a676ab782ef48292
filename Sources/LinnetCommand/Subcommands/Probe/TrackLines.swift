// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import JSONText

/// The tracks of a file as text and JSON.
enum TrackLines {
    /// Returns a row per audio track, unless it is the only one and has no language and name, and a row of other tracks.
    static func rows(_ tracks: [AudioTrack], _ others: OtherTracks?) -> [(name: String, value: String)] {
        let counts = [(others?.videoCount ?? 0, "video track"), (others?.subtitleCount ?? 0, "subtitle track")]
        let texts = counts.filter { $0.0 > 0 }.map { Format.count($0.0, $0.1) }
        return audioRows(tracks) + (texts.isEmpty ? [] : [("Other tracks", texts.joined(separator: ", "))])
    }

    static func members(_ others: OtherTracks?) -> [JSONMember] {
        [
            ("videoTracks", others.map { .integer($0.videoCount) } ?? .null),
            ("subtitleTracks", others.map { .integer($0.subtitleCount) } ?? .null),
        ]
    }

    private static func audioRows(_ tracks: [AudioTrack]) -> [(name: String, value: String)] {
        guard tracks.count > 1 || tracks.contains(where: { $0.language != nil || $0.name != nil }) else { return [] }
        return tracks.map { track in
            let parts = [
                "\(track.number)", track.codecName, track.sampleRate.map { "\($0) Hz" },
                track.channelCount.map { "\($0) channel\($0 == 1 ? "" : "s")" }, track.language, track.name.map(Format.line),
                track.isDefault == true ? "default" : nil, track.isSupported ? nil : "unsupported", track.isRead ? "read" : nil,
            ]
            return ("Track", parts.compactMap { $0 }.joined(separator: ", "))
        }
    }

    static func json(_ track: AudioTrack) -> JSONValue {
        .object([
            ("number", .integer(track.number)), ("codec", .string(track.codecName)),
            ("sampleRate", track.sampleRate.map { .integer($0) } ?? .null),
            ("channels", track.channelCount.map { .integer($0) } ?? .null),
            ("language", track.language.map { .string($0) } ?? .null), ("name", track.name.map { .string($0) } ?? .null),
            ("isDefault", track.isDefault.map { .bool($0) } ?? .null), ("isSupported", .bool(track.isSupported)),
            ("isRead", .bool(track.isRead)),
        ])
    }
}
