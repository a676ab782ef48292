// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
    /// Whether the character controls a terminal: its state, or the line breaks or order of its output.
    ///
    /// Such characters are removed before texts from files and servers are shown.
    package var controlsTerminal: Bool {
        // Unicode's tables are large; most texts are ASCII.
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}
