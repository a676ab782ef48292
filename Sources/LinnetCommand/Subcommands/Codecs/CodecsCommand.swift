// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import JSONText

/// `linnet codecs`: lists encoders and decoders.
enum CodecsCommand: Subcommand {
    static let name = "codecs"
    static let summary = "list encoders and decoders"
    static let usage = "[--rate HZ] [--channels N] [--json]"
    static let options = [
        CommandOption.rate.with(" for which bit rates are listed (default: 48000, or the nearest supported)"),
        CommandOption.channels.with(" for which bit rates are listed (default: 2, or 1 for mono codecs)"),
        .json,
    ]
    static let details = """
        Frame lengths and delays are in sample frames (Opus: at 48 kHz). Codecs whose library is not installed are marked.
        """
    static let examples = [
        (command: "linnet codecs", meaning: "all codecs, with the bit rates of stereo at 48 kHz"),
        (command: "linnet codecs --rate 44100 --channels 1 --json", meaning: "for programs, with the bit rates of mono at 44.1 kHz"),
    ]

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard arguments.operands.isEmpty else { throw arguments.failure("unexpected argument \(arguments.operands[0])") }
        let format = try (
            sampleRate: arguments.perSecond("rate", example: "48000"), channelCount: arguments.integer("channels", in: 1...8)
        )
        let entries = CodecRegistry().codecs.map { codec in
            CodecEntry(codec, sampleRate: format.sampleRate, channelCount: format.channelCount)
        }
        try StandardOutput.print(arguments.has("json") ? JSONValue.array(entries.map(\.json)).text() : text(entries))
        return .success
    }

    /// Returns the codecs as a table, encoders first.
    private static func text(_ entries: [CodecEntry]) -> String {
        var lines: [String] = []
        for kind in CodecDescription.Kind.allCases {
            if !lines.isEmpty { lines.append("") }
            let rows = [CodecEntry.heading(kind)] + entries.filter { $0.codec.kind == kind }.map(\.cells)
            let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
            lines += rows.map { row in
                let cells = row.indices.map { Format.padded(row[$0], to: -widths[$0]) }
                return trimmed(cells.joined(separator: "  "))
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns a line without trailing spaces.
    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }
}
