// SPDX-License-Identifier: Apache-2.0

import BatchEncoding

extension FuzzTarget {
    /// Reads CSV records, as in a batch manifest.
    ///
    /// Line numbers increase, also across errors. Records survive a round trip with quoted fields.
    static let csv = FuzzTarget("csv") { bytes in
        let found = records(of: bytes)
        precondition(zip(found, found.dropFirst()).allSatisfy { $0.line < $1.line })
        let lineEnds = bytes.count { $0 == 0x0A }
        precondition(found.allSatisfy { $0.line <= lineEnds + 1 })
        let written = found.map { record in record.fields.map(quoted).joined(separator: ",") + "\r\n" }.joined()
        precondition(records(of: Array(written.utf8)).map(\.fields) == found.map(\.fields))
    }
}

/// Returns the records without errors.
private func records(of bytes: [UInt8]) -> [CSVReader.Record] {
    var reader = CSVReader(bytes)
    var records: [CSVReader.Record] = []
    while true {
        do throws(ManifestProblem) {
            guard let record = try reader.next() else { return records }
            records.append(record)
        } catch {
            continue
        }
    }
}

/// Returns a field in quotation marks.
private func quoted(_ field: String) -> String {
    "\"" + field.replacing("\"", with: "\"\"") + "\""
}
