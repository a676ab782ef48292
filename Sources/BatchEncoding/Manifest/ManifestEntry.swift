// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// A file that a manifest names, with its settings.
public struct ManifestEntry: Hashable, Sendable {
    /// A setting by the name that it has as an option of the command.
    public struct Setting: Hashable, Sendable {
        /// The name, without dashes.
        public var name: String
        /// The value; empty for an option without one.
        public var value: String

        /// Creates a setting.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The line in the manifest, counted from 1.
    public var line: Int
    /// The input's path.
    public var input: String
    /// The output's path; nil to derive it from the input's.
    public var output: String?
    /// The settings that differ from those of the batch.
    public var settings: [Setting]

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - line: The line in the manifest, counted from 1.
    ///   - input: The input's path.
    ///   - output: The output's path; nil to derive it from the input's.
    ///   - settings: The settings that differ from those of the batch.
    public init(line: Int, input: String, output: String? = nil, settings: [Setting] = []) {
        self.line = line
        self.input = input
        self.output = output
        self.settings = settings
    }
}
