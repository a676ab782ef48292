// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

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
