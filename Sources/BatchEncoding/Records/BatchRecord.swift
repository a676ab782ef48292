// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
package import JSONText
internal import PCMFiles
internal import SystemFiles
internal import SystemLibrary

/// The record next to an output: its input, settings, Linnet version and result.
///
/// It is written completely before the output gets its final name. An output without a record is therefore not from a batch, and a record
/// whose output is missing or differs is from an interrupted encoding.
package struct BatchRecord: Sendable {
    var version = LinnetVersion.current
    package var settings: JSONValue
    package var input: RecordedFile
    var output: RecordedFile
    /// The members of the result that measure the output, in order.
    var result: [JSONMember]

    package init(
        version: String = LinnetVersion.current, settings: JSONValue, input: RecordedFile, output: RecordedFile, result: [JSONMember]
    ) {
        self.version = version
        self.settings = settings
        self.input = input
        self.output = output
        self.result = result
    }

    /// The version of the record format.
    private static let format = 1

    package static func path(of output: String) -> String { output + ".linnet.json" }

    /// The serialized record.
    package var text: String {
        JSONValue.object([
            ("linnetRecord", .integer(Self.format)), ("version", .string(version)), ("settings", settings), ("input", input.json),
            ("output", output.json), ("result", .object(result)),
        ]).text() + "\n"
    }

    /// Writes the record next to its output, atomically.
    package func write(beside output: String) throws(BatchError) {
        try BatchError.writing(text, to: Self.path(of: output))
    }

    /// The result of reading a record.
    package enum StoredRecord {
        /// The record does not exist.
        case missing
        /// The record cannot be read or parsed.
        case damaged
        /// The record is valid.
        case intact(BatchRecord)
    }

    package static func read(beside output: String) -> StoredRecord {
        let bytes: [UInt8]
        do throws(SystemFileError) {
            let file = try OpenFile(reading: path(of: output))
            guard let size = try file.status().byteCount, size <= maximumSize else { return .damaged }
            bytes = try file.bytes(in: 0..<size)
        } catch {
            return error == .cannotOpen(code: ENOENT) ? .missing : .damaged
        }
        guard let json = try? JSONValue(parsing: bytes), json["linnetRecord"]?.integer == format, let version = json["version"]?.text,
            let settings = json["settings"], let input = RecordedFile(json["input"]), let file = RecordedFile(json["output"]),
            let result = json["result"]?.members
        else { return .damaged }
        return .intact(BatchRecord(version: version, settings: settings, input: input, output: file, result: result))
    }

    private static let maximumSize = 1 << 20
}
