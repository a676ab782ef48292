// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
internal import PCMFiles

/// Decides by the record of an output whether its file is done.
struct RecordCheck {
    /// The options of the batch.
    let options: BatchOptions

    /// The work that is left for a file.
    enum Decision {
        /// Nothing: it is done.
        case unchanged(BatchRecord)
        /// It is encoded.
        case encode(EncodingReason)
    }

    /// Compares input, output and settings with the record.
    ///
    /// - Throws: ``BatchError`` if contents can't be read, ``/PCMFiles/AudioFileError`` if the output exists and was not made by a batch.
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

    /// Compares a file with its record.
    private func compare(_ file: BatchFile, _ record: BatchRecord) throws(BatchError) -> Decision {
        if !options.acceptsOtherVersions, record.version != LinnetVersion.current { return .encode(.version) }
        if record.settings != file.settings.description { return .encode(.settings) }
        guard let input = try record.input.matching(file.input, readsAlways: options.readsAll) else { return .encode(.input) }
        guard let output = try record.output.matching(file.output, readsAlways: options.readsAll) else { return .encode(.output) }
        if options.verification != nil, !record.result.contains(where: { $0.name == "measures" }) { return .encode(.unverified) }
        if input != record.input || output != record.output {
            // The same contents with other times, such as those of a copy.
            var renewed = record
            (renewed.input, renewed.output) = (input, output)
            if !options.isDryRun { try renewed.write(beside: file.output) }
        }
        return .unchanged(record)
    }
}
