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
