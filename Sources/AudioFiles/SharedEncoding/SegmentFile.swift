// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import JSONText
internal import PCMFiles

/// The file format of a run of segments: a line of JSON with the sizes of all access units, then their bytes.
package enum SegmentFile {
    package struct Damage: Error {}

    package static func bytes(_ segments: [EncodedSegment]) -> [UInt8] {
        let header = JSONValue.object([("linnetSegments", .integer(2)), ("segments", .array(segments.map(header)))])
        return Array(header.line.utf8) + [0x0A] + segments.flatMap(\.bytes)
    }

    private static func header(_ segment: EncodedSegment) -> JSONValue {
        var sizes: [JSONValue] = []
        segment.forEach { payload, _ in sizes.append(.integer(payload.count)) }
        let end = segment.end.map { end in
            JSONValue.object([
                (
                    "gapless",
                    .array([end.gapless.primingFrames, end.gapless.validFrames, end.gapless.remainderFrames].map { .integer($0) })
                ),
                ("warnings", .array(end.warnings.map(\.json))),
            ])
        }
        return .object([
            ("framesRead", .integer(segment.framesRead)), ("damaged", .bool(segment.isInputDamaged)), ("units", .array(sizes)),
            ("peakBits", .integer(Int(segment.peak.bitPattern))), ("end", end ?? .null),
        ])
    }

    /// Parses segments.
    ///
    /// - Throws: ``Damage`` if bytes are missing or left over.
    package static func segments(_ bytes: [UInt8]) throws -> [EncodedSegment] {
        guard let lineEnd = bytes.firstIndex(of: 0x0A) else { throw Damage() }
        let header = try JSONValue(parsing: bytes[..<lineEnd])
        guard header["linnetSegments"]?.integer == 2, let parts = header["segments"]?.elements else { throw Damage() }
        var offset = lineEnd + 1
        let segments = try parts.map { part in
            guard let framesRead = part["framesRead"]?.storedCount, let peak = part["peakBits"]?.storedCount,
                let accessUnits = part["units"]?.elements
            else { throw Damage() }
            var segment = EncodedSegment()
            (segment.framesRead, segment.peak) = (framesRead, Float(bitPattern: UInt32(truncatingIfNeeded: peak)))
            if case .bool(true) = part["damaged"] { segment.isInputDamaged = true }
            for accessUnit in accessUnits {
                guard let size = accessUnit.storedCount, size <= bytes.count - offset else { throw Damage() }
                segment.add(Array(bytes[offset..<offset + size]), elements: nil)
                offset += size
            }
            segment.end = try part["end"].flatMap(end)
            return segment
        }
        guard offset == bytes.count else { throw Damage() }
        return segments
    }

    /// Parses the end of the signal, or returns `nil` for null.
    private static func end(_ json: JSONValue) throws -> EncodedSegment.End? {
        if case .null = json { return nil }
        guard let gapless = json["gapless"]?.elements?.compactMap(\.storedCount), gapless.count == 3,
            let warnings = json["warnings"]?.elements
        else { throw Damage() }
        return EncodedSegment.End(
            gapless: GaplessInfo(primingFrames: gapless[0], validFrames: gapless[1], remainderFrames: gapless[2]),
            warnings: try warnings.map { warning in
                guard let warning = PCMFileWarning(json: warning) else { throw Damage() }
                return warning
            })
    }
}
