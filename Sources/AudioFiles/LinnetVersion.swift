// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The library's version.
public enum LinnetVersion {
    /// Major, minor and patch.
    public static let current = "0.3.0"

    /// The name of the encoder in the tags of files.
    package static var encoderTag: String { "Linnet \(current)" }
}
