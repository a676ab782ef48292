// SPDX-License-Identifier: Apache-2.0

// `Array.span` and `Array.mutableSpan` need macOS 26 and iOS 26. Spans themselves and buffer pointers are available everywhere.

extension Array where Element: BitwiseCopyable {
    package func withSpan<Result, Failure: Error>(_ body: (Span<Element>) throws(Failure) -> Result) throws(Failure) -> Result {
        // The span does not outlive the call, and therefore not the buffer.
        try unsafe withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in try unsafe body(buffer.span) }
    }

    package mutating func withMutableSpan<Result, Failure: Error>(
        _ body: (inout MutableSpan<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeMutableBufferPointer { (buffer) throws(Failure) -> Result in
            // As above.
            var span = unsafe buffer.mutableSpan
            return try body(&span)
        }
    }
}
