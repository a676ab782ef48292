// SPDX-License-Identifier: Apache-2.0

/// Finds access units in a stream that arrives in chunks of any size, for example from a socket.
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

    /// The configuration of the latest access unit; nil before the first one.
    var configuration: CodecConfiguration? { get }

    /// Appends the next bytes of the stream; traps after ``finish()``.
    ///
    /// - Parameter bytes: The bytes; a chunk may end anywhere.
    mutating func append(_ bytes: some Collection<UInt8>)

    /// Ends the stream, so that the last frames can be found.
    mutating func finish()

    /// Returns the next event; nil if more bytes are needed or, after ``finish()``, at the end.
    mutating func nextEvent() -> ReaderEvent?
}

extension StreamParser {
    /// Returns the next event of a stream, for which more bytes are read as needed; nil at the end.
    ///
    /// - Parameters:
    ///   - input: The bytes that the parser has not got yet.
    ///   - isFinished: Whether the parser knows that no more come.
    // Its inlined copies take 4.8 kB of the WebAssembly module after compression (499 618 to 494 795 bytes).
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

    /// Reads a range of a source, and calls a closure with each event until it returns false.
    mutating func read(_ source: some ByteSource, _ range: Range<Int>, _ body: (inout Self, ReaderEvent) -> Bool) throws(ContainerError) {
        var input = SequentialBytes(source, range)
        var isFinished = false
        while let event = try nextEvent(from: &input, &isFinished), body(&self, event) {}
    }
}
