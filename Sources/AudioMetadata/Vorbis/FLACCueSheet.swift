// SPDX-License-Identifier: Apache-2.0

/// The disc tracks in a FLAC metadata block (RFC 9639, 8.7), which have no titles.
package struct FLACCueSheet {
    /// One chapter per audio track, without the lead-out.
    package private(set) var chapters: [AudioTags.Chapter] = []

    /// The lead-out track numbers of CDs and of other sheets.
    private static let leadOuts = [170, 255]
    /// Catalogue number, lead-in and flags, before the number of tracks.
    private static let headByteCount = 128 + 8 + 259
    /// ISRC and flags, between track number and index count; the first flag marks data.
    private static let (isrcByteCount, trackFlagsByteCount) = (12, 14)
    /// The index of a track's start.
    private static let firstIndex = 1

    /// Parses the contents of a block, omitting truncated tracks.
    package init(parsing bytes: ArraySlice<UInt8>, sampleRate: Int) {
        var cursor = TagCursor(bytes)
        guard sampleRate > 0, cursor.read(Self.headByteCount) != nil, let count = cursor.readBigEndian(1) else { return }
        for _ in 0..<count {
            guard let offset = cursor.readBigEndian(8), let number = cursor.readBigEndian(1),
                cursor.read(Self.isrcByteCount) != nil, let flags = cursor.read(Self.trackFlagsByteCount)?.first,
                let indexCount = cursor.readBigEndian(1)
            else { return }
            var start = offset
            for _ in 0..<indexCount {
                guard let distance = cursor.readBigEndian(8), let index = cursor.readBigEndian(1), cursor.read(3) != nil else { return }
                if index == Self.firstIndex { start = offset.addingReportingOverflow(distance).partialValue }
            }
            if Self.leadOuts.contains(number) { return }
            if flags & 0x80 == 0 { chapters.append(.init(start: start, timescale: sampleRate, title: "Track \(number)")) }
        }
    }
}
