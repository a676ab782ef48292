// SPDX-License-Identifier: Apache-2.0

/// Splits comma-separated values (RFC 4180) into records.
///
/// Quoted fields may contain commas, newlines and doubled quotation marks. Lines end with LF or CR LF. Empty lines are skipped.
package struct CSVReader {
    /// A record and the number of its first line.
    package struct Record: Hashable {
        /// The line number, from 1.
        package var line: Int
        package var fields: [String]

        package init(line: Int, fields: [String]) {
            self.line = line
            self.fields = fields
        }
    }

    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1

    /// The first line of the latest record, valid or not.
    private(set) var recordLine = 1

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the next record, or `nil` at the end.
    package mutating func next() throws(ManifestProblem) -> Record? {
        while offset < bytes.count {
            recordLine = line
            let fields = try record()
            if fields.count > 1 || fields != [""] { return Record(line: recordLine, fields: fields) }
        }
        return nil
    }

    /// Reads the fields up to the end of the line.
    private mutating func record() throws(ManifestProblem) -> [String] {
        var fields: [String] = []
        while true {
            let content = offset < bytes.count && bytes[offset] == UInt8(ascii: "\"") ? try quoted() : plain()
            guard let text = String(validating: content, as: UTF8.self) else {
                skipLine()
                throw .notUTF8
            }
            fields.append(text)
            guard offset < bytes.count else { return fields }
            let separator = bytes[offset]
            offset += 1
            switch separator {
            case UInt8(ascii: ","): continue
            case UInt8(ascii: "\n"):
                line += 1
                return fields
            default:
                skipLine()
                throw .quotationMark
            }
        }
    }

    /// Reads an unquoted field, without the CR of the line end.
    private mutating func plain() -> ArraySlice<UInt8> {
        let start = offset
        while offset < bytes.count, ![UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\"")].contains(bytes[offset]) { offset += 1 }
        let isLineEnd = offset == bytes.count || bytes[offset] == UInt8(ascii: "\n")
        return isLineEnd && offset > start && bytes[offset - 1] == UInt8(ascii: "\r") ? bytes[start..<offset - 1] : bytes[start..<offset]
    }

    private mutating func quoted() throws(ManifestProblem) -> ArraySlice<UInt8> {
        var content: [UInt8] = []
        offset += 1
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            guard byte == UInt8(ascii: "\"") else {
                content.append(byte)
                continue
            }
            if offset < bytes.count, bytes[offset] == byte {
                content.append(byte)
                offset += 1
                continue
            }
            if bytes[offset...].starts(with: [0x0D, 0x0A]) { offset += 1 }
            return content[...]
        }
        throw .quotationMark
    }

    /// Skips the remainder of a line.
    private mutating func skipLine() {
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
        if offset < bytes.count { offset += 1 }
        line += 1
    }
}
