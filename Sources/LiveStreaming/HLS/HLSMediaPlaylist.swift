// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// An HLS media playlist (RFC 8216; parts: draft-pantos-hls-rfc8216bis-15, 4.4.4.9).
package struct HLSMediaPlaylist: Hashable, Sendable {
    /// `EXT-X-PLAYLIST-TYPE` (4.3.3.5).
    package typealias Kind = HLSFolder.PlaylistKind

    package struct Segment: Hashable, Sendable {
        /// The file name; empty while the segment is open.
        package var name: String
        /// The duration, in seconds.
        package var duration: Double
        /// The date of the first sample, in seconds since 1970.
        package var date: Double
        /// Whether audio is missing before the segment, or its timestamps restart.
        package var isDiscontinuous = false
        /// The file name of the initialization segment; `nil` for packed audio.
        package var initializationName: String?
        /// The parts, if the segment is recent enough to list them.
        package var parts: [Part] = []

        package init(name: String, duration: Double, date: Double) {
            self.name = name
            self.duration = duration
            self.date = date
        }
    }

    package struct Part: Hashable, Sendable {
        package var name: String
        /// The duration, in seconds.
        package var duration: Double
        /// Whether decoding can start in it.
        package var isIndependent = true
    }

    /// The minimum duration of a live playlist (6.2.2) and the time over which parts are listed (draft-pantos-hls-rfc8216bis-15, 6.2.2), in
    /// target durations.
    private static let minimumTargetDurations = 3.0

    package var kind = Kind.live
    /// The maximum segment duration in seconds, rounded.
    ///
    /// Must never change.
    package var targetDuration: Int
    /// The maximum part duration in seconds; `nil` without parts.
    package var partDuration: Double?
    /// The number of segments removed from the playlist.
    package var mediaSequence = 0
    /// The number of discontinuities removed from the playlist.
    package var discontinuitySequence = 0
    /// The segments, oldest first.
    package var segments: [Segment] = []
    /// The segment in progress, listed only by its parts, if any.
    package var openSegment: Segment?
    /// Whether no more segments follow.
    package var isFinished = false

    package init(targetDuration: Int) { self.targetDuration = targetDuration }

    package var nextNumber: Int { mediaSequence + segments.count }

    /// The total duration of the segments, in seconds.
    package var duration: Double { segments.reduce(0) { $0 + $1.duration } }

    /// Appends a segment, and removes the oldest segments beyond `count` from a live playlist and the parts of old segments.
    ///
    /// - Returns: The names of the files that are no longer listed. Clients may still be loading them.
    package mutating func append(_ segment: Segment, keeping count: Int) -> [String] {
        let listed = fileNames
        segments.append(segment)
        openSegment = nil
        var duration = duration
        var removedCount = 0
        let least = Self.minimumTargetDurations * Double(targetDuration)
        while kind == .live, segments.count - removedCount > count, duration - segments[removedCount].duration >= least {
            duration -= segments[removedCount].duration
            removedCount += 1
        }
        removeFirst(removedCount)
        var later = 0.0
        for index in segments.indices.reversed() {
            if later > least { segments[index].parts = [] }
            later += segments[index].duration
        }
        return listed.subtracting(fileNames).sorted()
    }

    package mutating func removeFirst(_ count: Int) {
        discontinuitySequence += segments.prefix(count).count(where: \.isDiscontinuous)
        mediaSequence += count
        segments.removeFirst(count)
    }

    package var fileNames: Set<String> {
        var names: Set<String> = []
        for segment in segments + (openSegment.map { [$0] } ?? []) {
            names.formUnion(segment.parts.map(\.name))
            if let name = segment.initializationName { names.insert(name) }
            if !segment.name.isEmpty { names.insert(segment.name) }
        }
        return names
    }
}

extension HLSMediaPlaylist {
    /// The comment that identifies playlists of this module.
    static let signature = "# Written by Linnet"

    /// The playlist text.
    ///
    /// Omits `EXT-X-PRELOAD-HINT` and `CAN-BLOCK-RELOAD`: both need a server with blocking requests, but any server may serve the folder.
    package var text: String {
        let all = segments + (openSegment.map { [$0] } ?? [])
        // EXT-X-MAP needs version 6, fractional durations version 3 (7). Clients of fragmented MP4 support version 7 best.
        let version = all.contains { $0.initializationName != nil } ? 7 : 3
        var lines = ["#EXTM3U", Self.signature, "#EXT-X-VERSION:\(version)", "#EXT-X-TARGETDURATION:\(targetDuration)"]
        lines.append("#EXT-X-MEDIA-SEQUENCE:\(mediaSequence)")
        if discontinuitySequence > 0 { lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)") }
        switch kind {
        case .live: break
        case .event: lines.append("#EXT-X-PLAYLIST-TYPE:EVENT")
        case .onDemand: lines.append("#EXT-X-PLAYLIST-TYPE:VOD")
        }
        lines.append("#EXT-X-INDEPENDENT-SEGMENTS")
        if let partDuration {
            lines.append("#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=\(Self.decimal(3 * partDuration))")
            lines.append("#EXT-X-PART-INF:PART-TARGET=\(Self.decimal(partDuration))")
        }
        var initializationName: String?
        for segment in segments { lines += Self.lines(segment, &initializationName) }
        // The tags of the open segment precede its parts. Its name follows once it is complete.
        if let openSegment { lines += Self.lines(openSegment, &initializationName).dropLast(2) }
        if isFinished { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the lines of a segment.
    ///
    /// The last two are its duration and its name.
    private static func lines(_ segment: Segment, _ initializationName: inout String?) -> [String] {
        var lines: [String] = []
        if segment.isDiscontinuous { lines.append("#EXT-X-DISCONTINUITY") }
        if let name = segment.initializationName, name != initializationName { lines.append("#EXT-X-MAP:URI=\"\(name)\"") }
        initializationName = segment.initializationName
        lines.append("#EXT-X-PROGRAM-DATE-TIME:\(HLSDate.text(segment.date))")
        for part in segment.parts {
            let independence = part.isIndependent ? ",INDEPENDENT=YES" : ""
            lines.append("#EXT-X-PART:DURATION=\(decimal(part.duration)),URI=\"\(part.name)\"\(independence)")
        }
        return lines + ["#EXTINF:\(decimal(segment.duration)),", segment.name]
    }

    /// Formats a duration with six decimals, enough to distinguish sample frames at all rates.
    private static func decimal(_ seconds: Double) -> String {
        DecimalText.fixed(seconds, digits: 6) ?? "0.000000"
    }
}

extension HLSMediaPlaylist {
    /// The maximum accepted sequence number: far above any real stream, and far below `Int.max`.
    private static let maximumNumber = 1 << 53
    /// The maximum accepted segment duration, in seconds (one day).
    private static let maximumDuration = 86_400.0

    /// Parses the playlist of an earlier stream in the folder; `nil` if this module did not write it.
    ///
    /// Ignores parts. Foreign file names make the playlist invalid, because listed files are deleted later.
    package init?(reading text: String) {
        let lines = text.split(separator: "\n")
        guard lines.count > 2, lines[0] == "#EXTM3U", lines[1] == Self.signature else { return nil }
        self.init(targetDuration: 0)
        var next = Segment(name: "", duration: -1, date: 0)
        for line in lines.dropFirst(2) {
            guard line.hasPrefix("#") else {
                guard HLSFileNames.number(of: String(line)) != nil, next.duration >= 0 else { return nil }
                next.name = String(line)
                segments.append(next)
                let initializationName = next.initializationName
                next = Segment(name: "", duration: -1, date: next.date + next.duration)
                next.initializationName = initializationName
                continue
            }
            let tag = line.prefix { $0 != ":" }
            let value = line.dropFirst(tag.count + 1)
            guard readHeader(tag, value), Self.read(tag, value, into: &next) else { return nil }
        }
        guard targetDuration > 0 else { return nil }
    }

    /// Parses a tag of the whole playlist.
    ///
    /// Returns false for an invalid value.
    private mutating func readHeader(_ tag: Substring, _ value: Substring) -> Bool {
        switch tag {
        case "#EXT-X-TARGETDURATION": return Self.read(value, into: &targetDuration)
        case "#EXT-X-MEDIA-SEQUENCE": return Self.read(value, into: &mediaSequence)
        case "#EXT-X-DISCONTINUITY-SEQUENCE": return Self.read(value, into: &discontinuitySequence)
        case "#EXT-X-PLAYLIST-TYPE": kind = value == "EVENT" ? .event : .onDemand
        case "#EXT-X-ENDLIST": isFinished = true
        default: break
        }
        return true
    }

    /// Parses a number.
    ///
    /// Returns false if it is invalid.
    private static func read(_ value: Substring, into number: inout Int) -> Bool {
        guard let read = Int(value), (0...maximumNumber).contains(read) else { return false }
        number = read
        return true
    }

    /// Parses a tag of the next segment.
    ///
    /// Returns false for an invalid value.
    private static func read(_ tag: Substring, _ value: Substring, into segment: inout Segment) -> Bool {
        switch tag {
        case "#EXTINF":
            guard value.hasSuffix(","), let duration = Double(value.dropLast()), (0...maximumDuration).contains(duration) else {
                return false
            }
            segment.duration = duration
        case "#EXT-X-DISCONTINUITY": segment.isDiscontinuous = true
        case "#EXT-X-PROGRAM-DATE-TIME":
            guard let date = HLSDate.seconds(value) else { return false }
            segment.date = date
        case "#EXT-X-MAP":
            let name = value.dropFirst(5).dropLast()
            guard value == "URI=\"\(name)\"", HLSFileNames.number(of: String(name)) != nil else { return false }
            segment.initializationName = String(name)
        default: break
        }
        return true
    }
}
