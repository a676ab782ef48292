// SPDX-License-Identifier: Apache-2.0

/// A parser of a stream that arrives in chunks of any size, for example from a socket.
///
/// To read a file or a pipe, use a ``ContainerReader``.
///
///     var parser = ADTSParser()
///     for await chunk in chunks {
///         parser.append(chunk)
///         while let event = parser.nextEvent() { … }
///     }
public protocol StreamParser: Sendable {
    /// Creates a parser at the start of a stream.
    init()

    /// The configuration of the latest access unit, or `nil` before the first unit.
    var configuration: CodecConfiguration? { get }

    /// Appends the next bytes of the stream. Traps after ``finish()``.
    ///
    /// - Parameter bytes: A chunk of any size.
    mutating func append(_ bytes: some Collection<UInt8>)

    /// Marks the end of the stream, which completes the last frames.
    mutating func finish()

    /// Returns the next event, or `nil` if more bytes are needed or, after ``finish()``, at the end.
    mutating func nextEvent() -> ReaderEvent?
}

extension StreamParser {
    /// Returns the next event, reading more bytes as needed, or `nil` at the end of the stream.
    ///
    /// - Parameters:
    ///   - input: The bytes not yet passed to the parser.
    ///   - isFinished: Whether ``finish()`` was called.
    // Inlined copies add 4.8 kB to the compressed WebAssembly module (499 618 instead of 494 795 bytes).
    @inline(never)
    mutating func nextEvent(from input: inout some ByteStream, _ isFinished: inout Bool) throws(ContainerError) -> ReaderEvent? {
        while true {
            if let event = nextEvent() { return event }
            if isFinished { return nil }
            let bytes = try input.read(65_536)
            isFinished = bytes.isEmpty
            if isFinished { finish() } else { append(bytes) }
        }
    }

    /// Reads a range of a source and calls a closure with each event until it returns `false`.
    mutating func read(_ source: some ByteSource, _ range: Range<Int>, _ body: (inout Self, ReaderEvent) -> Bool) throws(ContainerError) {
        var input = SequentialBytes(source, range)
        var isFinished = false
        while let event = try nextEvent(from: &input, &isFinished), body(&self, event) {}
    }
}
