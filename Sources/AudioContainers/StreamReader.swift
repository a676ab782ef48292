// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio

/// Reads an ADTS stream from a file, a pipe or memory.
package typealias ADTSReader<Input: ByteStream> = StreamReader<ADTSParser, Input>

/// Reads a LOAS stream from a file, a pipe or memory.
package typealias LOASReader<Input: ByteStream> = StreamReader<LOASParser, Input>

/// Reads an MPEG transport stream from a file, a pipe or memory.
package typealias TransportStreamReader<Input: ByteStream> = StreamReader<TransportStreamParser, Input>

/// Reads a file in the storage format of iLBC from a file, a pipe or memory.
package typealias ILBCReader<Input: ByteStream> = StreamReader<ILBCParser, Input>

/// Reads a stream of frames by means of its parser.
package struct StreamReader<Parser: StreamParser, Input: ByteStream>: ContainerReader {
    private var parser = Parser()
    private var input: Input
    private var isFinished = false
    /// Events found while the first configuration was searched, in reverse order.
    private var pendingEvents: [ReaderEvent] = []

    /// The configuration of the latest access unit; before the first one, that of the first one.
    package private(set) var configuration: CodecConfiguration

    /// Empty: a stream of frames has no metadata.
    package var metadata: ContainerMetadata { ContainerMetadata() }

    /// False: a stream of frames has no index.
    package var canSeek: Bool { false }

    /// Creates a reader and reads up to the first configuration.
    ///
    /// - Parameter input: The bytes, at the start of the stream.
    /// - Throws: ``ContainerError/unsupportedCodec(_:)`` if there is no frame, and ``ContainerError/inputFailed(code:)``.
    package init(_ input: Input) throws(ContainerError) {
        self.input = input
        var events: [ReaderEvent] = []
        var first: CodecConfiguration?
        while first == nil, let event = try parser.nextEvent(from: &self.input, &isFinished) {
            if case .configuration(let found) = event { first = found }
            events.append(event)
        }
        guard let first else { throw .unsupportedCodec(nil) }
        configuration = first
        pendingEvents = events.reversed()
    }

    /// Creates a reader of the bytes of a source, and reads up to the first configuration.
    ///
    /// - Parameter source: The bytes of the stream.
    /// - Throws: ``ContainerError/unsupportedCodec(_:)`` if there is no frame, and ``ContainerError/inputFailed(code:)``.
    package init<Source: ByteSource>(_ source: Source) throws(ContainerError) where Input == SequentialBytes<Source> {
        try self.init(SequentialBytes(source))
    }

    /// Reads the next event.
    package mutating func nextEvent() throws(ContainerError) -> ReaderEvent? {
        var event = pendingEvents.popLast()
        if event == nil { event = try parser.nextEvent(from: &input, &isFinished) }
        if case .configuration(let found)? = event { configuration = found }
        return event
    }

    /// Always throws ``ContainerError/notSeekable``.
    package mutating func seek(toFrame frame: Int) throws(ContainerError) -> Int { throw .notSeekable }
}

extension StreamReader: Sendable where Input: Sendable {}

extension StreamReader: Sequence, IteratorProtocol where Input == SequentialBytes<MemorySource> {
    /// Returns the next access unit; nil at the end.
    package mutating func next() -> CodedUnit? { nextUnitInMemory() }
}
