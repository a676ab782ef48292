// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import DABPlus
internal import PCMFiles

/// Writes access units to a container in a file, many at a time.
struct ContainerOutput {
    /// The container; for a pipe it can differ from the requested one.
    let container: AudioFileFormat
    /// Changed in place only, because a copy would copy its whole index.
    private var writer: any ContainerWriter<BufferedByteSink>

    /// Begins a container.
    ///
    /// - Parameters:
    ///   - requested: The container that was asked for.
    ///   - configuration: The configuration of the stream.
    ///   - options: The tags, the priming and so on.
    ///   - dab: The sub-channel and the labels of DAB+.
    ///   - file: The file, at its first byte.
    /// - Throws: ``/AudioContainers/ContainerError`` if the container can't hold the stream, or can't be written to a pipe.
    init(
        _ requested: AudioFileFormat, _ configuration: CodecConfiguration, options: ContainerWriterOptions, dab: DABWriterOptions? = nil,
        file: OutputFile
    ) throws(ContainerError) {
        container = try requested.writable(to: file)
        var options = options
        // A file has no delay to keep short. Receivers wait for the tables, once per packet, for at most 0.5 s (ETSI TR 101 290, 5.2.1).
        options.packetDuration = .milliseconds(400)
        writer = try container.makeWriter(to: BufferedByteSink(file: file), configuration, options: options, dab: dab)
    }

    /// The size of the container so far, in bytes.
    var byteCount: Int { writer.sink.byteCount }

    /// Appends an access unit.
    mutating func append(_ unit: AccessUnit) throws(ContainerError) { try writer.append(unit) }

    /// Writes all pending bytes.
    mutating func flush() throws(AudioFileError) { try writer.sink.flush() }

    /// Completes the container, and writes all of it.
    mutating func finish(_ gapless: GaplessInfo?) throws {
        try writer.finish(gapless)
        try flush()
    }
}

extension AudioFileFormat {
    /// Returns the format that can be written to a file: this one, or its form for pipes.
    ///
    /// - Throws: ``/AudioContainers/ContainerError/sinkCannotOverwrite`` if a pipe can't hold any form of it.
    func writable(to file: OutputFile) throws(ContainerError) -> AudioFileFormat {
        guard let format = file.canOverwrite ? self : streamable else { throw .sinkCannotOverwrite }
        return format
    }
}

/// Collects bytes for an output file, to write many access units at once.
private struct BufferedByteSink: ByteSink {
    /// Bytes that are not written yet.
    private var pending: [UInt8] = []
    private let file: OutputFile

    /// The number of bytes from which on they are written.
    private static let limit = 65_536

    /// Creates a sink without pending bytes.
    init(file: OutputFile) { self.file = file }

    /// Whether bytes appended earlier can be replaced.
    var canOverwrite: Bool { file.canOverwrite }

    /// Bytes appended so far.
    var byteCount: Int { file.byteCount + pending.count }

    /// Appends bytes.
    mutating func append(_ bytes: [UInt8]) throws(ContainerError) {
        pending += bytes
        if pending.count >= Self.limit { try writePending() }
    }

    /// Replaces bytes that were appended earlier.
    mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        try writePending()
        try file.overwrite(bytes, at: offset)
    }

    /// Writes all pending bytes.
    mutating func flush() throws(AudioFileError) {
        do throws(ContainerError) { try writePending() } catch { throw AudioFileError(writing: file.path, error) }
    }

    /// Writes all pending bytes for a container.
    private mutating func writePending() throws(ContainerError) {
        guard !pending.isEmpty else { return }
        try file.append(pending)
        pending.removeAll(keepingCapacity: true)
    }
}
