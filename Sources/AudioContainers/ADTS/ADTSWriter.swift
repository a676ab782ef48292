// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio

/// Writes access units into an ADTS stream, each with a header of its own.
package struct ADTSWriter<Sink: ByteSink>: ContainerWriter {
    /// The destination of the frames.
    package var sink: Sink

    private let framer: ADTSFramer
    /// The frame in preparation; kept so that its storage is reused.
    private var frame: [UInt8] = []

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - sink: The destination of the frames; it need not support overwriting.
    ///   - configuration: The configuration of the stream.
    ///   - options: MPEG-2 headers and checksums.
    /// - Throws: ``ContainerError`` for object types other than AAC-LC, sample rates without an index, frame lengths other than 1024,
    ///   and channel configurations other than 1 to 7.
    package init(
        to sink: Sink, _ configuration: AudioSpecificConfig, options: ADTSWriterOptions = ADTSWriterOptions()
    ) throws(ContainerError) {
        framer = try ADTSFramer(configuration, options: options)
        self.sink = sink
    }

    /// The size of the largest access unit in bytes: 8184, or 8182 with a checksum.
    package var maximumPayloadByteCount: Int { framer.maximumPayloadByteCount }

    /// Writes a frame with one access unit.
    ///
    /// - Parameter unit: The access unit; a checksum needs its element spans.
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)``,
    ///   ``ContainerError/missingElementSpans``, or ``ContainerError/outputFailed(code:)``.
    package mutating func append(_ unit: AccessUnit) throws(ContainerError) {
        frame.removeAll(keepingCapacity: true)
        try framer.append(unit, to: &frame)
        try sink.append(frame)
    }

    /// Does nothing: ADTS has no end and can't store gapless information.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {}
}

extension ADTSWriter: Sendable where Sink: Sendable {}
