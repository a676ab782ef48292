// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import JSONText

/// The audio tracks of a file as text and JSON.
enum TrackLines {
    /// Returns a row per track, or no rows for a single track without language and name.
    static func rows(_ tracks: [AudioTrack]) -> [(name: String, value: String)] {
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
