// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import AudioFiles
import MPEG4Audio

/// The table of all access units, printed while a file is read.
struct FrameTable {
    static let heading = "  Num|     Profile| Frequency|  Channel| Size|"

    private let output: OutputFile?
    private var lines: [UInt8] = []
    private var number = 0

    init() { output = try? OutputFile(path: "-") }

    /// The row of one unit: number, profile, rate, channels, and its bytes with the header.
    static func row(number: Int, _ unit: CodedUnit, _ configuration: AudioSpecificConfig) -> String {
        let columns = [
            (String(number), 5), (configuration.profileName, 12), ("\(configuration.sampleRate)Hz", 10),
            (configuration.channelCount.map(String.init) ?? "?", 9), (String(unit.byteRange.count), 5),
        ]
        return columns.map { Format.padded($0.0, to: $0.1) + "|" }.joined()
    }

    mutating func append(_ unit: CodedUnit, _ configuration: AudioSpecificConfig) throws(OutputError) {
        if number == 0 { lines += Array((Self.heading + "\n").utf8) }
        lines += Array((Self.row(number: number, unit, configuration) + "\n").utf8)
        number += 1
        if lines.count > 32_768 { try flush() }
    }

    /// Adds lines below the last row.
    mutating func append(_ texts: [String]) throws(OutputError) {
        for text in texts { lines += Array((text + "\n").utf8) }
        if lines.count > 32_768 { try flush() }
    }

    mutating func finish() throws(OutputError) { try flush() }

    private mutating func flush() throws(OutputError) {
        try output?.write(lines)
        lines.removeAll(keepingCapacity: true)
    }
}
