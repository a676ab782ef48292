// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

package enum PathName {
    /// The separator.
    ///
    /// Paths are split as bytes: a name may start with a combining mark, which merges with the slash into one `Character`.
    private static let slash = UInt8(ascii: "/")

    /// Returns an input's name for messages.
    package static func inputName(_ path: String) -> String { path == "-" ? "standard input" : path }

    /// Returns an output's name for messages.
    package static func outputName(_ path: String) -> String { path == "-" ? "standard output" : path }

    /// Returns the last path component, without trailing slashes.
    package static func lastComponent(_ path: String) -> String {
        path.utf8.split(separator: slash).last.map { String(Substring($0)) } ?? path
    }

    /// Returns the path with a trailing slash.
    package static func folder(_ path: String) -> String { path.utf8.last == slash ? path : path + "/" }

    /// Returns the path of the containing folder, or `nil` if the path does not include one.
    ///
    /// Trailing and repeated slashes are ignored.
    package static func parent(_ path: String) -> String? {
        let parts = path.utf8.split(separator: slash)
        guard let last = parts.last, path.utf8.first == slash || parts.count > 1 else { return nil }
        let end = path.utf8[..<last.startIndex].lastIndex { $0 != slash }
        return end.map { String(Substring(path.utf8[...$0])) } ?? "/"
    }

    /// Returns the absolute form of a path, without `.`, `..` and repeated slashes.
    ///
    /// Links are not followed. Two forms of one path are equal, so that they can be compared.
    ///
    /// - Parameter folder: The absolute path of the folder to which a relative path refers.
    package static func absolute(_ path: String, in folder: String) -> String {
        var parts: [Substring.UTF8View] = []
        for part in (path.utf8.first == slash ? path : Self.folder(folder) + path).utf8.split(separator: slash) {
            if part.elementsEqual("..".utf8) { _ = parts.popLast() } else if !part.elementsEqual(".".utf8) { parts.append(part) }
        }
        return "/" + parts.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// Returns the path to which a symbolic link refers, or `nil` if the path is no link.
    static func destination(ofLink path: String) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard readlink(bytes(path), &text, text.count - 1) > 0 else { return nil }
        let destination = decoding(text)
        guard destination.utf8.first != slash, let end = path.utf8.lastIndex(of: slash) else { return destination }
        return String(path[...end]) + destination
    }

    /// Returns the lowercase extension without its dot, or `nil` for names such as `out`, `out.` and `.out`.
    package static func fileExtension(_ path: String) -> String? {
        let name = lastComponent(path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let found = name[name.index(after: dot)...].lowercased()
        return found.isEmpty ? nil : found
    }

    /// Replaces or adds the extension.
    package static func replacingExtension(of path: String, by fileExtension: String) -> String {
        let name = lastComponent(path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path + "." + fileExtension }
        return path.dropLast(name.distance(from: dot, to: name.endIndex)) + "." + fileExtension
    }

    /// Inserts text before the extension, or appends it to a name without one: `talk.m4a` becomes `talk-2.m4a` with `-2`.
    package static func inserting(_ text: String, beforeExtensionOf path: String) -> String {
        let name = lastComponent(path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path + text }
        return path.dropLast(name.distance(from: dot, to: name.endIndex)) + text + name[dot...]
    }
}

// A Linux path is any sequence of nonzero bytes, but a Swift string is Unicode. A byte that is not part of valid UTF-8 (a name in Latin-1,
// for example) is represented by one of the last private-use scalars, U+10FF80 to U+10FFFF. Such a string still identifies its file after a
// round trip through JSON or a command line.
extension PathName {
    /// The scalar of byte 0.
    ///
    /// Only bytes from 128 are escaped.
    private static let escapeBase: UInt32 = 0x10FF00
    /// The scalars that represent single bytes.
    private static let escapes: ClosedRange<UInt32> = 0x10FF80...0x10FFFF
    /// The first UTF-8 byte of the escape scalars.
    private static let escapeLead: UInt8 = 0xF4

    /// Whether a text contains no escaped byte that is not UTF-8.
    package static func isUTF8(_ text: String) -> Bool { !text.unicodeScalars.contains { escapes.contains($0.value) } }

    /// Returns the zero-terminated bytes of a path for system calls.
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

    /// Returns the string for a path from the system.
    ///
    /// - Parameter text: Zero-terminated bytes.
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
