// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// A problem in a line of a manifest.
package enum ManifestProblem: Error, Hashable, Sendable {
    /// The line is no JSON object; the text says what is expected where.
    case notJSON(String)
    /// There is no column or member `input`, or it is empty.
    case noInput
    /// A quotation mark of CSV is not closed, or in the wrong place.
    case quotationMark
    /// The line has another number of fields than the header.
    case fieldCount(found: Int, expected: Int)
    /// A member is neither a string, a number nor a truth value.
    case unsupportedValue(name: String)
    /// The bytes are not UTF-8.
    case notUTF8
}

extension ManifestProblem: DescribedError {
    /// One clause for people.
    package var description: String {
        switch self {
        case .notJSON(let expectation): "not a JSON object: \(expectation)"
        case .noInput: "no input"
        case .quotationMark: "a quotation mark is not closed, or inside an unquoted field"
        case .fieldCount(let found, let expected): "\(found) fields, and the header has \(expected)"
        case .unsupportedValue(let name): "\(name) is neither a string, a number nor true or false"
        case .notUTF8: "not UTF-8"
        }
    }
}
