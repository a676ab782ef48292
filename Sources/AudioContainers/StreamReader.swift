// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio

/// Reads an ADTS stream from a file, a pipe or memory.
package typealias ADTSReader<Input: ByteStream> = StreamReader<ADTSParser, Input>

/// Reads a LOAS stream from a file, a pipe or memory.
package typealias LOASReader<Input: ByteStream> = StreamReader<LOASParser, Input>

/// Reads an MPEG transport stream from a file, a pipe or memory.
package typealias TransportStreamReader<Input: ByteStream> = StreamReader<TransportStreamParser, Input>

/// Reads an iLBC storage file from a file, a pipe or memory.
package typealias ILBCReader<Input: ByteStream> = StreamReader<ILBCParser, Input>

package struct StreamReader<Parser: StreamParser, Input: ByteStream>: ContainerReader {
    private var parser = Parser()
    private var input: Input
    private var isFinished = false
    /// Events found before the first configuration, in reverse order.
    private var pendingEvents: [ReaderEvent] = []

    /// The configuration of the current access unit (initially the first).
    package private(set) var configuration: CodecConfiguration

    package var metadata: ContainerMetadata { ContainerMetadata() }

    package var canSeek: Bool { false }

    /// Creates a reader and reads up to the first configuration.
    ///
    /// - Parameter input: The bytes from the start of the stream.
    /// - Throws: ``ContainerError/unsupportedCodec(_:)`` if there is no frame, the error of the first frame if all are unsupported, or
    ///   ``ContainerError/inputFailed(code:)``.
    package init(_ input: Input) throws(ContainerError) {
        self.input = input
        var events: [ReaderEvent] = []
        var first: CodecConfiguration?
        var refusal: ContainerError?
        while first == nil, let event = try parser.nextEvent(from: &self.input, &isFinished) {
            if case .configuration(let found) = event { first = found }
            refusal = refusal ?? event.refusal
            events.append(event)
        }
        guard let first else { throw refusal ?? .unsupportedCodec(nil) }
        configuration = first
        pendingEvents = events.reversed()
    }

    /// Creates a reader for a source and reads up to the first configuration.
    ///
    /// - Throws: ``ContainerError/unsupportedCodec(_:)`` if there is no frame, or ``ContainerError/inputFailed(code:)``.
    package init<Source: ByteSource>(_ source: Source) throws(ContainerError) where Input == SequentialBytes<Source> {
        try self.init(SequentialBytes(source))
    }

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
    package mutating func next() -> DemuxedAccessUnit? { nextUnitInMemory() }
}
