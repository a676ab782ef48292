// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import SystemFiles

extension PathName {
    /// Returns the name of an input in messages.
    static func inputName(_ path: String) -> String { path == "-" ? "standard input" : path }

    /// Returns the name of an output in messages.
    static func outputName(_ path: String) -> String { path == "-" ? "standard output" : path }
}
