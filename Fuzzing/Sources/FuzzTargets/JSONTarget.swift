// SPDX-License-Identifier: Apache-2.0

import JSONText

extension FuzzTarget {
    /// Parses JSON: what is parsed is the same when it has been written, on one line or on several, and parsed again.
    static let json = FuzzTarget("json") { bytes in
        do throws(JSONSyntaxError) {
            let value = try JSONValue(parsing: bytes)
            for text in [value.line, value.text()] {
                guard let again = try? JSONValue(parsing: text.utf8) else { preconditionFailure("not parsed again: \(text)") }
                precondition(again == value)
            }
        } catch {
            precondition(error.offset <= bytes.count)
        }
    }
}
