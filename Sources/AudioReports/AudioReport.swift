// SPDX-License-Identifier: Apache-2.0

public import AudioFiles
internal import AudioLoudness
public import PCMFiles

/// A report about audio files: an HTML page, and its pictures as files.
///
/// ```swift
/// let report = try await AudioReport.make(of: [.file("song.m4a")])
/// let page = report.html
/// ```
///
/// The page is self-contained: it loads no fonts, scripts or other resources.
public struct AudioReport: Sendable {
    /// The settings of a report.
    public struct Configuration: Hashable, Sendable {
        /// The original signal, compared with all files; nil for none.
        public var reference: AudioFileInput?
        /// The requested bit rate, in bits per second, drawn with the actual bit rate; nil if unknown.
        public var targetBitRate: Int?
        /// The number of threads; nil for one per processor.
        public var threadCount: Int?

        /// Creates settings without a reference.
        public init() {}
    }

    private let page: FilePage

    /// Analyzes files on separate threads.
    ///
    /// - Parameters:
    ///   - inputs: PCM or encoded audio, at least one. Pipes are not supported, because each input is read several times.
    ///   - configuration: The reference, the requested bit rate and the number of threads.
    ///   - progress: Called on another thread with the path or name of each file before it is read; nil for none.
    /// - Throws: ``/PCMFiles/AudioFileError`` if a file cannot be read; ``/PCMFiles/AudioFileError/Code/cancelled`` if the task was
    ///   cancelled.
    public static func make(
        of inputs: [AudioFileInput], configuration: Configuration = Configuration(), progress: (@Sendable (String) -> Void)? = nil
    ) async throws(AudioFileError) -> AudioReport {
        try await BackgroundWork.run { isCancelled throws(AudioFileError) in
            try AudioReport(analyzing: inputs, configuration: configuration, isCancelled: isCancelled) { progress?($0) }
        }
    }

    /// Analyzes files on this thread and others.
    ///
    /// - Parameters:
    ///   - inputs: PCM or encoded audio, at least one, without pipes.
    ///   - progress: Called with the path or name of each file before it is read.
    package init(
        analyzing inputs: [AudioFileInput], configuration: Configuration = Configuration(),
        isCancelled: @escaping @Sendable () -> Bool = { false }, _ progress: (String) -> Void = { _ in }
    ) throws(AudioFileError) {
        precondition(!inputs.isEmpty, "a report needs a file")
        let threadCount = configuration.threadCount ?? WorkerThreads.processorCount
        var analyses: [FileAnalysis] = []
        for input in [configuration.reference].compactMap({ $0 }) + inputs {
            progress(input.name)
            var analysis = try FileAnalysis(input, threadCount: threadCount, isCancelled: isCancelled)
            if let reference = configuration.reference, let first = analyses.first {
                analysis.noise = try NoiseColumns(
                    reference: reference, test: input, grids: (first.signal.columns.grid, analysis.signal.columns.grid),
                    threadCount: threadCount, isCancelled: isCancelled)
            }
            analyses.append(analysis)
        }
        page = FilePage(
            files: analyses, hasReference: configuration.reference != nil, targetBitRate: configuration.targetBitRate)
    }

    /// The HTML page.
    public var html: String { page.html }

    /// Problems of the files that did not prevent reading, such as damage.
    public var warnings: [PCMFileWarning] { page.files.flatMap(\.signal.warnings) }

    /// Whether the page lacks the comparison of a file with the reference.
    package var lacksComparison: Bool { page.hasReference && page.files.dropFirst().contains { $0.noise == nil } }

    /// A line for each file that cannot be compared with the reference or is unrelated to it.
    package var comparisonProblems: [String] {
        guard page.hasReference else { return [] }
        return page.files.dropFirst().compactMap { file in
            guard let noise = file.noise else {
                return "cannot compare \(file.name) with the reference: another channel count, or no overlap"
            }
            return noise.isUnrelated ? "\(file.name) and the reference have nothing in common" : nil
        }
    }

    /// The pictures of all files as SVG, and color pictures also as PNG without axes: file names and contents.
    ///
    /// With several files, names start with the file number.
    public var pictures: [(name: String, bytes: [UInt8])] {
        var result: [(name: String, bytes: [UInt8])] = []
        for index in page.files.indices {
            let prefix = page.files.count > 1 ? "\(index + 1)-" : ""
            for figure in page.files[index].figures(targetBitRate: page.targetBitRate) {
                result.append((prefix + figure.name + ".svg", Array(figure.document.utf8)))
                if let image = figure.image { result.append((prefix + figure.name + ".png", image.serialized)) }
            }
        }
        return result
    }
}
