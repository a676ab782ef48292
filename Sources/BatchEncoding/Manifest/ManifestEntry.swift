// SPDX-License-Identifier: Apache-2.0

/// A file that a manifest names, with its settings.
package struct ManifestEntry: Hashable, Sendable {
    /// A setting by the name that it has as an option of the command.
    package struct Setting: Hashable, Sendable {
        /// The name, without dashes.
        package var name: String
        /// The value; empty for an option without one.
        package var value: String

        /// Creates a setting.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The line in the manifest, counted from 1.
    package var line: Int
    /// The input's path.
    package var input: String
    /// The output's path; nil to derive it from the input's.
    package var output: String?
    /// The settings that differ from those of the batch.
    package var settings: [Setting]

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - line: The line in the manifest, counted from 1.
    ///   - input: The input's path.
    ///   - output: The output's path; nil to derive it from the input's.
    ///   - settings: The settings that differ from those of the batch.
    package init(line: Int, input: String, output: String? = nil, settings: [Setting] = []) {
        self.line = line
        self.input = input
        self.output = output
        self.settings = settings
    }
}
