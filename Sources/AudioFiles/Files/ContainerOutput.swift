// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import DABPlus
internal import PCMFiles

/// Writes access units to a container file in large blocks.
struct ContainerOutput {
    /// The container.
    ///
    /// For a pipe, it can differ from the requested one.
    let container: AudioFileFormat
    /// Mutated only in place, because a copy would copy the whole index.
    private var writer: any ContainerWriter<BufferedByteSink>

    /// Starts a container.
    ///
    /// - Parameters:
    ///   - configuration: The stream's configuration.
    ///   - dab: The DAB+ sub-channel and labels.
    ///   - file: The empty file.
    /// - Throws: ``/AudioContainers/ContainerError`` if the container does not support the stream, or cannot be written to a pipe.
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

    /// The container size so far, in bytes.
    var byteCount: Int { writer.sink.byteCount }

    mutating func append(_ accessUnit: AccessUnit) throws(ContainerError) { try writer.append(accessUnit) }

    /// Omits ranges of decoded sample frames from playback.
    ///
    /// Returns false if the container cannot store them.
    mutating func omit(_ ranges: [Range<Int>]) -> Bool {
        guard !ranges.isEmpty else { return true }
        guard var omitting = writer as? any OmittingWriter<BufferedByteSink>, omitting.omit(ranges) else { return false }
        writer = omitting
        return true
    }

    mutating func flush() throws(AudioFileError) { try writer.sink.flush() }

    /// Completes the container and writes all pending bytes.
    mutating func finish(_ gapless: GaplessInfo?) throws {
        try writer.finish(gapless)
        try flush()
    }
}

extension AudioFileFormat {
    /// Returns the format to write to a file: this one, or its variant for pipes.
    ///
    /// - Throws: ``/AudioContainers/ContainerError/sinkCannotOverwrite`` if the file is a pipe and there is no such variant.
    func writable(to file: OutputFile) throws(ContainerError) -> AudioFileFormat {
        guard let format = file.canOverwrite ? self : streamable else { throw .sinkCannotOverwrite }
        return format
    }
}

/// Buffers bytes for an output file, so that many access units are written at once.
private struct BufferedByteSink: ByteSink {
    private var pending: [UInt8] = []
    private let file: OutputFile

    /// The number of pending bytes that triggers a write.
    private static let limit = 65_536

    init(file: OutputFile) { self.file = file }

    var canOverwrite: Bool { file.canOverwrite }

    /// The number of bytes appended so far.
    var byteCount: Int { file.byteCount + pending.count }

    mutating func append(_ bytes: [UInt8]) throws(ContainerError) {
        pending += bytes
        if pending.count >= Self.limit { try writePending() }
    }

    mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        try writePending()
        try file.overwrite(bytes, at: offset)
    }

    mutating func flush() throws(AudioFileError) {
        do throws(ContainerError) { try writePending() } catch { throw AudioFileError(writing: file.path, error) }
    }

    private mutating func writePending() throws(ContainerError) {
        guard !pending.isEmpty else { return }
        try file.append(pending)
        pending.removeAll(keepingCapacity: true)
    }
}
