// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Puts access units into a container and writes it in batches.
struct EncodedOutput {
    /// What has been appended so far.
    private(set) var meter = BitRateMeter()
    /// The container in use: for pipes it can be another than was asked for.
    let container: ContainerFormat
    /// Bytes of the container so far.
    var byteCount: Int { writer.sink.byteCount }

    /// Changed in place only: a copy would copy its whole index.
    private var writer: any ContainerWriter<BufferedByteSink>
    private let sampleRate: Int
    private let unitLength: Int
    private let delay: Int
    private let log: ((String) -> Void)?
    private var waitingCount = 0

    /// Begins a container; throws ``ContainerError`` for what it can't hold.
    init(
        _ wanted: ContainerFormat, options: FileEncoderConfiguration, expectedFrameCount: Int?, encoder: AACEncoder, file: OutputFile,
        log: ((String) -> Void)?
    ) throws {
        guard let container = file.canOverwrite ? wanted : wanted.streamable else { throw ContainerError.sinkCannotOverwrite }
        self.container = container
        sampleRate = encoder.configuration.sampleRate
        unitLength = encoder.unitLength
        delay = encoder.delay
        self.log = log
        var writerOptions = ContainerWriterOptions()
        writerOptions.tags = options.tags
        writerOptions.tags.encoder = "Linnet \(LinnetVersion.current)"
        writerOptions.priming = encoder.delay
        writerOptions.expectedUnitCount = expectedFrameCount.map {
            (encoder.delay + $0 + encoder.unitLength - 1) / encoder.unitLength
        }
        writerOptions.adts = options.adts
        writer = try container.makeWriter(to: BufferedByteSink(file: file), encoder.audioSpecificConfig, options: writerOptions)
    }

    /// Appends an access unit.
    mutating func append(_ unit: AccessUnit) throws {
        try writer.append(unit)
        meter.add(byteCount: unit.payload.count, duration: unit.duration, sampleRate: sampleRate)
        waitingCount += 1
    }

    /// Takes all units of a part.
    mutating func append(_ part: EncodedSegment) throws {
        var unit = AccessUnit(
            payload: [], presentationTime: MediaTime(value: 0, timescale: Int32(sampleRate)), duration: unitLength)
        try part.forEach { payload, elements in
            unit.payload.removeAll(keepingCapacity: true)
            unit.payload += payload
            unit.presentationTime.value = Int64(meter.unitCount * unitLength - delay)
            unit.elementSpans = elements
            try append(unit)
        }
    }

    /// Writes what the container has at its end.
    mutating func finish(_ gapless: GaplessInfo) throws {
        try writer.finish(gapless)
        try flush()
    }

    /// Writes everything that waits.
    mutating func flush() throws {
        if waitingCount > 0 {
            log?("write \(waitingCount) packets with \(writer.sink.waiting.count) bytes at position \(meter.unitCount - waitingCount)")
        }
        waitingCount = 0
        try writer.sink.flush()
    }
}

/// Collects bytes for an output file, so that not every unit is a write of its own.
struct BufferedByteSink: ByteSink {
    /// Bytes that are not written yet.
    var waiting: [UInt8] = []
    private let file: OutputFile

    init(file: OutputFile) { self.file = file }

    var canOverwrite: Bool { file.canOverwrite }

    var byteCount: Int { file.byteCount + waiting.count }

    mutating func append(_ bytes: [UInt8]) throws(ContainerError) { waiting += bytes }

    mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        if !waiting.isEmpty {
            try file.append(waiting)
            waiting.removeAll(keepingCapacity: true)
        }
        try file.overwrite(bytes, at: offset)
    }

    mutating func flush() throws {
        guard !waiting.isEmpty else { return }
        try file.write(waiting)
        waiting.removeAll(keepingCapacity: true)
    }
}
