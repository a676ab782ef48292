// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives

/// Puts access units into ADTS frames and writes them in batches.
struct ADTSOutput {
    /// What has been appended so far.
    private(set) var meter = BitRateMeter()
    /// Bytes in all frames so far.
    private(set) var byteCount = 0

    private let writer: ADTSWriter
    private let encoder: AACEncoder
    private let file: OutputFile
    private let log: ((String) -> Void)?
    private var frames: [UInt8] = []
    private var waitingCount = 0

    init(writer: ADTSWriter, encoder: AACEncoder, file: OutputFile, log: ((String) -> Void)?) {
        self.writer = writer
        self.encoder = encoder
        self.file = file
        self.log = log
    }

    /// Takes a unit right after the encoder has made it: checksums need the places of its elements.
    mutating func append(_ unit: AccessUnit) throws {
        try writer.append(unit.payload, elements: encoder.elementSpans, to: &frames)
        meter.add(byteCount: unit.payload.count, duration: unit.duration, sampleRate: encoder.configuration.sampleRate)
        waitingCount += 1
    }

    /// Writes everything that waits.
    mutating func flush() throws {
        guard waitingCount > 0 else { return }
        log?("write \(waitingCount) packets with \(frames.count) bytes at position \(meter.unitCount - waitingCount)")
        try file.write(frames)
        byteCount += frames.count
        frames.removeAll(keepingCapacity: true)
        waitingCount = 0
    }
}
