// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SystemFiles

/// A list of files to encode: CSV with a header or JSON lines, with settings for each file, or plain text with one path per line.
///
/// The columns or members are `input`, `output` and any settings. In CSV, an empty field omits its setting. In JSON, `true` sets an option
/// without a value; `false` and `null` omit it.
package struct Manifest: Sendable {
    /// The entries, in line order.
    package private(set) var entries: [ManifestEntry] = []
    /// The errors of invalid lines.
    package private(set) var errors: [BatchError] = []

    package static let fileExtensions: Set = ["csv", "jsonl", "ndjson", "txt", "m3u"]

    /// Reads a manifest.
    ///
    /// - Parameter path: The file, in the form of its extension; `-` for standard input, in the form of its first line.
    /// - Throws: ``BatchError`` if it cannot be read, or is CSV without `input` in its header.
    package init(path: String) throws(BatchError) {
        var bytes = try BatchError.reading(path) { () throws(SystemFileError) in try FileInput(path: path).readAll() }
        // Spreadsheet programs and text editors write a byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let name = path == "-" ? "standard input" : path
        switch path == "-" ? Self.form(of: bytes) : PathName.fileExtension(path) {
        case "csv": try readCSV(bytes, name)
        case "txt", "m3u": readPaths(bytes)
        default: readLines(bytes, name)
        }
    }

    /// Returns the extension for the form of a list: JSON lines start with a brace, and CSV with a header that has `input`.
    private static func form(of bytes: [UInt8]) -> String {
        if bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") { return "jsonl" }
        var reader = CSVReader(bytes)
        return (try? reader.next())?.fields.contains("input") == true ? "csv" : "txt"
    }

    /// Reads one path per line, except on empty lines and comments (`#`).
    private mutating func readPaths(_ bytes: [UInt8]) {
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let path = line.last == 0x0D ? line.dropLast() : line
            guard let first = path.first, first != UInt8(ascii: "#") else { continue }
            entries.append(ManifestEntry(line: index + 1, input: (Array(path) + [0]).withUnsafeBufferPointer(Self.path)))
        }
    }

    /// Returns the path of bytes that end with a zero.
    private static func path(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        bytes.withMemoryRebound(to: CChar.self) { $0.baseAddress.map { PathName.decoding($0) } ?? "" }
    }

    /// Reads CSV with a header.
    private mutating func readCSV(_ bytes: [UInt8], _ path: String) throws(BatchError) {
        var reader = CSVReader(bytes)
        let header: CSVReader.Record?
        do throws(ManifestProblem) {
            header = try reader.next()
        } catch {
            throw .invalidManifest(path: path, line: reader.recordLine, problem: error)
        }
        guard let names = header?.fields, let input = names.firstIndex(of: "input") else {
            throw .invalidManifest(path: path, line: reader.recordLine, problem: .noInput)
        }
        while true {
            do throws(ManifestProblem) {
                guard let record = try reader.next() else { return }
                entries.append(try Self.entry(record, names: names, input: input))
            } catch {
                errors.append(.invalidManifest(path: path, line: reader.recordLine, problem: error))
            }
        }
    }

    private static func entry(_ record: CSVReader.Record, names: [String], input: Int) throws(ManifestProblem) -> ManifestEntry {
        guard record.fields.count == names.count else { throw .fieldCount(found: record.fields.count, expected: names.count) }
        guard !record.fields[input].isEmpty else { throw .noInput }
        var entry = ManifestEntry(line: record.line, input: record.fields[input])
        for (name, value) in zip(names, record.fields) where !value.isEmpty && name != "input" {
            if name == "output" { entry.output = value } else { entry.settings.append(.init(name: name, value: value)) }
        }
        return entry
    }

    private mutating func readLines(_ bytes: [UInt8], _ path: String) {
        var line = 0
        for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            line += 1
            if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            do throws(ManifestProblem) {
                entries.append(try Self.entry(text, line: line))
            } catch {
                errors.append(.invalidManifest(path: path, line: line, problem: error))
            }
        }
    }

    private static func entry(_ text: ArraySlice<UInt8>, line: Int) throws(ManifestProblem) -> ManifestEntry {
        let json: JSONValue
        do throws(JSONSyntaxError) { json = try JSONValue(parsing: text) } catch { throw .notJSON(error.description) }
        guard let members = json.members else { throw .notJSON("byte 1 should be an opening brace") }
        guard let input = json["input"]?.text, !input.isEmpty else { throw .noInput }
        var entry = ManifestEntry(line: line, input: input)
        for (name, value) in members where name != "input" {
            guard let text = try setting(value, name: name) else { continue }
            if name == "output" { entry.output = text } else { entry.settings.append(.init(name: name, value: text)) }
        }
        return entry
    }

    /// Returns the text of a setting, or `nil` if it is omitted.
    private static func setting(_ value: JSONValue, name: String) throws(ManifestProblem) -> String? {
        switch value {
        case .string(let text): return text
        case .integer, .number: return value.line
        case .bool(let isSet): return isSet ? "" : nil
        case .null: return nil
        case .array, .object: throw .unsupportedValue(name: name)
        }
    }
}
