// SPDX-License-Identifier: Apache-2.0

/// An Action Message Format value, version 0 (Adobe, *Action Message Format – AMF 0*, 2007).
package indirect enum AMF0Value: Hashable, Sendable {
    case number(Double)
    case boolean(Bool)
    case string(String)
    /// An object with ordered properties.
    case object([Property])
    /// An associative array with ordered elements.
    case associativeArray([Property])
    /// An array without keys.
    case strictArray([AMF0Value])
    /// A time, in milliseconds since 1970.
    case date(Double)
    case null
    /// Undefined, or marked as unsupported.
    case undefined

    package struct Property: Hashable, Sendable {
        package var name: String
        package var value: AMF0Value

        package init(_ name: String, _ value: AMF0Value) {
            self.name = name
            self.value = value
        }
    }

    package var text: String? { if case .string(let text) = self { text } else { nil } }

    package var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// The value of a named property of an object or associative array, if any.
    package subscript(name: String) -> AMF0Value? {
        switch self {
        case .object(let properties), .associativeArray(let properties): properties.first { $0.name == name }?.value
        default: nil
        }
    }
}

// MARK: Writing

extension AMF0Value {
    /// The type markers (2.1).
    fileprivate enum Marker: UInt8 {
        case number = 0
        case boolean = 1
        case string = 2
        case object = 3
        case null = 5
        case undefined = 6
        case associativeArray = 8
        case objectEnd = 9
        case strictArray = 10
        case date = 11
        case longString = 12
        case unsupported = 13
    }

    package func write(to bytes: inout [UInt8]) {
        switch self {
        case .number(let number):
            bytes.append(Marker.number.rawValue)
            bytes.append(bigEndian: number.bitPattern, byteCount: 8)
        case .boolean(let isTrue): bytes += [Marker.boolean.rawValue, isTrue ? 1 : 0]
        case .string(let text): Self.write(text, to: &bytes)
        case .object(let properties):
            bytes.append(Marker.object.rawValue)
            Self.write(properties, to: &bytes)
        case .associativeArray(let properties):
            bytes.append(Marker.associativeArray.rawValue)
            bytes.append(bigEndian: properties.count, byteCount: 4)
            Self.write(properties, to: &bytes)
        case .strictArray(let values):
            bytes.append(Marker.strictArray.rawValue)
            bytes.append(bigEndian: values.count, byteCount: 4)
            for value in values { value.write(to: &bytes) }
        case .date(let milliseconds):
            bytes.append(Marker.date.rawValue)
            bytes.append(bigEndian: milliseconds.bitPattern, byteCount: 8)
            // The time zone is reserved and 0.
            bytes += [0, 0]
        case .null: bytes.append(Marker.null.rawValue)
        case .undefined: bytes.append(Marker.undefined.rawValue)
        }
    }

    /// Appends a string.
    ///
    /// Uses a 32-bit length if 16 bits are too few.
    private static func write(_ text: String, to bytes: inout [UInt8]) {
        let characters = Array(text.utf8)
        let isLong = characters.count > 65_535
        bytes.append(isLong ? Marker.longString.rawValue : Marker.string.rawValue)
        bytes.append(bigEndian: characters.count, byteCount: isLong ? 4 : 2)
        bytes += characters
    }

    /// Appends properties and their end marker.
    ///
    /// Truncates names to 65 535 bytes.
    private static func write(_ properties: [Property], to bytes: inout [UInt8]) {
        for property in properties {
            let name = Array(property.name.utf8.prefix(65_535))
            bytes.append(bigEndian: name.count, byteCount: 2)
            bytes += name
            property.value.write(to: &bytes)
        }
        bytes += [0, 0, Marker.objectEnd.rawValue]
    }
}

// MARK: Reading

package struct AMF0Reader {
    /// The maximum nesting depth of objects and arrays.
    private static let depthLimit = 16

    private var rest: ArraySlice<UInt8>

    /// Returns the values of a message, up to the first malformed one.
    package static func values(_ bytes: [UInt8]) -> [AMF0Value] {
        var reader = AMF0Reader(rest: bytes[...])
        var values: [AMF0Value] = []
        while let value = reader.next(depth: 0) { values.append(value) }
        return values
    }

    /// Returns the next value at nesting level `depth`; `nil` at the end, and for a malformed or unsupported value.
    private mutating func next(depth: Int) -> AMF0Value? {
        guard depth < Self.depthLimit, let byte = rest.removeFirst(bigEndian: 1), let marker = AMF0Value.Marker(rawValue: UInt8(byte))
        else { return nil }
        switch marker {
        case .number: return rest.removeFirst(bigEndian: 8).map { .number(Double(bitPattern: $0)) }
        case .boolean: return rest.removeFirst(bigEndian: 1).map { .boolean($0 != 0) }
        case .string: return text(lengthByteCount: 2).map { .string($0) }
        case .longString: return text(lengthByteCount: 4).map { .string($0) }
        case .object: return properties(depth: depth).map { .object($0) }
        case .associativeArray:
            // The count is only a hint: the elements end with a marker, as in an object.
            guard rest.removeFirst(bigEndian: 4) != nil else { return nil }
            return properties(depth: depth).map { .associativeArray($0) }
        case .strictArray: return array(depth: depth).map { .strictArray($0) }
        case .date:
            guard let time = rest.removeFirst(bigEndian: 8), rest.removeFirst(bigEndian: 2) != nil else { return nil }
            return .date(Double(bitPattern: time))
        case .null: return .null
        case .undefined, .unsupported: return .undefined
        case .objectEnd: return nil
        }
    }

    private mutating func array(depth: Int) -> [AMF0Value]? {
        guard let count = rest.removeFirst(bigEndian: 4) else { return nil }
        var values: [AMF0Value] = []
        // Each element has at least one byte, so an invalid count ends with the data.
        for _ in 0..<count {
            guard let value = next(depth: depth + 1) else { return nil }
            values.append(value)
        }
        return values
    }

    /// Returns properties up to the end marker.
    private mutating func properties(depth: Int) -> [AMF0Value.Property]? {
        var properties: [AMF0Value.Property] = []
        while let name = text(lengthByteCount: 2) {
            if name.isEmpty, rest.first == AMF0Value.Marker.objectEnd.rawValue {
                rest.removeFirst()
                return properties
            }
            guard let value = next(depth: depth + 1) else { return nil }
            properties.append(AMF0Value.Property(name, value))
        }
        return nil
    }

    /// Returns a length-prefixed text.
    private mutating func text(lengthByteCount: Int) -> String? {
        guard let length = rest.removeFirst(bigEndian: lengthByteCount), length <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return String(decoding: rest.prefix(Int(length)), as: UTF8.self)
    }
}
