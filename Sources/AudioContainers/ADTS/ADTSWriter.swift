// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio

/// Writes an ADTS stream, one access unit per frame.
package struct ADTSWriter<Sink: ByteSink>: ContainerWriter {
    package var sink: Sink

    private let framer: ADTSFramer
    /// The current frame, a stored property to reuse its storage.
    private var frame: [UInt8] = []

    /// Creates a writer.
    ///
    /// - Parameter sink: The destination. It need not support overwriting.
    /// - Throws: ``ContainerError`` unless the stream is AAC-LC with a standard sample rate, a frame length of 1024 and channel
    ///   configuration 1 to 7.
    package init(
        to sink: Sink, _ configuration: AudioSpecificConfig, options: ADTSWriterOptions = ADTSWriterOptions()
    ) throws(ContainerError) {
        framer = try ADTSFramer(configuration, options: options)
        self.sink = sink
    }

    /// Writes a frame with one access unit.
    ///
    /// - Parameter accessUnit: The access unit. A checksum requires its element spans.
    /// - Throws: ``ContainerError/emptyAccessUnit``, ``ContainerError/accessUnitTooLong(byteCount:limit:)``,
    ///   ``ContainerError/missingElementSpans``, or ``ContainerError/outputFailed(code:)``.
    package mutating func append(_ accessUnit: AccessUnit) throws(ContainerError) {
        frame.removeAll(keepingCapacity: true)
        try framer.append(accessUnit, to: &frame)
        try sink.append(frame)
    }

    /// Does nothing: ADTS has no trailer and cannot store gapless information.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {}
}

extension ADTSWriter: Sendable where Sink: Sendable {}
