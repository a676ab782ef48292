// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// A segment in progress.
struct HLSOpenSegment {
    /// A part that is written to a file.
    struct WrittenPart {
        /// The playlist entry.
        let part: HLSMediaPlaylist.Part
        /// The leading bytes of the file (segment type box or ID3 tag).
        let head: [UInt8]
        /// The following bytes, which are also part of the segment.
        let body: [UInt8]
    }

    /// The first access unit's start, in sample frames.
    let start: Int
    /// The index in the sequence of nominal segments.
    let index: Int
    /// Whether audio is missing before the segment.
    let isDiscontinuous: Bool
    private(set) var parts: [WrittenPart] = []
    /// The access units after the parts, not yet written.
    private(set) var accessUnits: [AccessUnit] = []
    /// The duration of the parts, in sample frames.
    private(set) var writtenFrameCount = 0
    /// The duration of ``accessUnits``, in sample frames.
    private(set) var pendingFrameCount = 0

    /// The total duration, in sample frames.
    var frameCount: Int { writtenFrameCount + pendingFrameCount }

    /// The start of the first unwritten access unit, in sample frames.
    var pendingStart: Int { start + writtenFrameCount }

    mutating func append(_ accessUnit: AccessUnit, frameCount: Int) {
        accessUnits.append(accessUnit)
        pendingFrameCount += frameCount
    }

    /// Replaces the pending access units with a written part.
    mutating func append(_ part: WrittenPart) {
        parts.append(part)
        writtenFrameCount += pendingFrameCount
        discardPending()
    }

    /// Discards the unwritten access units.
    mutating func discardPending() {
        accessUnits = []
        pendingFrameCount = 0
    }
}
