// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
package import SystemFiles
internal import SystemLibrary
internal import TransformEncoding

/// An append-only file of a join's access units and checkpoints, for resuming an interrupted join.
///
/// The file starts with a signature, followed by records (``JournalRecord``): the key, then access units with a checkpoint after each
/// segment. If a run is killed, the file remains valid up to its last checkpoint, where the next run resumes. The writing process holds a
/// lock (`flock`). If a write fails, the join continues and the written part stays valid.
package final class JoinJournal {
    /// The usable contents of a journal.
    package struct JournalContents {
        /// The known properties of the files.
        package let parts: JoinedPCMSource.KnownParts
        /// The encoder state after the access units.
        let checkpoint: EncoderCheckpoint
        /// The offset after the last checkpoint.
        package let end: Int
        /// The checksum of the last checkpoint.
        let checksum: UInt64
    }

    /// The saved state of an earlier run, or `nil` if missing or not matching.
    private(set) var retained: JournalContents?

    private let output: UnfinishedJoin
    private let key: [String]
    /// The inputs and the number of access units per segment, or `nil` before ``start(_:segmentLength:)``.
    private var stream: (source: JoinedPCMSource, segmentLength: Int)?
    /// The locked file, or `nil` before it is created and after giving up.
    private var file: OpenFile?
    /// Whether nothing more is written.
    private var isGivenUp = false
    /// Whether the file has this join's signature and key.
    private var hasBegun = false
    /// Whether another run could resume from the file.
    private var hasWork = false
    private var checksum: UInt64 = 0

    /// Unwritten access units, each preceded by its size.
    private var pending: [UInt8] = []
    private var accessUnitCount = 0
    /// The latest segment boundary among the unwritten access units: access unit index and offset in `pending`.
    private var boundary: (accessUnitIndex: Int, offset: Int)?
    /// The number of finished files recorded in the journal.
    private var finishedCount = 0

    /// The number of pending bytes that triggers a write.
    private static let pendingLimit = 16_384
    /// The first bytes of a journal.
    package static let signature = Array("linnet join 1\n".utf8)

    /// Reads an earlier run's journal, if any, and reports whether it can be used.
    ///
    /// - Parameters:
    ///   - output: The journal's path and settings.
    ///   - key: Everything that the access units depend on.
    package init(_ output: UnfinishedJoin, key: [String], partCount: Int) {
        self.output = output
        self.key = key
        switch Self.opened(output.path) {
        case .success(let file):
            guard let file, let size = try? file.status().byteCount else { return }
            self.file = file
            retained = Self.retained(of: key, partCount: partCount, size: size) { range throws(SystemFileError) in try file.bytes(in: range)
            }
            hasWork = retained != nil
            if !hasWork, size > Self.signature.count { output.report(.differs) }
        case .failure(let failure): giveUp(failure.note)
        }
    }

    /// Why a journal cannot be used.
    private struct Failure: Error {
        let note: UnfinishedJoin.Note
    }

    /// Opens and locks an earlier run's file, or returns `nil` if it does not exist.
    private static func opened(_ path: String) -> Result<OpenFile?, Failure> {
        let descriptor = open(PathName.bytes(path), O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? .success(nil) : .failure(Failure(note: .foreign)) }
        let file = OpenFile(owning: descriptor)
        guard let size = try? file.status().byteCount, let start = try? file.bytes(in: 0..<min(size, signature.count)),
            start[...] == signature.prefix(start.count)
        else { return .failure(Failure(note: .foreign)) }
        return file.lock() ? .success(file) : .failure(Failure(note: .inUse))
    }

    /// Parses a journal, or returns `nil` if it belongs to a different join.
    ///
    /// - Parameter key: Everything that the access units depend on.
    package static func retained(
        of key: [String], partCount: Int, size: Int, _ bytes: @escaping RangeReader
    ) -> JournalContents? {
        var reader = JournalReader(at: signature.count, size: size, bytes)
        guard let first = reader.next(), first.kind == .key, first.contents.count >= 8 * partCount,
            first.contents.dropFirst(8 * partCount) == Self.bytes(ofKey: key)[...]
        else { return nil }
        let stored = (0..<partCount).map { first.contents.littleEndian(at: 8 * $0, byteCount: 8) }
        guard stored.allSatisfy({ $0 <= JoinCheckpoint.maximumPartLength }) else { return nil }
        let lengths = stored.map { Int(clamping: $0) }
        var parts = JoinedPCMSource.KnownParts(lengths: lengths, finished: [])
        var accessUnitCount = 0
        var retained: JournalContents?
        while let record = reader.next() {
            switch record.kind {
            case .key: return retained
            case .accessUnits:
                guard (forEachUnit(of: record.contents) { _ in accessUnitCount += 1 }) else { return retained }
            case .checkpoint:
                guard let checkpoint = JoinCheckpoint(record.contents), checkpoint.encoder.accessUnitIndex == accessUnitCount,
                    checkpoint.finished.count <= lengths.count - parts.finished.count
                else { return retained }
                parts.finished += checkpoint.finished
                retained = JournalContents(parts: parts, checkpoint: checkpoint.encoder, end: reader.offset, checksum: reader.checksum)
            }
        }
        return retained
    }

    /// Calls `body` with each access unit of a record.
    ///
    /// Returns false at the first incomplete one.
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

    /// Resumes from the saved state: calls `body` with its access units.
    ///
    /// - Throws: ``SystemFileError`` if a read fails; the errors of `body`.
    func resume(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
        guard let retained, let file else { return }
        var reader = JournalReader(at: Self.signature.count, size: retained.end) { range throws(SystemFileError) in
            try file.bytes(in: range)
        }
        while let record = reader.next() {
            if record.kind == .accessUnits { _ = try Self.forEachUnit(of: record.contents, body) }
        }
        guard reader.checksum == retained.checksum else { throw SystemFileError.cannotRead(code: EIO) }
        accessUnitCount = retained.checkpoint.accessUnitIndex
        finishedCount = retained.parts.finished.count
        checksum = retained.checksum
        hasBegun = ftruncate(file.descriptor, off_t(retained.end)) == 0 && (try? file.seek(to: retained.end)) != nil
        if !hasBegun { giveUp(.notWritten) }
    }

    /// Discards saved output that no encoder can resume.
    func discardRetained() {
        retained = nil
        hasWork = false
        output.report(.differs)
    }

    /// Reports that the saved state, if any, is kept.
    func reportFailure() { if file != nil, hasWork { output.report(.kept) } }

    /// Reports that the saved state of an earlier run is used.
    func reportContinuing(seconds: Double) { output.report(.continues(seconds: seconds)) }

    /// Starts recording a stream.
    ///
    /// - Parameter segmentLength: The number of access units per segment.
    func start(_ source: JoinedPCMSource, segmentLength: Int) { stream = (source, segmentLength) }

    func append(_ payload: [UInt8]) {
        guard !isGivenUp, let stream else { return }
        if accessUnitCount > 0, accessUnitCount % stream.segmentLength == 0 { boundary = (accessUnitCount, pending.count) }
        pending.append(littleEndian: UInt64(payload.count), byteCount: 4)
        pending += payload
        accessUnitCount += 1
        guard boundary == nil, pending.count >= Self.pendingLimit else { return }
        begin(stream.source.lengths)
        write(.accessUnits, pending)
        pending.removeAll(keepingCapacity: true)
    }

    /// Records that the encoder has reached a checkpoint.
    ///
    /// All earlier access units must have been appended. Repeated calls do nothing.
    func reach(_ checkpoint: EncoderCheckpoint) {
        guard !isGivenUp, let stream, let boundary, boundary.accessUnitIndex == checkpoint.accessUnitIndex else { return }
        self.boundary = nil
        begin(stream.source.lengths)
        if boundary.offset > 0 { write(.accessUnits, Array(pending.prefix(boundary.offset))) }
        pending.removeFirst(min(boundary.offset, pending.count))
        let finished = Array(stream.source.finished.dropFirst(finishedCount))
        write(.checkpoint, JoinCheckpoint(encoder: checkpoint, finished: finished).bytes)
        finishedCount += finished.count
        hasWork = hasWork || !isGivenUp
    }

    /// Deletes the file after the output is complete.
    func remove() {
        guard file != nil else { return }
        unlink(PathName.bytes(output.path))
        file = nil
        isGivenUp = true
    }

    /// Writes signature and key once, creating the file if needed.
    private func begin(_ lengths: [Int]) {
        guard !hasBegun else { return }
        hasBegun = true
        hasWork = false
        if let file {
            guard ftruncate(file.descriptor, 0) == 0, (try? file.seek(to: 0)) != nil else { return giveUp(.notWritten) }
        } else {
            let descriptor = open(PathName.bytes(output.path), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { return giveUp(errno == EEXIST ? .inUse : .notWritten) }
            let created = OpenFile(owning: descriptor)
            file = created
            // Another program may have opened it in the meantime.
            guard created.lock() else { return giveUp(.inUse) }
        }
        var contents: [UInt8] = []
        for length in lengths { contents.append(littleEndian: UInt64(length), byteCount: 8) }
        do throws(SystemFileError) { try file?.write(Self.signature[...]) } catch { return giveUp(.notWritten) }
        write(.key, contents + Self.bytes(ofKey: key))
    }

    /// Returns the serialized key.
    ///
    /// Settings and paths do not contain zeros.
    private static func bytes(ofKey key: [String]) -> [UInt8] { Array(key.joined(separator: "\0").utf8) }

    private func write(_ kind: JournalRecord.Kind, _ contents: [UInt8]) {
        guard let file, !isGivenUp else { return }
        guard contents.count <= JournalRecord.largest else { return giveUp(.notWritten) }
        do throws(SystemFileError) {
            try file.write(JournalRecord(kind: kind, contents: contents).bytes(&checksum)[...])
        } catch {
            giveUp(.notWritten)
        }
    }

    /// Stops writing.
    ///
    /// Leaves a file of another program alone and deletes one without a checkpoint.
    private func giveUp(_ note: UnfinishedJoin.Note) {
        isGivenUp = true
        pending = []
        boundary = nil
        if note != .notWritten { file = nil } else if !hasWork { remove() }
        output.report(note)
    }
}
