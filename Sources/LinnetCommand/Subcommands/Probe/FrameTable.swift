// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import PCMFiles

/// The table of access units, printed while a file is read.
struct FrameTable {
    /// The first line.
    static let heading = "  Num|     Profile| Frequency|  Channel| Size|"

    private let output: OutputFile?
    private var lines: [UInt8] = []
    private var number = 0

    /// Whether the table has no row yet.
    var isEmpty: Bool { number == 0 }

    init() { output = try? OutputFile(path: "-") }

    /// Returns the row of an access unit: number, profile, sample rate, channels, and size with header in bytes.
    static func row(number: Int, _ demuxed: DemuxedAccessUnit, _ configuration: CodecConfiguration) -> String {
        let columns = [
            (String(number), 5), (configuration.profileName, 12), ("\(configuration.coreSampleRate)Hz", 10),
            (configuration.channelCount.map(String.init) ?? "?", 9), (String(demuxed.byteRange.count), 5),
        ]
        return columns.map { Format.padded($0.0, to: $0.1) + "|" }.joined()
    }

    mutating func append(_ demuxed: DemuxedAccessUnit, _ configuration: CodecConfiguration) throws(AudioFileError) {
        if number == 0 { lines += Array((Self.heading + "\n").utf8) }
        lines += Array((Self.row(number: number, demuxed, configuration) + "\n").utf8)
        number += 1
        if lines.count > 32_768 { try flush() }
    }

    /// Adds lines after the last row.
    mutating func append(_ texts: [String]) throws(AudioFileError) {
        for text in texts { lines += Array((text + "\n").utf8) }
        if lines.count > 32_768 { try flush() }
    }

    mutating func flush() throws(AudioFileError) {
        try output?.write(lines)
        lines.removeAll(keepingCapacity: true)
    }
}
