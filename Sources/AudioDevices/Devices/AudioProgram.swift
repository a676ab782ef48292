// SPDX-License-Identifier: Apache-2.0

/// A program that plays audio.
package struct AudioProgram: Hashable, Sendable {
    /// The identifier for ``CaptureConfiguration/device``.
    package var id: String

    /// The display name.
    package var name: String

    /// The file name of the executable, if known.
    package var binary: String?

    package var processID: Int?

    /// The identifiers of the outputs that it plays to; empty if unknown.
    package var outputs: [String]

    /// Whether it has paused all its streams.
    package var isCorked: Bool
}
