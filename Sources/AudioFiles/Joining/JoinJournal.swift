// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
package import SystemFiles
internal import SystemLibrary
internal import TransformEncoding

/// The access units of a join so far, in a file to which they are appended, with what is needed to go on after them.
///
/// The file begins with a signature; then follow records (``JournalRecord``): the key, and access units with a checkpoint after those of each
/// segment. A run that is killed leaves a valid beginning, whose last checkpoint the next run goes on from. The process that writes a journal
/// holds a lock on it (`flock`). If it can't be written any more, the join goes on, and what the journal has stays valid.
package final class JoinJournal {
    /// The contents of a journal of the same join.
    package struct Kept {
        /// The files, as far as they are known.
        package let parts: JoinedPCMSource.KnownParts
        /// The state of the encoder after the units.
        let checkpoint: EncoderCheckpoint
        /// The offset after the last checkpoint.
        package let end: Int
        /// The checksum of the last checkpoint.
        let checksum: UInt64
    }

    /// The work of an earlier run; nil if there is none that can be used.
    private(set) var kept: Kept?

    private let place: UnfinishedJoin
    private let key: [String]
    /// The inputs, and the access units of a segment; nil before ``start(_:segmentLength:)``.
    private var stream: (source: JoinedPCMSource, segmentLength: Int)?
    /// The open and locked file; nil before there is one, and after it was given up.
    private var file: OpenFile?
    /// Whether nothing is written from now on.
    private var isGivenUp = false
    /// Whether the file has signature and key of this join.
    private var hasBegun = false
    /// Whether another run could go on with the file.
    private var hasWork = false
    private var checksum: UInt64 = 0

    /// The units that are not written, each with its size before it.
    private var pending: [UInt8] = []
    /// The units of the stream so far.
    private var unitCount = 0
    /// The last first unit of a segment among those that are not written: its index, and its offset there.
    private var boundary: (unit: Int, offset: Int)?
    /// The finished files that the journal tells of.
    private var finishedCount = 0

    /// The bytes of units from which on they are written.
    private static let pendingLimit = 16_384
    /// The first bytes of a journal.
    package static let signature = Array("linnet join 1\n".utf8)

    /// Reads the journal of an earlier run, if there is one, and reports what it is.
    ///
    /// - Parameters:
    ///   - place: The path of the file.
    ///   - key: What the access units depend on.
    ///   - partCount: The number of inputs.
    package init(_ place: UnfinishedJoin, key: [String], partCount: Int) {
        self.place = place
        self.key = key
        switch Self.opened(place.path) {
        case .success(let file):
            guard let file, let size = try? file.status().byteCount else { return }
            self.file = file
            kept = Self.kept(of: key, partCount: partCount, size: size) { range throws(SystemFileError) in try file.bytes(in: range) }
            hasWork = kept != nil
            if !hasWork, size > Self.signature.count { place.report(.differs) }
        case .failure(let failure): giveUp(failure.note)
        }
    }

    /// The reason why a file can't be used.
    private struct Failure: Error {
        let note: UnfinishedJoin.Note
    }

    /// Opens and locks the file of an earlier run; nil if there is none.
    private static func opened(_ path: String) -> Result<OpenFile?, Failure> {
        let descriptor = open(PathName.bytes(path), O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? .success(nil) : .failure(Failure(note: .foreign)) }
        let file = OpenFile(owning: descriptor)
        guard let size = try? file.status().byteCount, let start = try? file.bytes(in: 0..<min(size, signature.count)),
            start[...] == signature.prefix(start.count)
        else { return .failure(Failure(note: .foreign)) }
        return file.lock() ? .success(file) : .failure(Failure(note: .inUse))
    }

    /// Reads what a journal holds of a join; nil if it is one of another.
    ///
    /// - Parameters:
    ///   - key: What the access units depend on.
    ///   - partCount: The number of inputs.
    ///   - size: The size of the file.
    ///   - bytes: Returns the bytes in a range of the file.
    package static func kept(
        of key: [String], partCount: Int, size: Int, _ bytes: @escaping RangeReader
    ) -> Kept? {
        var reader = JournalReader(at: signature.count, size: size, bytes)
        guard let first = reader.next(), first.kind == .key, first.contents.count >= 8 * partCount,
            first.contents.dropFirst(8 * partCount) == Self.bytes(ofKey: key)[...]
        else { return nil }
        let stored = (0..<partCount).map { first.contents.littleEndian(at: 8 * $0, byteCount: 8) }
        guard stored.allSatisfy({ $0 <= JoinCheckpoint.longestPart }) else { return nil }
        let lengths = stored.map { Int(clamping: $0) }
        var parts = JoinedPCMSource.KnownParts(lengths: lengths, finished: [])
        var unitCount = 0
        var kept: Kept?
        while let record = reader.next() {
            switch record.kind {
            case .key: return kept
            case .units:
                guard (forEachUnit(of: record.contents) { _ in unitCount += 1 }) else { return kept }
            case .checkpoint:
                guard let checkpoint = JoinCheckpoint(record.contents), checkpoint.encoder.unit == unitCount,
                    checkpoint.finished.count <= lengths.count - parts.finished.count
                else { return kept }
                parts.finished += checkpoint.finished
                kept = Kept(parts: parts, checkpoint: checkpoint.encoder, end: reader.offset, checksum: reader.checksum)
            }
        }
        return kept
    }

    /// Calls `body` with the units of a record; returns false at the first that is not whole.
    private static func forEachUnit(of contents: [UInt8], _ body: (ArraySlice<UInt8>) throws -> Void) rethrows -> Bool {
        var offset = 0
        while offset < contents.count {
            guard offset + 4 <= contents.count else { return false }
            let size = Int(truncatingIfNeeded: contents.littleEndian(at: offset, byteCount: 4))
            offset += 4
            guard size > 0, size <= contents.count - offset else { return false }
            try body(contents[offset..<offset + size])
            offset += size
        }
        return true
    }

    /// Goes on with what was kept: calls `body` with its units.
    ///
    /// - Throws: ``SystemFileError`` if they can't be read any more; errors of `body`.
    func resume(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
        guard let kept, let file else { return }
        var reader = JournalReader(at: Self.signature.count, size: kept.end) { range throws(SystemFileError) in try file.bytes(in: range) }
        while let record = reader.next() {
            if record.kind == .units { _ = try Self.forEachUnit(of: record.contents, body) }
        }
        guard reader.checksum == kept.checksum else { throw SystemFileError.cannotRead(code: EIO) }
        unitCount = kept.checkpoint.unit
        finishedCount = kept.parts.finished.count
        checksum = kept.checksum
        hasBegun = ftruncate(file.descriptor, off_t(kept.end)) == 0 && (try? file.seek(to: kept.end)) != nil
        if !hasBegun { giveUp(.notWritten) }
    }

    /// Discards what was kept, which no encoder can go on with.
    func discardKept() {
        kept = nil
        hasWork = false
        place.report(.differs)
    }

    /// Reports that the work stays, if there is any.
    func reportFailure() { if file != nil, hasWork { place.report(.kept) } }

    /// Reports that work of an earlier run is used.
    func reportContinuing(seconds: Double) { place.report(.continues(seconds: seconds)) }

    /// Begins to keep a stream.
    ///
    /// - Parameters:
    ///   - source: The inputs.
    ///   - segmentLength: The access units of a segment.
    func start(_ source: JoinedPCMSource, segmentLength: Int) { stream = (source, segmentLength) }

    /// Appends the next access unit.
    func append(_ payload: [UInt8]) {
        guard !isGivenUp, let stream else { return }
        if unitCount > 0, unitCount % stream.segmentLength == 0 { boundary = (unitCount, pending.count) }
        pending.append(littleEndian: UInt64(payload.count), byteCount: 4)
        pending += payload
        unitCount += 1
        guard boundary == nil, pending.count >= Self.pendingLimit else { return }
        begin(stream.source.lengths)
        write(.units, pending)
        pending.removeAll(keepingCapacity: true)
    }

    /// Records that the encoder has reached a checkpoint, after the units before it were appended; does nothing the second time.
    func reach(_ checkpoint: EncoderCheckpoint) {
        guard !isGivenUp, let stream, let boundary, boundary.unit == checkpoint.unit else { return }
        self.boundary = nil
        begin(stream.source.lengths)
        if boundary.offset > 0 { write(.units, Array(pending.prefix(boundary.offset))) }
        pending.removeFirst(min(boundary.offset, pending.count))
        let finished = Array(stream.source.finished.dropFirst(finishedCount))
        write(.checkpoint, JoinCheckpoint(encoder: checkpoint, finished: finished).bytes)
        finishedCount += finished.count
        hasWork = hasWork || !isGivenUp
    }

    /// Removes the file; the output is complete.
    func remove() {
        guard file != nil else { return }
        unlink(PathName.bytes(place.path))
        file = nil
        isGivenUp = true
    }

    /// Writes signature and key, if that was not done; creates the file if there is none.
    private func begin(_ lengths: [Int]) {
        guard !hasBegun else { return }
        hasBegun = true
        hasWork = false
        if let file {
            guard ftruncate(file.descriptor, 0) == 0, (try? file.seek(to: 0)) != nil else { return giveUp(.notWritten) }
        } else {
            let descriptor = open(PathName.bytes(place.path), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { return giveUp(errno == EEXIST ? .inUse : .notWritten) }
            let created = OpenFile(owning: descriptor)
            file = created
            // Another program may have opened it in between.
            guard created.lock() else { return giveUp(.inUse) }
        }
        var contents: [UInt8] = []
        for length in lengths { contents.append(littleEndian: UInt64(length), byteCount: 8) }
        do throws(SystemFileError) { try file?.write(Self.signature[...]) } catch { return giveUp(.notWritten) }
        write(.key, contents + Self.bytes(ofKey: key))
    }

    /// Returns a key as bytes; zeros are in no setting and no path.
    private static func bytes(ofKey key: [String]) -> [UInt8] { Array(key.joined(separator: "\0").utf8) }

    /// Writes a record.
    private func write(_ kind: JournalRecord.Kind, _ contents: [UInt8]) {
        guard let file, !isGivenUp else { return }
        guard contents.count <= JournalRecord.largest else { return giveUp(.notWritten) }
        do throws(SystemFileError) {
            try file.write(JournalRecord(kind: kind, contents: contents).bytes(&checksum)[...])
        } catch {
            giveUp(.notWritten)
        }
    }

    /// Writes nothing from now on; a file of others is left to them, and one without work is removed.
    private func giveUp(_ note: UnfinishedJoin.Note) {
        isGivenUp = true
        pending = []
        boundary = nil
        if note != .notWritten { file = nil } else if !hasWork { remove() }
        place.report(note)
    }
}
