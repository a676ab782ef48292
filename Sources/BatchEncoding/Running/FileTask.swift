// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
internal import AudioMeasures
internal import JSONText
internal import PCMFiles
internal import SystemFiles

/// Encodes one file of a batch: checksum, encoder, verification, record.
struct FileTask {
    let file: BatchFile
    let reason: EncodingReason
    let options: BatchOptions
    /// The maximum number of threads.
    let threadCount: Int
    /// Processors that become free.
    let budget: ThreadBudget

    /// Encodes the file.
    ///
    /// - Parameter progress: Called repeatedly. Returns false to abort.
    func run(_ progress: (ConversionProgress) -> Bool) -> BatchResult {
        let start = ContinuousClock.now
        var step = BatchStep.open
        var measures: [JSONMember] = []
        var result = BatchResult(input: file.input, output: file.output, outcome: .done(reason))
        do {
            guard let stamp = FileStamp(of: file.input) else { throw AudioFileError(.cannotOpen(systemCode: 2), path: file.input) }
            step = .read
            let input = RecordedFile(stamp, sha256: try SHA256.hash(ofFile: file.input))
            var failure: (any Error)?
            step = .encode
            var converter = file.converter(configuration)
            converter.threadBudget = budget
            // Only files that other runs contribute to have a folder.
            converter.segmentFolder = options.segmentFolder.map(file.segmentFolder).flatMap { Folder.exists($0) ? $0 : nil }
            /// Verifies and records the complete output.
            func check(_ path: String?, _ summary: ConversionSummary) throws(AudioFileError) {
                do {
                    let checked = try self.check(path, converter, summary, &step)
                    step = .record
                    guard FileStamp(of: file.input) == stamp else { throw BatchError.inputChanged(path: file.input) }
                    measures = try record(path, input, summary, checked, since: start)
                    step = .write
                } catch {
                    failure = error
                    throw AudioFileError(.cancelled, path: file.output)
                }
            }
            do { _ = try converter.run(progress, check: check) } catch { throw failure ?? error }
            result.measures = measures
        } catch {
            result.outcome = Self.outcome(error, in: step)
        }
        return result
    }

    /// The encoder's settings.
    ///
    /// Overwriting is allowed because ``RecordCheck`` has decided it.
    private var configuration: FileConverterConfiguration {
        var configuration = file.settings.configuration
        configuration.overwrites = true
        configuration.threadCount = threadCount
        configuration.album = file.album?.loudness
        return configuration
    }

    private static func outcome(_ error: any Error, in step: BatchStep) -> BatchResult.Outcome {
        guard let error = error as? AudioFileError else { return .failed(step, error) }
        switch error.code {
        case .cancelled, .interrupted: return .interrupted
        case .cannotOpen, .inputIsDirectory, .unsupportedInput, .foreignInput, .unsupportedCodec, .noAccessUnits,
            .libraryMissing:
            return .failed(step == .verify ? .verify : .open, error)
        case .cannotRead, .damagedInput: return .failed(step == .verify ? .verify : .read, error)
        case .outputExists, .outputIsDirectory, .outputIsInput, .cannotCreate, .noSpace, .brokenPipe, .cannotWrite:
            return .failed(.write, error)
        default: return .failed(step, error)
        }
    }

    /// Decodes and verifies the output, if requested.
    ///
    /// - Throws: ``BatchError`` if length, damage or noise do not meet the requirements.
    private func check(
        _ path: String?, _ converter: FileConverter, _ summary: ConversionSummary, _ step: inout BatchStep
    ) throws -> EncodedFileMeasures? {
        guard let verification = options.verification, let path else { return nil }
        step = .verify
        let measures = try EncodedFileMeasures(of: path, by: converter, summary)
        guard measures.damagedUnitCount == 0 else {
            throw BatchError.outputDamaged(output: file.output, unitCount: measures.damagedUnitCount)
        }
        guard measures.frameCount == measures.expectedFrameCount else {
            throw BatchError.lengthDiffers(output: file.output, expected: measures.expectedFrameCount, found: measures.frameCount)
        }
        if let limit = verification.noiseLimit, let noise = measures.noiseToMaskRatio, noise.mean > limit {
            throw BatchError.noiseAboveLimit(output: file.output, found: noise.mean, limit: limit)
        }
        return measures
    }

    /// Writes the record.
    ///
    /// - Returns: The members of the result.
    private func record(
        _ path: String?, _ input: RecordedFile, _ summary: ConversionSummary, _ checked: EncodedFileMeasures?,
        since start: ContinuousClock.Instant
    ) throws(BatchError) -> [JSONMember] {
        guard let path, let stamp = FileStamp(of: path) else { throw .cannotRead(path: file.output, code: 2) }
        let output = RecordedFile(stamp, sha256: try SHA256.hash(ofFile: path))
        let members = ResultMeasures(input: input, output: output, summary: summary, checked: checked)
            .members(elapsed: ContinuousClock.now - start)
        try BatchRecord(settings: file.recordedSettings, input: input, output: output, result: members).write(beside: file.output)
        return members
    }
}
