// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// A segment in progress.
struct HLSOpenSegment {
    /// A part in a file.
    struct WrittenPart {
        /// The part in the playlist.
        let part: HLSMediaPlaylist.Part
        /// The bytes at the start of its file.
        let head: [UInt8]
        /// The bytes after these, which become bytes of the segment.
        let body: [UInt8]
    }

    /// The start of the first unit in sample frames.
    let start: Int
    /// The position in the sequence of nominal segments.
    let index: Int
    /// Whether audio is missing before the segment.
    let isDiscontinuous: Bool
    /// The parts in files.
    private(set) var parts: [WrittenPart] = []
    /// The units after the parts, which stand in no file.
    private(set) var units: [AccessUnit] = []
    /// The duration of the parts in sample frames.
    private(set) var writtenFrameCount = 0
    /// The duration of the units in sample frames.
    private(set) var pendingFrameCount = 0

    /// The duration in sample frames.
    var frameCount: Int { writtenFrameCount + pendingFrameCount }

    /// The start of the first unit that stands in no file.
    var pendingStart: Int { start + writtenFrameCount }

    /// Adds a unit.
    mutating func append(_ unit: AccessUnit, frameCount: Int) {
        units.append(unit)
        pendingFrameCount += frameCount
    }

    /// Replaces the units by a part in a file.
    mutating func append(_ part: WrittenPart) {
        parts.append(part)
        writtenFrameCount += pendingFrameCount
        discardPending()
    }

    /// Discards the units that stand in no file.
    mutating func discardPending() {
        units = []
        pendingFrameCount = 0
    }
}
