// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Writes access units into a container.
///
/// A writer owns its sink. Everything that a container can't hold is refused when the writer is created or before a unit is
/// written: an error leaves the sink unchanged, unless the sink itself failed.
///
///     var writer = try AudioFileFormat.adts.makeWriter(to: MemorySink(), encoder.audioSpecificConfig)
///     for unit in try encoder.encode(buffer) { try writer.append(unit) }
///     try writer.finish()
///     send(writer.sink.bytes)
public protocol ContainerWriter<Sink> {
    /// The type of the sink.
    associatedtype Sink: ByteSink

    /// The destination of the bytes.
    ///
    /// Change it only in ways that keep the bytes and their offsets, such as flushing a buffer.
    var sink: Sink { get set }

    /// Writes an access unit, preceded by the container's header if it is the first one.
    ///
    /// - Parameter unit: The access unit; ADTS with checksums needs its element spans.
    /// - Throws: ``ContainerError``.
    mutating func append(_ unit: AccessUnit) throws(ContainerError)

    /// Writes the end of the container: an index or the last fragment, where the container has one.
    ///
    /// Don't append anything afterwards.
    ///
    /// - Parameter gaplessInfo: The priming and padding of the stream in sample frames of the output rate; nil if unknown.
    /// - Throws: ``ContainerError``.
    mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError)
}

extension AccessUnit {
    /// Throws if the unit is empty or longer than a container allows.
    func checkLength(limit: Int) throws(ContainerError) {
        guard !payload.isEmpty else { throw .emptyAccessUnit }
        guard payload.count <= limit else { throw .accessUnitTooLong(byteCount: payload.count, limit: limit) }
    }
}

extension ContainerWriter {
    /// Writes the end of the container without gapless information.
    ///
    /// - Throws: ``ContainerError``.
    public mutating func finish() throws(ContainerError) { try finish(nil) }
}
