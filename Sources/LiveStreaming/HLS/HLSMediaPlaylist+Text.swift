// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension HLSMediaPlaylist {
    /// The comment by which a playlist of this module is recognized.
    static let signature = "# Written by Linnet"

    /// The text of the playlist.
    ///
    /// Parts carry no `EXT-X-PRELOAD-HINT`, and `CAN-BLOCK-RELOAD` is left out: both need a server that holds requests back, and a folder is
    /// served by any.
    package var text: String {
        let all = segments + (openSegment.map { [$0] } ?? [])
        // EXT-X-MAP needs version 6, durations with fractions version 3 (7); 7 is what clients of fragmented MP4 know best.
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
        // The tags of the segment stand before its parts; its own name follows when it is complete.
        if let openSegment { lines += Self.lines(openSegment, &initializationName).dropLast(2) }
        if isFinished { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the lines of a segment, of which the last two are its duration and its name.
    private static func lines(_ segment: Segment, _ initializationName: inout String?) -> [String] {
        var lines: [String] = []
        if segment.isDiscontinuous { lines.append("#EXT-X-DISCONTINUITY") }
        if let name = segment.initializationName, name != initializationName { lines.append("#EXT-X-MAP:URI=\"\(name)\"") }
        initializationName = segment.initializationName
        lines.append("#EXT-X-PROGRAM-DATE-TIME:\(HLSDate.text(segment.date))")
        for part in segment.parts {
            // Decoding can start at each.
            lines.append("#EXT-X-PART:DURATION=\(decimal(part.duration)),URI=\"\(part.name)\",INDEPENDENT=YES")
        }
        return lines + ["#EXTINF:\(decimal(segment.duration)),", segment.name]
    }

    /// Returns a duration with six decimals, which tell sample frames of all rates apart.
    private static func decimal(_ seconds: Double) -> String {
        let units = Int((seconds * 1_000_000).rounded())
        let fraction = String(units % 1_000_000)
        return "\(units / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
