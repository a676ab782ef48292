// SPDX-License-Identifier: Apache-2.0

/// Finds the file offsets of the access units in a track's fragments.
struct FragmentPlacement {
    /// All access units found so far.
    private(set) var table: SampleTable

    private let trackID: Int
    private let defaults: [MovieBox.FragmentDefaults]
    private let byteCount: Int
    /// The numbers of the track's other sample descriptions.
    private let otherNumbers: Set<Int>
    /// Remaining bytes for access units without their own size, since access units do not overlap.
    private var bytesLeft: Int
    private var latestNumber: Int?

    /// Creates a placement that continues the `table` of `track`, in a file of `byteCount` bytes.
    init(_ table: SampleTable, of track: TrackBox, defaults: [MovieBox.FragmentDefaults], byteCount: Int) {
        self.table = table
        trackID = track.trackID
        otherNumbers = track.sampleTable.description.otherNumbers
        self.defaults = defaults
        self.byteCount = byteCount
        bytesLeft = byteCount
    }

    /// Adds the access units of the fragment at file offset `offset`.
    ///
    /// If fragments are missing before it by number and time, their access units are added without bytes.
    mutating func add(_ fragment: MovieFragmentBox, at offset: Int) {
        if let latestNumber, fragment.sequenceNumber > latestNumber + 1,
            let part = fragment.tracks.first(where: { $0.trackID == trackID }), let startTime = part.startTime
        {
            let duration = part.runs.first?.durations.first.map { Int(clamping: $0) } ?? part.defaultDuration
            table.appendMissing(until: startTime, duration: duration ?? defaults.first { $0.trackID == trackID }?.duration ?? 0)
        }
        latestNumber = fragment.sequenceNumber
        var end = offset
        for part in fragment.tracks {
            let base = part.baseOffset ?? (part.isBasedOnFragment ? offset : end)
            end = add(part, base: base)
        }
    }

    /// Adds the access units of one track and returns the offset after them.
    private mutating func add(_ part: TrackFragmentBox, base: Int) -> Int {
        let defaults = defaults.first { $0.trackID == part.trackID } ?? .init(trackID: part.trackID)
        let duration = part.defaultDuration ?? defaults.duration
        var offset = base
        var startTime = part.startTime
        for run in part.runs {
            if let dataOffset = run.dataOffset { offset = base.addingReportingOverflow(dataOffset).partialValue }
            guard (0..<byteCount).contains(offset) else { continue }
            let sizes = run.sizes.isEmpty ? equalSizes(part.defaultSize ?? defaults.size, count: run.count) : run.sizes
            if part.trackID == trackID {
                let durations = (0..<sizes.count).lazy.map { $0 < run.durations.count ? Int(clamping: run.durations[$0]) : duration }
                table.append(
                    offset: offset, sizes: sizes, durations: durations, startTime: startTime,
                    isMissing: otherNumbers.contains(part.descriptionNumber ?? defaults.descriptionNumber))
            }
            startTime = nil
            offset = sizes.reduce(offset) { Int(clamping: Int64($0) + Int64($1)) }
        }
        return offset
    }

    /// Returns `count` equal sizes, but not more than fit into the file.
    private mutating func equalSizes(_ size: Int, count: Int) -> [UInt32] {
        guard size > 0 else { return [] }
        let count = min(count, bytesLeft / size)
        bytesLeft -= count * size
        return [UInt32](repeating: UInt32(truncatingIfNeeded: size), count: count)
    }
}
