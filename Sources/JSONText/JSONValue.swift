// SPDX-License-Identifier: Apache-2.0

package typealias JSONMember = (name: String, value: JSONValue)

/// A JSON value.
///
/// Object members keep their order.
package indirect enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// Rounds a number to `digits` decimal places.
    ///
    /// Returns null for infinities and NaN.
    package static func rounded(_ value: Double, digits: Int) -> JSONValue {
        guard value.isFinite else { return .null }
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        return .number(abs(value) < 1e15 / scale ? (value * scale).rounded() / scale : value)
    }

    /// Returns the text on several lines, indented by two spaces per level.
    ///
    /// Arrays of scalars stay on one line.
    package func text(indent: String = "") -> String { written(indent) }

    /// The text on one line.
    package var line: String { written(nil) }

    /// Returns the text with an indentation, or on one line if `indent` is `nil`.
    private func written(_ indent: String?) -> String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .integer(let value): return String(value)
        case .number(let value): return value.isFinite ? Self.shortest(value) : "null"
        case .string(let value): return Self.quoted(value)
        case .array(let values):
            let indent = values.allSatisfy(\.isScalar) ? nil : indent
            return Self.list(values.map { $0.written(indent.map { $0 + "  " }) }, "[", "]", indent)
        case .object(let members):
            let parts = members.map { Self.quoted($0.name) + ": " + $0.value.written(indent.map { $0 + "  " }) }
            return Self.list(parts, "{", "}", indent)
        }
    }

    /// Returns the shortest decimal text that parses to the same number, without `.0` for integers.
    private static func shortest(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }

    /// Whether the value is neither an array nor an object.
    private var isScalar: Bool { elements == nil && members == nil }

    /// Joins members or elements between brackets, one per line if there is an indentation.
    private static func list(_ parts: [String], _ open: String, _ close: String, _ indent: String?) -> String {
        guard let indent, !parts.isEmpty else { return open + parts.joined(separator: ", ") + close }
        return open + "\n" + parts.map { indent + "  " + $0 }.joined(separator: ",\n") + "\n" + indent + close
    }

    /// Returns a string literal (RFC 8259, section 7).
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            default:
                if scalar.value < 0x20 || scalar.value == 0x7F {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}

/// Access to parsed values. Each property is `nil` for values of another kind.
extension JSONValue {
    /// The last member with this name, if the value is an object.
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    package var members: [JSONMember]? { if case .object(let members) = self { members } else { nil } }

    package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    package var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The value of a number without a fraction.
    package var integer: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
}

/// Objects are equal if they have the same members in the same order.
extension JSONValue: Equatable {
    /// Compares the texts of two values.
    package static func == (left: JSONValue, right: JSONValue) -> Bool { left.line == right.line }
}
