// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
public import PCMFiles
internal import SystemFiles

/// A report about the results of `linnet batch`: a table, and histograms of bit rates and noise-to-mask ratios.
public struct BatchReport: Sendable {
    private let page: BatchPage

    /// The number of bytes read at a time, and the maximum line length.
    private static let (readSize, lineLimit) = (1 << 18, 1 << 20)

    /// Reads results: one JSON object per line (Documentation/Guides/Batch.md).
    ///
    /// - Parameter path: The path; `-` is standard input.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read, or has no line with a result.
    public init(results path: String) throws(AudioFileError) {
        var results: [BatchRow] = []
        var unreadable = 0
        try AudioFileError.attempt(path) {
            let input = try FileInput(path: path)
            var line: [UInt8] = []
            var piece = try input.read(Self.readSize)
            while !piece.isEmpty {
                for byte in piece {
                    guard byte == UInt8(ascii: "\n") else {
                        if line.count <= Self.lineLimit { line.append(byte) }
                        continue
                    }
                    Self.record(line, &results, &unreadable)
                    line.removeAll(keepingCapacity: true)
                }
                piece = try input.read(Self.readSize)
            }
            Self.record(line, &results, &unreadable)
        }
        guard !results.isEmpty else { throw AudioFileError(.unsupportedInput(format: nil), path: path) }
        BatchOutliers.sort(&results)
        page = BatchPage(results: results, name: PathName.lastComponent(path), unreadableCount: unreadable)
    }

    /// Appends the result of a line, unless it is blank.
    private static func record(_ line: [UInt8], _ results: inout [BatchRow], _ unreadable: inout Int) {
        guard line.contains(where: { $0 > 0x20 }) else { return }
        if line.count <= lineLimit, let result = BatchRow(line: line) { results.append(result) } else { unreadable += 1 }
    }

    /// The HTML page.
    public var html: String { page.html }

    /// Returns whether a file starts with a JSON object, as results do.
    package static func isResults(_ path: String) -> Bool {
        guard path != "-", let input = try? FileInput(path: path), let start = try? input.peek(64) else { return false }
        return start.first { $0 > 0x20 } == UInt8(ascii: "{")
    }
}
