// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import PCMFiles
internal import SystemFiles

/// A file in memory whose gain changes, with its record.
struct GainFile {
    let path: String
    /// The bytes without the record.
    private(set) var bytes: [UInt8]
    private(set) var record: GainRecord?
    private let format: AudioFileFormat
    /// The position of the record, if the container has one.
    private var position: GainRecordPosition?

    /// Reads a file and removes its record.
    ///
    /// - Throws: ``GainProblem/changedFile`` if the record is invalid.
    init(path: String) throws {
        self.path = path
        let input = try FileInput(opening: path)
        let format = try input.containerFormat() ?? .adts
        guard GainUnits.formats.contains(format) else { throw GainProblem.container(format) }
        bytes = try input.readAll()
        self.format = format
        position = try GainRecordPosition(in: bytes, format: format)
        guard let position, let stored = position.record else { return }
        guard let record = GainRecord(parsing: stored) else { throw GainProblem.changedFile }
        self.record = record
        bytes.removeSubrange(position.range)
    }

    var steps: Int { record?.steps ?? 0 }

    var hasPlace: Bool { position != nil }

    /// The bytes with the record.
    var stored: [UInt8] {
        guard let position, let record else { return bytes }
        var stored = bytes
        let offset = position.range.lowerBound
        stored.insert(contentsOf: position.serialized(record.serialized), at: offset)
        return stored
    }

    /// Returns the audio tracks; the gain changes the one that is read.
    func audioTracks() throws -> [AudioTrack] { try AccessUnitReader(FileInput(bytes: bytes, path: path)).metadata.audioTracks }

    /// Restores the original bytes.
    ///
    /// - Throws: ``GainProblem/changedFile`` if they are unknown.
    mutating func undo(_ progress: (MediaTime) -> Bool) throws {
        guard let record else { return }
        for replacement in record.replaced {
            let end = replacement.offset + replacement.bytes.count
            guard end <= bytes.count else { throw GainProblem.changedFile }
            bytes.replaceSubrange(replacement.offset..<end, with: replacement.bytes)
        }
        var patch = GainPatch(steps: -record.steps, exceptions: record.exceptions.map(\.reversed))
        do {
            try patch.apply(to: &bytes, path: path, progress)
        } catch is GainProblem {
            throw GainProblem.changedFile
        }
        guard record.isOriginal(bytes) else { throw GainProblem.changedFile }
        self.record = nil
    }

    /// Changes the gain, relative to the present one, and verifies that the change can be undone.
    ///
    /// If the file was changed after its gain, the record starts with the present bytes.
    ///
    /// - Returns: The scan of the original file.
    mutating func change(by steps: Int, isApproximate: Bool, _ progress: (MediaTime) -> Bool) throws -> GainScan {
        let present = self
        var total = steps + self.steps
        do {
            try undo { _ in true }
        } catch GainProblem.changedFile {
            (bytes, record, total) = (present.bytes, nil, steps)
        }
        let scan = try GainScan(bytes, path: path) { _ in true }
        guard total != 0 else { return scan }
        let range = scan.range(isApproximate: isApproximate)
        guard range.contains(total) else {
            throw GainProblem.outOfRange(gain: Double(total) * LosslessGain.step, possible: LosslessGain.decibels(range, scan.needsPairs))
        }
        let exceptions = scan.exceptions(total)
        if format != .loas, position == nil { throw GainProblem.noPlaceForRecord }
        let original = bytes
        let replaced = try LevelMetadata.adjust(&bytes, gaps: scan.gaps, gain: Double(total) * LosslessGain.step, path: path)
        var patch = GainPatch(steps: total, exceptions: exceptions)
        try patch.apply(to: &bytes, path: path, progress)
        let changed = bytes
        record = GainRecord(steps: total, exceptions: exceptions, replaced: replaced, original: original)
        let kept = record
        try undo { _ in true }
        (bytes, record) = (changed, kept)
        return scan
    }
}
