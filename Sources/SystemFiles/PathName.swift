// SPDX-License-Identifier: Apache-2.0

/// The parts of a path.
package enum PathName {
    /// The byte between the parts; a character can begin with it, where a name begins with a combining mark.
    private static let slash = UInt8(ascii: "/")

    /// Returns the name of an input in messages.
    package static func inputName(_ path: String) -> String { path == "-" ? "standard input" : path }

    /// Returns the name of an output in messages.
    package static func outputName(_ path: String) -> String { path == "-" ? "standard output" : path }

    /// Returns what follows the last slash, those at the end left out.
    package static func lastComponent(_ path: String) -> String {
        path.utf8.split(separator: slash).last.map { String(Substring($0)) } ?? path
    }

    /// Returns the path of a folder with a slash at its end.
    package static func folder(_ path: String) -> String { path.utf8.last == slash ? path : path + "/" }

    /// Returns the path of the folder that a file or folder is in; nil if the path doesn't tell.
    ///
    /// Slashes at the end and repeated ones say nothing.
    package static func parent(_ path: String) -> String? {
        let parts = path.utf8.split(separator: slash)
        guard let last = parts.last, path.utf8.first == slash || parts.count > 1 else { return nil }
        let end = path.utf8[..<last.startIndex].lastIndex { $0 != slash }
        return end.map { String(Substring(path.utf8[...$0])) } ?? "/"
    }

    /// Returns the extension in lower case and without the dot, or nil for a name without one, such as `out`, `out.` and `.out`.
    package static func fileExtension(_ path: String) -> String? {
        let name = lastComponent(path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let found = name[name.index(after: dot)...].lowercased()
        return found.isEmpty ? nil : found
    }

    /// Returns the path with another extension in place of its own.
    package static func replacingExtension(of path: String, by fileExtension: String) -> String {
        let name = lastComponent(path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path + "." + fileExtension }
        return path.dropLast(name.distance(from: dot, to: name.endIndex)) + "." + fileExtension
    }
}

// A path of Linux is any bytes but zeros, and a string is Unicode. A byte that is not part of valid UTF-8, such as those of names in Latin-1, stands
// in a string as one of the last characters for private use, U+10FF80 to U+10FFFF. Such a string also finds its file after a detour through
// JSON or a command line.
extension PathName {
    /// The scalar that stands for the byte 0; bytes from 128 on occur.
    private static let escapeBase: UInt32 = 0x10FF00
    /// The scalars that stand for single bytes.
    private static let escapes: ClosedRange<UInt32> = 0x10FF80...0x10FFFF
    /// The first byte of their UTF-8.
    private static let escapeLead: UInt8 = 0xF4

    /// Whether no scalar of a text stands for a byte that is not UTF-8.
    package static func isUTF8(_ text: String) -> Bool { !text.unicodeScalars.contains { escapes.contains($0.value) } }

    /// Returns the bytes of a path, as the system takes them, with a zero at their end.
    package static func bytes(_ path: String) -> [CChar] {
        guard path.utf8.contains(escapeLead) else { return Array(path.utf8CString) }
        var bytes: [UInt8] = []
        for scalar in path.unicodeScalars {
            if escapes.contains(scalar.value) {
                bytes.append(UInt8(scalar.value - escapeBase))
            } else {
                bytes += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return bytes.map { CChar(truncatingIfNeeded: $0) } + [0]
    }

    /// Returns the path that the system has given.
    ///
    /// - Parameter text: The bytes up to a zero.
    package static func decoding(_ text: UnsafePointer<CChar>) -> String {
        if let valid = String(validatingCString: text) { return valid }
        var bytes: [UInt8] = []
        while text[bytes.count] != 0 { bytes.append(UInt8(truncatingIfNeeded: text[bytes.count])) }
        var path = String.UnicodeScalarView()
        var parser = UTF8.ForwardParser()
        var input = bytes.makeIterator()
        var position = 0
        while true {
            switch parser.parseScalar(from: &input) {
            case .emptyInput: return String(path)
            case .valid(let encoded):
                path.append(UTF8.decode(encoded))
                position += encoded.count
            case .error(let length):
                for byte in bytes[position..<position + length] { Unicode.Scalar(escapeBase + UInt32(byte)).map { path.append($0) } }
                position += length
            }
        }
    }
}
