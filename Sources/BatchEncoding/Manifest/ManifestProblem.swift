// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

package enum ManifestProblem: Error, Hashable, Sendable {
    /// The line is not a JSON object. The text states the expected syntax and its position.
    case notJSON(String)
    /// The column or member `input` is missing or empty.
    case noInput
    /// The output is outside of the output folder.
    case outputElsewhere(String)
    /// A CSV quotation mark is not closed or misplaced.
    case quotationMark
    /// The number of fields differs from the header's.
    case fieldCount(found: Int, expected: Int)
    /// A member is not a string, number or Boolean.
    case unsupportedValue(name: String)
    /// The bytes are not UTF-8.
    case notUTF8
}

extension ManifestProblem: DescribedError {
    /// One clause of English text.
    package var description: String {
        switch self {
        case .notJSON(let expectation): "not a JSON object: \(expectation)"
        case .noInput: "no input"
        case .outputElsewhere(let path): "the output \(path) is not below the output folder"
        case .quotationMark: "a quotation mark is not closed, or inside an unquoted field"
        case .fieldCount(let found, let expected): "\(found) field\(found == 1 ? "" : "s"), but the header has \(expected)"
        case .unsupportedValue(let name): "\(name) is neither a string, a number nor true or false"
        case .notUTF8: "not UTF-8"
        }
    }
}
