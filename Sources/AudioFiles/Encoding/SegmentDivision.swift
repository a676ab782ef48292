// SPDX-License-Identifier: Apache-2.0

/// The division of a file's access units into segments, which can be encoded independently.
package struct SegmentDivision: Hashable, Sendable {
    /// The number of access units by the file's header; there may turn out to be fewer or more.
    let unitCount: Int
    /// The number of access units of a segment.
    let segmentLength: Int

    /// Creates a value from its parts.
    package init(unitCount: Int, segmentLength: Int) {
        self.unitCount = unitCount
        self.segmentLength = segmentLength
    }

    /// The number of segments.
    package var count: Int { (unitCount + segmentLength - 1) / segmentLength }

    /// Returns the access units of a segment; the last one continues to the end of the signal, wherever that is.
    package func units(ofSegment segment: Int) -> Range<Int> {
        let first = segment * segmentLength
        return first..<(segment == count - 1 ? .max : first + segmentLength)
    }
}
