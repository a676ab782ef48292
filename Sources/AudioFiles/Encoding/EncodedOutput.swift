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
    let container: WritableContainer
    /// Bytes of the container so far.
    var byteCount: Int { sink.byteCount }

    /// Apart from the others, since its checksums need the places of the elements.
    private var adtsWriter: ADTSWriter?
    /// Changed in place only: a copy would copy its whole index.
    private var otherWriter: (any AudioWriter)?
    private var sink: BufferedByteSink
    private let sampleRate: Int
    private let unitLength: Int
    private let delay: Int
    private let log: ((String) -> Void)?
    private var waitingCount = 0

    /// Begins a container; throws ``ContainerError`` for what it can't hold.
    init(
        _ wanted: WritableContainer, options: FileEncoderConfiguration, expectedFrameCount: Int?, encoder: AACEncoder, file: OutputFile,
        log: ((String) -> Void)?
    ) throws {
        guard let container = file.canOverwrite ? wanted : wanted.forPipes else { throw ContainerError.sinkCannotOverwrite }
        self.container = container
        sampleRate = encoder.configuration.sampleRate
        unitLength = encoder.unitLength
        delay = encoder.delay
        self.log = log
        sink = BufferedByteSink(file: file)
        let configuration = encoder.audioSpecificConfig
        if container == .adts {
            adtsWriter = try ADTSWriter(configuration, options: options.adts)
            return
        }
        var tags = options.tags
        tags.encoder = "Linnet \(LinnetVersion.current)"
        let units = expectedFrameCount.map { (encoder.delay + $0 + encoder.unitLength - 1) / encoder.unitLength }
        otherWriter = try container.makeWriter(
            configuration, tags: tags, priming: encoder.delay, expectedUnitCount: units)
    }

    /// Takes the next unit, with the places of its elements.
    mutating func append(_ unit: AccessUnit, elements: [ElementSpan]) throws {
        try adtsWriter?.append(unit.payload, elements: elements, to: &sink.waiting)
        try otherWriter?.append(unit, to: &sink)
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
            try append(unit, elements: elements)
        }
    }

    /// Writes what the container has at its end.
    mutating func finish(_ gapless: GaplessInfo) throws {
        try otherWriter?.finish(gapless, to: &sink)
        try flush()
    }

    /// Writes everything that waits.
    mutating func flush() throws {
        if waitingCount > 0 {
            log?("write \(waitingCount) packets with \(sink.waiting.count) bytes at position \(meter.unitCount - waitingCount)")
        }
        waitingCount = 0
        try sink.flush()
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
