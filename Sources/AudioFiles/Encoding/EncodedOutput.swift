// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioPrimitives
internal import MPEG4Audio

/// The properties of an encoder that its output needs.
struct EncodedFormat {
    /// The configuration of the stream.
    let configuration: CodecConfiguration
    /// The timescale of the access units.
    let sampleRate: Int
    /// The number of ticks of an access unit.
    let unitLength: Int
    /// The number of ticks before the first sample of the input.
    let delay: Int

    /// The properties of an encoder of AAC.
    init(_ encoder: AACEncoder) {
        configuration = .aac(encoder.audioSpecificConfig)
        sampleRate = encoder.configuration.sampleRate
        unitLength = encoder.unitLength
        delay = encoder.delay
    }

    /// The properties of an encoder of any codec.
    init(_ encoder: some AudioPacketEncoder) {
        configuration = encoder.configuration
        sampleRate = encoder.timescale
        unitLength = encoder.framesPerPacket
        delay = encoder.primingFrames
    }
}

/// Writes access units to a container, and the container's bytes to a file in batches.
struct EncodedOutput {
    /// The bit rate so far.
    private(set) var meter = BitRateMeter()
    /// The container in use: for a pipe it can differ from the requested one.
    let container: ContainerFormat
    /// The size of the container so far, in bytes.
    var byteCount: Int { writer.sink.byteCount }

    /// Changed in place only, because a copy would copy its whole index.
    private var writer: any ContainerWriter<BufferedByteSink>
    private let sampleRate: Int
    private let unitLength: Int
    private let delay: Int
    private let log: ((String) -> Void)?
    private var pendingCount = 0

    /// Begins a container.
    ///
    /// - Throws: ``ContainerError`` if the container can't hold the stream.
    init(
        _ requested: ContainerFormat, configuration: FileEncoderConfiguration, expectedFrameCount: Int?, format: EncodedFormat,
        file: OutputFile, log: ((String) -> Void)?
    ) throws {
        guard let container = file.canOverwrite ? requested : requested.streamable else { throw ContainerError.sinkCannotOverwrite }
        self.container = container
        sampleRate = format.sampleRate
        unitLength = format.unitLength
        delay = format.delay
        self.log = log
        var options = ContainerWriterOptions()
        options.tags = configuration.tags
        options.tags.encoder = "Linnet \(LinnetVersion.current)"
        options.priming = format.delay
        options.expectedUnitCount = expectedFrameCount.map { (format.delay + $0 + format.unitLength - 1) / format.unitLength }
        options.adts = configuration.adts
        writer = try container.makeWriter(to: BufferedByteSink(file: file), format.configuration, options: options)
    }

    /// Appends an access unit.
    mutating func append(_ unit: AccessUnit) throws {
        try writer.append(unit)
        meter.add(byteCount: unit.payload.count, duration: unit.duration, sampleRate: sampleRate)
        pendingCount += 1
    }

    /// Appends all access units of a segment.
    mutating func append(_ segment: EncodedSegment) throws {
        var unit = AccessUnit(
            payload: [], presentationTime: MediaTime(value: 0, timescale: Int32(sampleRate)), duration: unitLength)
        try segment.forEach { payload, elements in
            unit.payload.removeAll(keepingCapacity: true)
            unit.payload += payload
            unit.presentationTime.value = Int64(meter.unitCount * unitLength - delay)
            unit.elementSpans = elements
            try append(unit)
        }
    }

    /// Completes the container.
    mutating func finish(_ gapless: GaplessInfo) throws {
        try writer.finish(gapless)
        try flush()
    }

    /// Writes all pending bytes.
    mutating func flush() throws(AudioFileError) {
        if pendingCount > 0 {
            log?("write \(pendingCount) packets with \(writer.sink.pending.count) bytes at position \(meter.unitCount - pendingCount)")
        }
        pendingCount = 0
        try writer.sink.flush()
    }
}

/// Collects bytes for an output file, to write many access units at once.
struct BufferedByteSink: ByteSink {
    /// Bytes that are not written yet.
    private(set) var pending: [UInt8] = []
    private let file: OutputFile

    /// Creates a sink without pending bytes.
    init(file: OutputFile) { self.file = file }

    /// Whether bytes appended earlier can be replaced.
    var canOverwrite: Bool { file.canOverwrite }

    /// Bytes appended so far.
    var byteCount: Int { file.byteCount + pending.count }

    /// Appends bytes.
    mutating func append(_ bytes: [UInt8]) throws(ContainerError) { pending += bytes }

    /// Replaces bytes that were appended earlier.
    mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        if !pending.isEmpty {
            try file.append(pending)
            pending.removeAll(keepingCapacity: true)
        }
        try file.overwrite(bytes, at: offset)
    }

    /// Writes all pending bytes.
    mutating func flush() throws(AudioFileError) {
        guard !pending.isEmpty else { return }
        try file.write(pending)
        pending.removeAll(keepingCapacity: true)
    }
}
