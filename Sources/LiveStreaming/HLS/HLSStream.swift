// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import LiveAudio
internal import SystemFiles

/// Writes access units into the segments and the playlist of a folder, across all connections of a stream.
///
/// Files are replaced atomically, and a segment exists before a playlist lists it. Must be used by one thread at a time.
final class HLSStream: StreamingConnection, @unchecked Sendable {
    let folder: HLSFolder
    let format: RecordingFormat
    let entry: HLSDestination.MasterEntry
    /// The date of the first recorded sample, in seconds since 1970.
    let startDate: Double
    let files: HLSFiles
    let timeline: HLSTimeline
    var packaging: HLSPackaging
    var playlist: HLSMediaPlaylist
    /// The files of earlier streams, until this stream's first playlist replaces theirs.
    var staleNames: [String] = []
    /// The file name of the initialization segment; `nil` for packed audio.
    var initializationName: String?
    var openSegment: HLSOpenSegment?
    /// Whether the next segment follows a gap or an earlier stream.
    var isNextDiscontinuous = false
    /// The end of the last access unit in sample frames; `nil` before the first access unit.
    var end: Int?
    /// The start of the latest access point, in sample frames, in codecs where decoding can start only at some access units.
    private var latestAccessPoint: Int?
    /// The distance between the latest two access points, in sample frames, or 0 if unknown.
    private var accessPointDistance = 0
    /// The locked folder until the stream is complete, so that no other stream writes to it.
    private var lockedFolder: OpenFile?
    private let unitsPerPart: Int?
    private var expired = HLSExpiredFiles()
    private var bandwidth: HLSBandwidth
    private var incomingUnitCount = 0
    /// The size of the last file if it could not be written, otherwise 0.
    private(set) var failedByteCount = 0

    /// Creates a stream.
    ///
    /// Call ``open()`` next.
    ///
    /// - Throws: ``StreamingError/unsupportedFormat(reason:)``.
    init(_ folder: HLSFolder, _ format: RecordingFormat, _ entry: HLSDestination.MasterEntry) throws(StreamingError) {
        self.folder = folder
        self.format = format
        self.entry = entry
        startDate = entry.file.startDate
        files = HLSFiles(folder: folder.path)
        let timeline = HLSTimeline(format, segmentDuration: folder.segmentDuration, startDate: startDate)
        self.timeline = timeline
        packaging = try HLSPackaging(folder.segmentFormat, format)
        playlist = HLSMediaPlaylist(targetDuration: timeline.targetDuration)
        bandwidth = HLSBandwidth(bitRate: format.bitRate)
        // Players expect equal durations of all parts of a segment except the last (draft-pantos-hls-rfc8216bis-15, 4.4.4.9).
        let partFrameCount = folder.partDuration.map { $0.inSeconds * Double(timeline.sampleRate) }
        unitsPerPart = partFrameCount.map { max(1, Int(min($0, 1e9)) / timeline.unitDuration) }
        playlist.partDuration = unitsPerPart.map { timeline.seconds($0 * timeline.unitDuration) }
        playlist.kind = folder.playlistKind
    }

    /// The number of latest access units that are not yet written to a file.
    var unconfirmedUnitCount: Int { (openSegment?.accessUnits.count ?? 0) + incomingUnitCount }

    /// Adds an access unit to the segment in progress, and writes completed parts and segments.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``; ``StreamingError/unsupportedFormat(reason:)`` if no access point arrives within
    ///   the target duration, which is fixed.
    func send(_ accessUnit: AccessUnit) throws(StreamingError) {
        // An access unit that no segment can contain is skipped, like a lost one.
        guard packaging.accepts(accessUnit) else { return }
        incomingUnitCount = 1
        let start = timeline.frames(accessUnit.presentationTime)
        let frameCount = timeline.frames(MediaTime(value: Int64(accessUnit.duration), timescale: accessUnit.presentationTime.timescale))
        recordAccessPoint(accessUnit, at: start)
        // Times in units other than sample frames are rounded.
        if let end, abs(start - end) > 1 {
            try completeSegment()
            isNextDiscontinuous = true
        } else if try mustStartSegment(accessUnit, at: start, frameCount: frameCount) {
            try completeSegment()
        }
        if openSegment == nil {
            // After a gap, decoding can start only at an access point.
            guard format.configuration.isAccessPoint(accessUnit) else {
                incomingUnitCount = 0
                return
            }
            openSegment = HLSOpenSegment(start: start, index: segmentIndex(start), isDiscontinuous: isNextDiscontinuous)
            isNextDiscontinuous = false
        }
        openSegment?.append(accessUnit, frameCount: frameCount)
        incomingUnitCount = 0
        end = start + frameCount
        if !format.configuration.hasAccessPoints, timeline.segmentIndex(end ?? 0) > openSegment?.index ?? 0 {
            try completeSegment()
        } else if let unitsPerPart, openSegment?.accessUnits.count ?? 0 >= unitsPerPart {
            try completePart()
        }
    }

    /// Returns whether an access unit of a codec with access points must start the next segment.
    ///
    /// Segments start at the access points closest to multiples of the nominal duration, or earlier if the next one can be too late.
    private func mustStartSegment(_ accessUnit: AccessUnit, at start: Int, frameCount: Int) throws(StreamingError) -> Bool {
        guard format.configuration.hasAccessPoints, let openSegment else { return false }
        guard format.configuration.isAccessPoint(accessUnit) else {
            guard timeline.exceedsTarget(openSegment.frameCount + frameCount) else { return false }
            let seconds = timeline.targetDuration
            throw .unsupportedFormat(
                reason: "the stream has no access point within \(seconds) s, where the next HLS segment must start; use longer segments")
        }
        // The rate control of the encoder can postpone an access point.
        let latest = openSegment.frameCount + accessPointDistance + HLSTimeline.maximumExcess
        return segmentIndex(start) > openSegment.index || timeline.exceedsTarget(latest)
    }

    /// Returns the index of the segment for an access unit that starts at `start` frames.
    private func segmentIndex(_ start: Int) -> Int { timeline.segmentIndex(start + accessPointDistance / 2) }

    private func recordAccessPoint(_ accessUnit: AccessUnit, at start: Int) {
        guard format.configuration.hasAccessPoints, format.configuration.isAccessPoint(accessUnit) else { return }
        // After a failure, earlier access points arrive again.
        if let latestAccessPoint, start > latestAccessPoint { accessPointDistance = start - latestAccessPoint }
        latestAccessPoint = start
    }

    /// Completes the last segment and the playlist when the stream ends.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``.
    func close(isComplete: Bool) throws(StreamingError) {
        guard isComplete else { return }
        defer { lockedFolder = nil }
        incomingUnitCount = 0
        try completeSegment()
        guard !playlist.segments.isEmpty else { return }
        playlist.isFinished = true
        try publish(playlist)
        // Clients that still load parts can use the segments instead.
        for name in expired.advance(by: .infinity) where HLSFileNames.isPart(name) { files.delete(name) }
        if playlist.kind == .onDemand { deleteStaleFiles() }
        try updateMaster()
    }

    // MARK: Parts and segments

    /// Writes the pending access units as a part and lists it.
    private func completePart() throws(StreamingError) {
        guard var open = openSegment else { return }
        try writePart(of: &open)
        var playlist = playlist
        playlist.openSegment = listed(open, name: "")
        try publish(playlist)
        openSegment = open
        self.playlist = playlist
        // The audio is listed now: after an error it would be sent again. The next segment retries.
        try? updateMaster()
    }

    /// Writes the pending access units to a part file.
    private func writePart(of open: inout HLSOpenSegment) throws(StreamingError) {
        let time = timeline.segmentTime(open.pendingStart)
        let name = HLSFileNames.part(open.parts.count, ofSegment: playlist.nextNumber, packaging.fileExtension)
        let part = HLSOpenSegment.WrittenPart(
            part: .init(
                name: name, duration: timeline.seconds(open.pendingFrameCount),
                isIndependent: open.accessUnits.contains(where: format.configuration.isAccessPoint)),
            head: packaging.head(at: time, sampleRate: timeline.sampleRate), body: packaging.body(open.accessUnits, at: time))
        try store(part.head + part.body, to: name)
        open.append(part)
    }

    /// Writes the segment in progress, lists it, and deletes expired files.
    private func completeSegment() throws(StreamingError) {
        guard var open = openSegment else { return }
        let time = timeline.segmentTime(open.start)
        var bytes = packaging.head(at: time, sampleRate: timeline.sampleRate)
        if unitsPerPart != nil {
            if !open.accessUnits.isEmpty { try writePart(of: &open) }
            bytes += open.parts.flatMap(\.body)
        } else {
            bytes += packaging.body(open.accessUnits, at: time)
        }
        let name = HLSFileNames.segment(playlist.nextNumber, packaging.fileExtension)
        try store(bytes, to: name)
        let segment = listed(open, name: name)
        var playlist = playlist
        let listedDuration = playlist.duration
        let removed = playlist.append(segment, keeping: folder.windowLength)
        try publish(playlist)
        self.playlist = playlist
        openSegment = nil
        bandwidth.add(byteCount: bytes.count, duration: segment.duration, nominalDuration: folder.segmentDuration.inSeconds)
        for name in expired.advance(by: segment.duration) { files.delete(name) }
        expired.add(removed, for: listedDuration + segment.duration)
        if playlist.kind != .onDemand {
            // Unknown clients of an earlier stream get the duration of a playlist to finish loading.
            expired.add(staleNames, for: Double(folder.windowLength + 1) * folder.segmentDuration.inSeconds)
            staleNames = []
        }
        // The audio is listed now: after an error it would be sent again. The next segment retries.
        try? updateMaster()
    }

    /// Returns the playlist entry of a segment.
    private func listed(_ open: HLSOpenSegment, name: String) -> HLSMediaPlaylist.Segment {
        var segment = HLSMediaPlaylist.Segment(name: name, duration: timeline.seconds(open.frameCount), date: timeline.date(open.start))
        segment.isDiscontinuous = open.isDiscontinuous
        segment.initializationName = initializationName
        segment.parts = open.parts.map(\.part)
        return segment
    }

    private func deleteStaleFiles() {
        for name in staleNames { files.delete(name) }
        staleNames = []
    }

    // MARK: Playlists and files

    /// Writes a file, and records its size on failure.
    private func store(_ bytes: [UInt8], to name: String) throws(StreamingError) {
        failedByteCount = bytes.count
        try files.write(bytes, to: name)
        failedByteCount = 0
    }

    /// Writes the playlist once it has a segment, because many players ignore parts and reject an empty playlist.
    ///
    /// An on-demand playlist is written only when finished.
    private func publish(_ playlist: HLSMediaPlaylist) throws(StreamingError) {
        guard !playlist.segments.isEmpty, playlist.kind != .onDemand || playlist.isFinished else { return }
        try store(Array(playlist.text.utf8), to: HLSFileNames.playlist)
    }

    /// Writes the master playlist if it has changed.
    private func updateMaster() throws(StreamingError) {
        guard !playlist.segments.isEmpty, playlist.kind != .onDemand || playlist.isFinished else { return }
        let variant = HLSVariant(
            name: entry.name, bandwidth: bandwidth.largest, averageBandwidth: bandwidth.average, codec: format.codecName)
        try entry.file.update(variant, at: entry.index)
    }
}

extension HLSStream {
    /// The maximum size of an earlier stream's playlist, in bytes: enough for more than a year.
    private static let playlistByteLimit = 1 << 30

    /// Prepares the folder for the first connection, and continues an earlier stream in it.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``.
    func open() throws(StreamingError) {
        lockedFolder = try files.lockFolder()
        if files.contains(HLSFileNames.playlist) { continueEarlierStream() }
        if packaging.initializationSegment != nil { initializationName = HLSFileNames.initialization(playlist.nextNumber) }
        try writeInitializationSegment()
    }

    /// Prepares the folder for another connection.
    ///
    /// The sink then sends all unwritten access units again.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``.
    func reopen() throws(StreamingError) {
        // Someone may have removed the folder.
        lockedFolder = nil
        lockedFolder = try files.lockFolder()
        discardUnwrittenUnits()
        // While a disk is full, the folder does not count as connected.
        try files.probe(byteCount: failedByteCount)
        try writeInitializationSegment()
        // Someone may have emptied the folder.
        if let lost = playlist.segments.lastIndex(where: { !hasFiles(of: $0) }) { playlist.removeFirst(lost + 1) }
        for index in playlist.segments.indices where playlist.segments[index].parts.contains(where: { !files.contains($0.name) }) {
            playlist.segments[index].parts = []
        }
        for part in openSegment?.parts ?? [] where !files.contains(part.part.name) {
            try files.write(part.head + part.body, to: part.part.name)
        }
    }

    private func hasFiles(of segment: HLSMediaPlaylist.Segment) -> Bool {
        files.contains(segment.name) && segment.initializationName.map(files.contains) ?? true
    }

    /// Discards the access units that are not written to a file.
    private func discardUnwrittenUnits() {
        incomingUnitCount = 0
        guard var open = openSegment else { return }
        end = open.pendingStart
        open.discardPending()
        if open.parts.isEmpty {
            // The next access unit continues from before the segment.
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

    /// Continues the numbering of an earlier stream, and the whole playlist of an unfinished event.
    private func continueEarlierStream() {
        guard let text = files.text(HLSFileNames.playlist, limit: Self.playlistByteLimit), let old = HLSMediaPlaylist(reading: text) else {
            // Numbers from the clock are higher than the segment numbers of any stream.
            playlist.mediaSequence = max(0, Int(min(startDate, 1e12)))
            return
        }
        let numbers = files.names.compactMap { name in HLSFileNames.number(of: name).map { (name, $0) } }
        // These files were written but never listed.
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
