// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What goes wrong with a PCM file.
public enum PCMFileError: Error, Hashable, Sendable {
    /// The file can't be opened; the library's own words say why.
    case cannotOpen(path: String, reason: String)
}
