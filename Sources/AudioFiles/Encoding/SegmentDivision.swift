// SPDX-License-Identifier: Apache-2.0

/// The division of a file's access units into segments, which can be encoded independently.
struct SegmentDivision: Hashable, Sendable {
    /// The number of access units by the file's header; there may turn out to be fewer or more.
    let unitCount: Int
    /// The number of access units of a segment.
    let segmentLength: Int

    /// The number of segments.
    var count: Int { (unitCount + segmentLength - 1) / segmentLength }

    /// Returns the access units of a segment; the last one continues to the end of the signal, wherever that is.
    func units(ofSegment segment: Int) -> Range<Int> {
        let first = segment * segmentLength
        return first..<(segment == count - 1 ? .max : first + segmentLength)
    }
}
