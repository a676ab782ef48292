// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// A media playlist of HTTP Live Streaming (RFC 8216; parts: draft-pantos-hls-rfc8216bis-15, 4.4.4.9).
package struct HLSMediaPlaylist: Hashable, Sendable {
    /// The kind of playlist (4.3.3.5).
    package enum Kind: Hashable, Sendable {
        /// The last segments of a live stream.
        case live
        /// All segments since the start of a live stream.
        case event
        /// All segments of a finished stream.
        case onDemand
    }

    /// A media segment.
    package struct Segment: Hashable, Sendable {
        /// The name of the file.
        package var name: String
        /// The duration in seconds.
        package var duration: Double
        /// The date and time of the first sample, in seconds since 1970.
        package var date: Double
        /// Whether audio is missing before the segment, or its time stamps start anew.
        package var isDiscontinuous = false
        /// The parts of the segment, while it is one of the last; empty without parts.
        package var parts: [Part] = []

        /// Creates a segment.
        package init(name: String, duration: Double, date: Double, isDiscontinuous: Bool = false, parts: [Part] = []) {
            self.name = name
            self.duration = duration
            self.date = date
            self.isDiscontinuous = isDiscontinuous
            self.parts = parts
        }
    }

    /// A part of a segment.
    package struct Part: Hashable, Sendable {
        /// The name of the file.
        package var name: String
        /// The duration in seconds.
        package var duration: Double

        /// Creates a part.
        package init(name: String, duration: Double) {
            self.name = name
            self.duration = duration
        }
    }

    /// The kind of playlist.
    package var kind = Kind.live
    /// The name of the file with the initialisation segment; nil for packed audio.
    package var initializationName: String?
    /// The largest duration of a segment in seconds, rounded; it may never change.
    package var targetDuration: Int
    /// The largest duration of a part in seconds; nil without parts.
    package var partDuration: Double?
    /// The number of segments that have left the playlist.
    package var mediaSequence = 0
    /// The number of discontinuities that have left the playlist.
    package var discontinuitySequence = 0
    /// The segments, the oldest first.
    package var segments: [Segment] = []
    /// The parts of the segment in progress.
    package var openParts: [Part] = []
    /// Whether no segment will follow.
    package var isFinished = false

    /// Creates an empty playlist.
    package init(targetDuration: Int) { self.targetDuration = targetDuration }

    /// Appends a segment and removes the oldest ones of a live playlist above a number.
    ///
    /// - Returns: The segments removed, whose files clients may still be loading.
    package mutating func append(_ segment: Segment, keeping count: Int) -> [Segment] {
        segments.append(segment)
        guard kind == .live, segments.count > count else { return [] }
        let removed = Array(segments.prefix(segments.count - count))
        segments.removeFirst(removed.count)
        mediaSequence += removed.count
        discontinuitySequence += removed.count(where: \.isDiscontinuous)
        return removed
    }

    /// The text of the playlist.
    package var text: String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:\(initializationName == nil ? 3 : 7)", "#EXT-X-TARGETDURATION:\(targetDuration)"]
        lines.append("#EXT-X-MEDIA-SEQUENCE:\(mediaSequence)")
        if discontinuitySequence > 0 { lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)") }
        switch kind {
        case .live: break
        case .event: lines.append("#EXT-X-PLAYLIST-TYPE:EVENT")
        case .onDemand: lines.append("#EXT-X-PLAYLIST-TYPE:VOD")
        }
        if let partDuration {
            lines.append("#EXT-X-PART-INF:PART-TARGET=\(Self.decimal(partDuration))")
            lines.append("#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=\(Self.decimal(3 * partDuration))")
        }
        if let initializationName { lines.append("#EXT-X-MAP:URI=\"\(initializationName)\"") }
        for segment in segments {
            if segment.isDiscontinuous { lines.append("#EXT-X-DISCONTINUITY") }
            lines.append("#EXT-X-PROGRAM-DATE-TIME:\(HLSDate.text(segment.date))")
            lines += segment.parts.map(Self.line)
            lines.append("#EXTINF:\(Self.decimal(segment.duration)),")
            lines.append(segment.name)
        }
        lines += openParts.map(Self.line)
        if isFinished { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the line of a part; decoding can start at each.
    private static func line(_ part: Part) -> String {
        "#EXT-X-PART:DURATION=\(decimal(part.duration)),URI=\"\(part.name)\",INDEPENDENT=YES"
    }

    /// Returns a duration with five decimals.
    private static func decimal(_ seconds: Double) -> String {
        let units = Int((seconds * 100_000).rounded())
        let fraction = String(units % 100_000)
        return "\(units / 100_000)." + String(repeating: "0", count: 5 - fraction.count) + fraction
    }
}
