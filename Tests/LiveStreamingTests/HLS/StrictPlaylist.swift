// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A strict parser of RFC 8216 and draft-pantos-hls-rfc8216bis media playlists, independent of the module that wrote them.
struct StrictPlaylist {
    /// A violation of the rules.
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    /// A segment, or the parts of the open segment.
    struct Segment: Hashable {
        var uri = ""
        var duration = 0.0
        var isDiscontinuous = false
        var map: String?
        var date: Date?
        var parts: [Part] = []
    }

    struct Part: Hashable {
        var uri: String
        var duration: Double
        var isIndependent: Bool
    }

    var version = 0
    var targetDuration = 0
    var mediaSequence = 0
    var discontinuitySequence = 0
    var type: String?
    var partTarget: Double?
    var holdBack: Double?
    var segments: [Segment] = []
    var open = Segment()
    var isFinished = false

    /// Parses a playlist.
    ///
    /// Throws a ``Violation`` for the first broken rule.
    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Violation(description: "the last line is not complete") }
        let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.first == "#EXTM3U" else { throw Violation(description: "no #EXTM3U") }
        var seen: Set<String> = []
        for line in lines.dropFirst() {
            if isFinished { throw Violation(description: "a line after the end: \(line)") }
            if line.isEmpty || (line.hasPrefix("#") && !line.hasPrefix("#EXT")) { continue }
            guard line.hasPrefix("#") else {
                try end(segment: line)
                continue
            }
            let tag = line.prefix { $0 != ":" }
            try read(String(tag), String(line.dropFirst(tag.count + 1)), &seen)
        }
        try check()
    }

    private mutating func end(segment uri: String) throws {
        guard open.duration > 0 else { throw Violation(description: "\(uri) has no duration") }
        guard Int(open.duration.rounded()) <= targetDuration else {
            throw Violation(description: "\(uri) is longer than the target duration: \(open.duration)")
        }
        open.uri = uri
        let map = open.map
        segments.append(open)
        open = Segment()
        open.map = map
    }

    private mutating func read(_ tag: String, _ value: String, _ seen: inout Set<String>) throws {
        let once = ["VERSION", "TARGETDURATION", "MEDIA-SEQUENCE", "DISCONTINUITY-SEQUENCE", "PLAYLIST-TYPE", "PART-INF", "SERVER-CONTROL"]
        if once.contains(where: { tag == "#EXT-X-" + $0 }) {
            guard seen.insert(tag).inserted else { throw Violation(description: "\(tag) twice") }
            guard segments.isEmpty, open.parts.isEmpty, !open.isDiscontinuous else {
                throw Violation(description: "\(tag) after a segment")
            }
        }
        switch tag {
        case "#EXT-X-VERSION": version = try number(value)
        case "#EXT-X-TARGETDURATION": targetDuration = try number(value)
        case "#EXT-X-MEDIA-SEQUENCE": mediaSequence = try number(value)
        case "#EXT-X-DISCONTINUITY-SEQUENCE": discontinuitySequence = try number(value)
        case "#EXT-X-PLAYLIST-TYPE":
            guard ["VOD", "EVENT"].contains(value) else { throw Violation(description: value) }
            type = value
        case "#EXT-X-INDEPENDENT-SEGMENTS": break
        case "#EXT-X-PART-INF": partTarget = try decimal(attributes(value)["PART-TARGET"])
        case "#EXT-X-SERVER-CONTROL": holdBack = try decimal(attributes(value)["PART-HOLD-BACK"])
        case "#EXT-X-MAP": open.map = try quoted(attributes(value)["URI"])
        case "#EXT-X-DISCONTINUITY": open.isDiscontinuous = true
        case "#EXT-X-PROGRAM-DATE-TIME": open.date = try date(value)
        case "#EXT-X-PART":
            let attributes = try attributes(value)
            open.parts.append(
                Part(
                    uri: try quoted(attributes["URI"]), duration: try decimal(attributes["DURATION"]),
                    isIndependent: attributes["INDEPENDENT"] == "YES"))
        case "#EXTINF":
            guard value.hasSuffix(",") else { throw Violation(description: "no comma: \(value)") }
            open.duration = try decimal(String(value.dropLast()))
        case "#EXT-X-ENDLIST": isFinished = true
        default: throw Violation(description: "unknown tag \(tag)")
        }
    }

    /// Checks the rules for the whole playlist.
    private func check() throws {
        guard targetDuration > 0 else { throw Violation(description: "no target duration") }
        guard version >= (segments.contains { $0.map != nil } || open.map != nil ? 6 : 3) else {
            throw Violation(description: "version \(version)")
        }
        for segment in segments where segment.date == nil { throw Violation(description: "\(segment.uri) has no date") }
        guard Set(segments.map(\.uri)).count == segments.count else { throw Violation(description: "a segment twice") }
        let parts = segments.map(\.parts) + [open.parts]
        guard let partTarget else {
            if parts.contains(where: { !$0.isEmpty }) { throw Violation(description: "parts without EXT-X-PART-INF") }
            return
        }
        guard let holdBack, holdBack >= 2 * partTarget else { throw Violation(description: "hold back \(holdBack ?? 0)") }
        var later = open.parts.reduce(0) { $0 + $1.duration }
        for (segment, parts) in zip(segments + [open], parts).reversed() {
            for (index, part) in parts.enumerated() {
                guard part.duration <= partTarget else { throw Violation(description: "\(part) is too long") }
                let isLast = index == parts.count - 1 && !segment.uri.isEmpty
                guard isLast || part.duration >= 0.85 * partTarget else { throw Violation(description: "\(part) is too short") }
            }
            guard !segment.uri.isEmpty else { continue }
            if parts.isEmpty, later < 3 * Double(targetDuration), later > 0 {
                // Parts that were lost with their folder are the exception, which no test with parts produces.
                throw Violation(description: "\(segment.uri) has lost its parts early")
            }
            if !parts.isEmpty, abs(parts.reduce(0) { $0 + $1.duration } - segment.duration) > 0.000_1 {
                throw Violation(description: "the parts of \(segment.uri) don't make it up")
            }
            later += segment.duration
        }
    }

    private func number(_ text: String) throws -> Int {
        guard let value = Int(text), value >= 0, String(value) == text else { throw Violation(description: "no number: \(text)") }
        return value
    }

    private func decimal(_ text: String?) throws -> Double {
        guard let text, text.allSatisfy({ "0123456789.".contains($0) }), let value = Double(text) else {
            throw Violation(description: "no decimal: \(text ?? "")")
        }
        return value
    }

    private func quoted(_ text: String?) throws -> String {
        guard let text, text.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else {
            throw Violation(description: "no string: \(text ?? "")")
        }
        return String(text.dropFirst().dropLast())
    }

    private func attributes(_ text: String) throws -> [String: String] {
        var result: [String: String] = [:]
        for field in text.split(separator: ",") {
            let pair = field.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, result.updateValue(pair[1], forKey: pair[0]) == nil else {
                throw Violation(description: "attributes \(text)")
            }
        }
        return result
    }

    private func date(_ text: String) throws -> Date {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try style.parse(text)
    }

    /// Checks the rules between two versions of a playlist (RFC 8216, 6.2.1 and 6.2.2).
    func checkSuccessor(_ next: StrictPlaylist) throws {
        guard next.targetDuration == targetDuration else { throw Violation(description: "the target duration changed") }
        guard next.version == version, next.type == type else { throw Violation(description: "version or type changed") }
        let removed = next.mediaSequence - mediaSequence
        guard removed >= 0 else { throw Violation(description: "the media sequence number went back") }
        if removed > 0, type != nil { throw Violation(description: "a segment left a playlist of type \(type ?? "")") }
        let kept = segments.dropFirst(removed)
        for (before, after) in zip(kept, next.segments) {
            guard before.uri == after.uri, before.duration == after.duration, before.isDiscontinuous == after.isDiscontinuous,
                before.date == after.date, before.map == after.map
            else { throw Violation(description: "\(before) became \(after)") }
        }
        guard next.segments.count >= kept.count else { throw Violation(description: "segments left at the end") }
        let discontinuities = segments.prefix(removed).count { $0.isDiscontinuous }
        guard removed > segments.count || next.discontinuitySequence == discontinuitySequence + discontinuities else {
            throw Violation(description: "discontinuity sequence number \(next.discontinuitySequence)")
        }
        // A stream that continues an earlier one starts with an empty playlist.
        if removed > 0, removed < segments.count, !next.isFinished,
            next.segments.reduce(0, { $0 + $1.duration }) < 3 * Double(targetDuration) - 0.001
        {
            throw Violation(description: "the playlist became too short")
        }
    }
}
