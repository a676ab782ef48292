// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension HLSStream {
    /// The largest playlist of an earlier stream that is read: of more than a year.
    private static let playlistByteLimit = 1 << 30

    /// Prepares the folder for the first connection, and continues what an earlier stream left in it.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``.
    func open() throws(StreamingError) {
        try files.createFolder()
        if files.contains(HLSFileNames.playlist) { continueEarlierStream() }
        if packaging.initializationSegment != nil { initializationName = HLSFileNames.initialization(playlist.nextNumber) }
        try writeInitializationSegment()
    }

    /// Prepares the folder for another connection, after which all units are sent again that stand in no file.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``.
    func reopen() throws(StreamingError) {
        try files.createFolder()
        discardUnwrittenUnits()
        // As long as a disk is full, the folder doesn't count as connected.
        try files.probe(byteCount: failedByteCount)
        try writeInitializationSegment()
        // The folder may have been emptied.
        if let lost = playlist.segments.lastIndex(where: { !hasFiles(of: $0) }) { playlist.removeFirst(lost + 1) }
        for index in playlist.segments.indices where playlist.segments[index].parts.contains(where: { !files.contains($0.name) }) {
            playlist.segments[index].parts = []
        }
        for part in openSegment?.parts ?? [] where !files.contains(part.part.name) {
            try files.write(part.head + part.body, to: part.part.name)
        }
    }

    /// Returns whether the files of a segment exist.
    private func hasFiles(of segment: HLSMediaPlaylist.Segment) -> Bool {
        files.contains(segment.name) && segment.initializationName.map(files.contains) ?? true
    }

    /// Discards the units that stand in no file.
    private func discardUnwrittenUnits() {
        discardIncomingUnit()
        guard var open = openSegment else { return }
        end = open.pendingStart
        open.discardPending()
        if open.parts.isEmpty {
            // Whatever comes next follows what was before the segment.
            end = open.isDiscontinuous ? nil : open.start
            isNextDiscontinuous = open.isDiscontinuous
            openSegment = nil
        } else {
            openSegment = open
        }
    }

    /// Writes the initialization segment unless it exists.
    private func writeInitializationSegment() throws(StreamingError) {
        guard let name = initializationName, !files.contains(name), let bytes = packaging.initializationSegment else { return }
        try files.write(bytes, to: name)
    }

    /// Continues the numbers of an earlier stream, and the whole playlist of an event that has not ended.
    private func continueEarlierStream() {
        guard let text = files.text(HLSFileNames.playlist, limit: Self.playlistByteLimit), let old = HLSMediaPlaylist(reading: text) else {
            // Numbers by the clock are above those of any stream that counts segments.
            playlist.mediaSequence = max(0, Int(min(settings.startDate, 1e12)))
            return
        }
        let numbers = files.names.compactMap { name in HLSFileNames.number(of: name).map { (name, $0) } }
        // Written before a playlist could list them.
        for (name, number) in numbers where number >= old.nextNumber { files.delete(name) }
        if playlist.kind == .event, old.kind == .event, !old.isFinished, old.targetDuration >= playlist.targetDuration,
            old.segments.allSatisfy(hasFiles)
        {
            let partDuration = playlist.partDuration
            playlist = old
            playlist.partDuration = partDuration
        } else {
            playlist.mediaSequence = old.nextNumber
            playlist.discontinuitySequence = old.discontinuitySequence + old.segments.count(where: \.isDiscontinuous)
        }
        isNextDiscontinuous = playlist.kind == .live || !playlist.segments.isEmpty
        let listed = playlist.fileNames
        staleNames = numbers.filter { $0.1 < old.nextNumber && !listed.contains($0.0) }.map(\.0)
    }
}
