// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Access to parsed values; nil where a value is of another kind.
extension JSONValue {
    /// Returns the last member of an object with this name.
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// The members of an object.
    package var members: [JSONMember]? { if case .object(let members) = self { members } else { nil } }

    /// The elements of an array.
    package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The text of a string.
    package var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The value of a number without a fraction.
    package var integer: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The value of any number.
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
    /// Whether two values have the same text.
    package static func == (left: JSONValue, right: JSONValue) -> Bool { left.line == right.line }
}
