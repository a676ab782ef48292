// SPDX-License-Identifier: Apache-2.0

/// The tracks of a disc in a metadata block of FLAC (RFC 9639 8.7), which have no titles.
package struct FLACCueSheet {
    /// The chapters: a track each, without that after the last.
    package private(set) var chapters: [AudioTags.Chapter] = []

    /// The numbers of the track after the last: of a disc, of other sheets.
    private static let leadOuts = [170, 255]
    /// The bytes before the number of tracks: catalogue number, lead-in, flags.
    private static let headByteCount = 128 + 8 + 259
    /// The bytes of a track between its number and that of its indices: ISRC and flags.
    private static let trackDetailByteCount = 12 + 14
    /// The index at which a track begins.
    private static let firstIndex = 1

    /// Parses the contents of a block; tracks that are cut off are left out.
    package init(parsing bytes: ArraySlice<UInt8>, sampleRate: Int) {
        var cursor = TagCursor(bytes)
        guard sampleRate > 0, cursor.read(Self.headByteCount) != nil, let count = cursor.readBigEndian(1) else { return }
        for _ in 0..<count {
            guard let offset = cursor.readBigEndian(8), let number = cursor.readBigEndian(1),
                cursor.read(Self.trackDetailByteCount) != nil, let indexCount = cursor.readBigEndian(1)
            else { return }
            var start = offset
            for _ in 0..<indexCount {
                guard let distance = cursor.readBigEndian(8), let index = cursor.readBigEndian(1), cursor.read(3) != nil else { return }
                if index == Self.firstIndex { start = offset.addingReportingOverflow(distance).partialValue }
            }
            if Self.leadOuts.contains(number) { return }
            chapters.append(.init(start: start, timescale: sampleRate, title: "Track \(number)"))
        }
    }
}
