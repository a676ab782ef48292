// SPDX-License-Identifier: Apache-2.0

package struct ManifestEntry: Hashable, Sendable {
    /// A setting, named like the command line option.
    package struct Setting: Hashable, Sendable {
        /// The name, without dashes.
        package var name: String
        /// The value.
        ///
        /// Empty for an option without one.
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The line number in the manifest, from 1.
    package var line: Int
    package var input: String
    /// The output's path, or `nil` to derive it from the input's.
    package var output: String?
    /// The settings that differ from the batch's.
    package var settings: [Setting]

    package init(line: Int, input: String, output: String? = nil, settings: [Setting] = []) {
        self.line = line
        self.input = input
        self.output = output
        self.settings = settings
    }
}
