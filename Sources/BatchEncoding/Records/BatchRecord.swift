// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
package import JSONText
internal import PCMFiles
internal import SystemFiles
internal import SystemLibrary

/// The record beside an output: what it was made of, by which program, with which settings, and the result.
///
/// It is written completely before the output gets its name. So an output without its record was not made by a batch, and a record whose
/// output is missing or differs is one of an encoding that was cut off.
package struct BatchRecord: Sendable {
    /// The version of Linnet.
    var version = LinnetVersion.current
    /// The encoder's settings.
    package var settings: JSONValue
    /// The input.
    package var input: RecordedFile
    /// The output.
    var output: RecordedFile
    /// The members of the result that measure the output, in order.
    var result: [JSONMember]

    /// Creates a value from its parts.
    package init(
        version: String = LinnetVersion.current, settings: JSONValue, input: RecordedFile, output: RecordedFile, result: [JSONMember]
    ) {
        self.version = version
        self.settings = settings
        self.input = input
        self.output = output
        self.result = result
    }

    /// The version of the record's format.
    private static let format = 1

    /// Returns the path of the record of an output.
    package static func path(of output: String) -> String { output + ".linnet.json" }

    /// The text of the record.
    package var text: String {
        JSONValue.object([
            ("linnetRecord", .integer(Self.format)), ("version", .string(version)), ("settings", settings), ("input", input.json),
            ("output", output.json), ("result", .object(result)),
        ]).text() + "\n"
    }

    /// Writes the record beside its output, in one step.
    package func write(beside output: String) throws(BatchError) {
        try BatchError.writing(text, to: Self.path(of: output))
    }

    /// A record as it was found.
    package enum Found {
        /// There is none.
        case missing
        /// It can't be read or understood.
        case damaged
        /// It is intact.
        case intact(BatchRecord)
    }

    /// Reads the record of an output.
    package static func read(beside output: String) -> Found {
        let bytes: [UInt8]
        do throws(SystemFileError) {
            let file = try OpenFile(reading: path(of: output))
            guard let size = try file.status().byteCount, size <= largestSize else { return .damaged }
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

    /// The largest size of a record, in bytes.
    private static let largestSize = 1 << 20
}
