// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import JSONTextParts

/// Parses JSON: what is parsed is the same when it has been written, on one line or on several, and parsed again.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do throws(JSONSyntaxError) {
        let value = try JSONValue(parsing: UnsafeBufferPointer(start: start, count: count))
        for text in [value.line, value.text()] {
            guard let again = try? JSONValue(parsing: text.utf8) else { preconditionFailure("not parsed again: \(text)") }
            precondition(again == value)
        }
    } catch {
        precondition(error.offset <= count)
    }
    return 0
}
