// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles

extension BatchEncoder {
    /// Encodes segments of all files, one file at a time, into ``BatchOptions/segmentFolder``, together with other processes.
    ///
    /// Afterwards ``run(_:)`` with the same folder writes the outputs.
    ///
    /// - Parameter report: Called with each file that cannot be divided or has failed.
    package func contribute(_ report: (BatchResult) -> Void) {
        guard let folder = options.segmentFolder else { return }
        let threadCount = options.threadCount(processors: WorkerThreads.processorCount, fileLimit: Self.fileLimit)
        for file in files where !isStopping {
            do {
                if let problem = file.problem { throw problem }
                if case .unchanged = try RecordCheck(options: options).decision(for: file) { continue }
                var converter = file.converter(file.settings.configuration)
                let segmentFolder = file.segmentFolder(in: folder)
                try BatchError.creatingFolder(segmentFolder)
                converter.segmentFolder = segmentFolder
                _ = try converter.contribute(threadCount: threadCount) { [self] in isStopping }
            } catch {
                report(BatchResult(input: file.input, output: file.output, outcome: .failed(.encode, error)))
            }
        }
    }
}
