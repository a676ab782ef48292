// SPDX-License-Identifier: Apache-2.0

import JSONText

extension FuzzTarget {
    /// Parses JSON, and checks that it survives a round trip on one line and on several.
    static let json = FuzzTarget("json") { bytes in
        do throws(JSONSyntaxError) {
            let value = try JSONValue(parsing: bytes)
            for text in [value.line, value.text()] {
                guard let again = try? JSONValue(parsing: text.utf8) else { preconditionFailure("round trip failed: \(text)") }
                precondition(again == value)
            }
        } catch {
            precondition(error.offset <= bytes.count)
        }
    }
}
