// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension HLSMediaPlaylist {
    /// The largest sequence number that is continued: far above that of any stream, and far below the limit of the type.
    private static let largestNumber = 1 << 53
    /// The longest segment in seconds that is read: a day.
    private static let longestDuration = 86_400.0

    /// Reads a playlist that an earlier stream left in the folder; nil if this module didn't write it.
    ///
    /// Parts are left out. Names other than those of this module's files make the playlist invalid, since files that it lists are deleted.
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
            let (tag, value) = Self.tagAndValue(line)
            guard readHeader(tag, value), Self.read(tag, value, into: &next) else { return nil }
        }
        guard targetDuration > 0 else { return nil }
    }

    /// Returns a line's tag, and its value after the colon.
    private static func tagAndValue(_ line: Substring) -> (tag: Substring, value: Substring) {
        guard let colon = line.firstIndex(of: ":") else { return (line, "") }
        return (line[..<colon], line[line.index(after: colon)...])
    }

    /// Reads a tag of the whole playlist; returns false for an invalid value.
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

    /// Reads a number; returns false if it is invalid.
    private static func read(_ value: Substring, into number: inout Int) -> Bool {
        guard let read = Int(value), (0...largestNumber).contains(read) else { return false }
        number = read
        return true
    }

    /// Reads a tag of the next segment; returns false for an invalid value.
    private static func read(_ tag: Substring, _ value: Substring, into segment: inout Segment) -> Bool {
        switch tag {
        case "#EXTINF":
            guard value.hasSuffix(","), let duration = Double(value.dropLast()), (0...longestDuration).contains(duration) else {
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
