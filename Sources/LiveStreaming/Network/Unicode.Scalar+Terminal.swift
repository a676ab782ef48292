// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
    /// Whether a terminal obeys the character: it changes the state of the terminal, or the lines or the order of what it shows.
    ///
    /// Texts of files and servers are shown without such characters.
    package var controlsTerminal: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}
