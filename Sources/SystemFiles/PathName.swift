// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The parts of a path.
package enum PathName {
    /// Returns what follows the last slash.
    package static func lastComponent(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Returns the path of a folder with a slash at its end.
    package static func folder(_ path: String) -> String { path.hasSuffix("/") ? path : path + "/" }

    /// Returns the path of the folder that a path is in; nil for a name without a slash.
    package static func parent(_ path: String) -> String? {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
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
