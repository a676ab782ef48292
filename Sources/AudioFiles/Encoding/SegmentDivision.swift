// SPDX-License-Identifier: Apache-2.0

/// The division of a file's access units into independently encodable segments.
package struct SegmentDivision: Hashable, Sendable {
    /// The number of access units according to the file's header.
    ///
    /// The actual number can differ.
    let accessUnitCount: Int
    /// The number of access units per segment.
    let segmentLength: Int

    package init(accessUnitCount: Int, segmentLength: Int) {
        self.accessUnitCount = accessUnitCount
        self.segmentLength = segmentLength
    }

    package var count: Int { (accessUnitCount + segmentLength - 1) / segmentLength }

    /// Returns the access units of a segment.
    ///
    /// The last segment continues to the end of the signal.
    package func accessUnits(ofSegment segment: Int) -> Range<Int> {
        let first = segment * segmentLength
        return first..<(segment == count - 1 ? .max : first + segmentLength)
    }
}
