// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
internal import PCMFiles

/// Decides from an output's record whether a file is up to date.
struct RecordCheck {
    let options: BatchOptions

    enum Decision {
        /// The file is up to date.
        case unchanged(BatchRecord)
        /// The file must be encoded.
        case encode(EncodingReason)
    }

    /// Compares input, output and settings with the record.
    ///
    /// - Throws: ``BatchError`` if contents cannot be read, ``/PCMFiles/AudioFileError`` if the output exists and is not from a batch.
    func decision(for file: BatchFile) throws -> Decision {
        switch BatchRecord.read(beside: file.output) {
        case .missing:
            guard !options.replaces, FileStamp(of: file.output) != nil else { return .encode(options.replaces ? .forced : .new) }
            throw AudioFileError(.outputExists, path: file.output)
        case .damaged: return .encode(options.replaces ? .forced : .output)
        case .intact(let record):
            if options.replaces { return .encode(.forced) }
            return try compare(file, record)
        }
    }

    private func compare(_ file: BatchFile, _ record: BatchRecord) throws(BatchError) -> Decision {
        if !options.acceptsOtherVersions, record.version != LinnetVersion.current { return .encode(.version) }
        if record.settings != file.recordedSettings { return .encode(.settings) }
        guard let input = try record.input.matching(file.input, readsAlways: options.readsAll) else { return .encode(.input) }
        guard let output = try record.output.matching(file.output, readsAlways: options.readsAll) else { return .encode(.output) }
        if options.verification != nil, !record.result.contains(where: { $0.name == "measures" }) { return .encode(.unverified) }
        if input != record.input || output != record.output {
            // Equal contents with different times, such as a copy's.
            var renewed = record
            (renewed.input, renewed.output) = (input, output)
            if !options.isDryRun { try renewed.write(beside: file.output) }
        }
        return .unchanged(record)
    }
}
