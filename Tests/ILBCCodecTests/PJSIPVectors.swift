// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Foundation

/// Streams that PJSIP encoded and decoded, in `Tests/Vectors`.
enum PJSIPVectors {
    /// Returns the bytes of a file.
    static func bytes(_ name: String) throws -> [UInt8] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: tests.appending(path: "Vectors/\(name)")))
    }
}
