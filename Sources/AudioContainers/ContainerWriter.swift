// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// A writer of access units into a container.
///
/// A writer owns its sink. It rejects unsupported input before writing anything, at the latest in ``append(_:)``: an error leaves the sink
/// unchanged, unless the sink itself failed.
///
///     var writer = try AudioFileFormat.adts.makeWriter(to: MemorySink(), encoder.audioSpecificConfig)
///     for unit in try encoder.encode(buffer) { try writer.append(unit) }
///     try writer.finish()
///     send(writer.sink.bytes)
public protocol ContainerWriter<Sink> {
    /// The type of the sink.
    associatedtype Sink: ByteSink

    /// The destination.
    ///
    /// Change it only in ways that keep the bytes and their offsets, such as flushing a buffer.
    var sink: Sink { get set }

    /// Writes an access unit. The first call also writes the container's header.
    ///
    /// - Parameter accessUnit: The access unit. ADTS checksums require its element spans.
    /// - Throws: ``ContainerError``.
    mutating func append(_ accessUnit: AccessUnit) throws(ContainerError)

    /// Completes the container, for example with an index or the last fragment. Do not append anything afterwards.
    ///
    /// - Parameter gaplessInfo: Priming and padding in output sample frames, or `nil` if unknown.
    /// - Throws: ``ContainerError``.
    mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError)
}

extension AccessUnit {
    func checkLength(limit: Int) throws(ContainerError) {
        guard !payload.isEmpty else { throw .emptyAccessUnit }
        guard payload.count <= limit else { throw .accessUnitTooLong(byteCount: payload.count, limit: limit) }
    }
}

extension ContainerWriter {
    /// Completes the container without gapless information.
    ///
    /// - Throws: ``ContainerError``.
    public mutating func finish() throws(ContainerError) { try finish(nil) }
}
