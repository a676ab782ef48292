// SPDX-License-Identifier: Apache-2.0

package struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The number of bytes before the error.
    package let offset: Int
    /// The syntax element that the text should have there.
    package let expected: String
}

extension JSONSyntaxError: CustomStringConvertible {
    package var description: String { "byte \(offset + 1) should be \(expected)" }
}

extension JSONValue {
    /// Parses UTF-8 text that contains one value (RFC 8259).
    ///
    /// Integers that fit become ``JSONValue/integer(_:)``, other numbers ``JSONValue/number(_:)``. Object members keep their order, even
    /// duplicates.
    ///
    /// - Throws: ``JSONSyntaxError``, also for more than 64 levels, numbers out of range, and invalid UTF-8.
    package init(parsing bytes: some Sequence<UInt8>) throws(JSONSyntaxError) {
        var parser = JSONParser(Array(bytes))
        self = try parser.parse()
    }
}

/// A parser for UTF-8 JSON text.
struct JSONParser {
    private let bytes: [UInt8]
    private var offset = 0

    /// The maximum nesting depth of arrays and objects.
    private static let depthLimit = 64
    /// The literal names and their values.
    private static let words: [(String, JSONValue)] = [("true", .bool(true)), ("false", .bool(false)), ("null", .null)]
    /// Escape characters, except `u`, and the characters that they represent.
    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
    ]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func parse() throws(JSONSyntaxError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard offset == bytes.count else { throw expected("the end") }
        return value
    }

    /// The next byte; `nil` at the end.
    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func expected(_ what: String) -> JSONSyntaxError { JSONSyntaxError(offset: offset, expected: what) }

    /// Skips spaces, tabs and line ends.
    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth < Self.depthLimit else { throw expected("a value on one of \(Self.depthLimit) levels") }
        if skip("{") { return .object(try members(depth: depth)) }
        if skip("[") { return .array(try elements(depth: depth)) }
        if next == UInt8(ascii: "\"") { return .string(try string()) }
        for (word, value) in Self.words where bytes[offset...].starts(with: word.utf8) {
            offset += word.utf8.count
            return value
        }
        return try number()
    }

    /// Parses the members of an object, after the opening brace.
    private mutating func members(depth: Int) throws(JSONSyntaxError) -> [JSONMember] {
        var members: [JSONMember] = []
        if skip("}") { return members }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw expected("the name of a member") }
            let name = try string()
            guard skip(":") else { throw expected("a colon") }
            members.append((name, try value(depth: depth + 1)))
        } while skip(",")
        guard skip("}") else { throw expected("a comma or a closing brace") }
        return members
    }

    /// Parses the elements of an array, after the opening bracket.
    private mutating func elements(depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
        var elements: [JSONValue] = []
        if skip("]") { return elements }
        repeat { elements.append(try value(depth: depth + 1)) } while skip(",")
        guard skip("]") else { throw expected("a comma or a closing bracket") }
        return elements
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = offset
        if next == UInt8(ascii: "-") { offset += 1 }
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[offset - whole] != UInt8(ascii: "0") else {
            offset = start
            throw expected("a value")
        }
        var isInteger = true
        if next == UInt8(ascii: ".") {
            offset += 1
            isInteger = false
            guard digits() > 0 else { throw expected("a digit") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            offset += 1
            isInteger = false
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            guard digits() > 0 else { throw expected("a digit") }
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isInteger, let value = Int(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else {
            offset = start
            throw expected("a number in the range of 64-bit floating point")
        }
        return .number(value)
    }

    /// Skips decimal digits and returns their number.
    private mutating func digits() -> Int {
        let start = offset
        while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
        return offset - start
    }

    /// Parses a string, including its quotation marks.
    private mutating func string() throws(JSONSyntaxError) -> String {
        let start = offset
        offset += 1
        var content: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                guard let text = String(validating: content, as: UTF8.self) else {
                    offset = start
                    throw expected("a string of UTF-8")
                }
                return text
            case UInt8(ascii: "\\"):
                offset += 1
                content += try escaped()
            case ..<0x20: throw expected("a character other than a control character")
            default:
                content.append(byte)
                offset += 1
            }
        }
        throw expected("a closing quotation mark")
    }

    /// Parses an escape sequence after its backslash and returns the UTF-8 of its character.
    private mutating func escaped() throws(JSONSyntaxError) -> [UInt8] {
        guard let byte = next else { throw expected("an escaped character") }
        offset += 1
        if let character = Self.escapes[Unicode.Scalar(byte)] { return [UInt8(ascii: character)] }
        guard byte == UInt8(ascii: "u") else {
            offset -= 1
            throw expected("an escaped character")
        }
        var code = try hexadecimal()
        if (0xD800..<0xDC00).contains(code), bytes[offset...].starts(with: [0x5C, 0x75]) {
            offset += 2
            let low = try hexadecimal()
            guard (0xDC00..<0xE000).contains(low) else { throw expected("the second half of a surrogate pair before this") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw expected("a whole surrogate pair before this") }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw expected("a hexadecimal digit")
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }
}
