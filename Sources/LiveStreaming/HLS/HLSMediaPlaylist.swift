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
        /// The name of the file with the initialization segment; nil for packed audio.
        package var initializationName: String?
        /// The parts of the segment, while it is one of the last; empty without parts.
        package var parts: [Part] = []

        /// Creates a segment.
        package init(name: String, duration: Double, date: Double) {
            self.name = name
            self.duration = duration
            self.date = date
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

    /// The shortest duration of a live playlist, in target durations (6.2.2), and the time over which parts are listed
    /// (draft-pantos-hls-rfc8216bis-15, 6.2.2).
    private static let leastTargetDurations = 3.0

    /// The kind of playlist.
    package var kind = Kind.live
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
    /// The segment in progress, of which only parts are listed; nil if it has none.
    package var openSegment: Segment?
    /// Whether no segment will follow.
    package var isFinished = false

    /// Creates an empty playlist.
    package init(targetDuration: Int) { self.targetDuration = targetDuration }

    /// The number of the segment after the last one.
    package var nextNumber: Int { mediaSequence + segments.count }

    /// The duration of all segments in seconds.
    package var duration: Double { segments.reduce(0) { $0 + $1.duration } }

    /// Appends a segment and removes the oldest ones of a live playlist above a number, and the parts of old segments.
    ///
    /// - Returns: The names of the files that are no longer listed, which clients may still be loading.
    package mutating func append(_ segment: Segment, keeping count: Int) -> [String] {
        let listed = fileNames
        segments.append(segment)
        openSegment = nil
        var duration = duration
        var removedCount = 0
        let least = Self.leastTargetDurations * Double(targetDuration)
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

    /// Removes the oldest segments.
    package mutating func removeFirst(_ count: Int) {
        discontinuitySequence += segments.prefix(count).count(where: \.isDiscontinuous)
        mediaSequence += count
        segments.removeFirst(count)
    }

    /// The names of all files that the playlist lists.
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
