// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioMetadata
internal import AudioPrimitives
internal import DABPlus
internal import MPEG4Audio
internal import PCMFiles

/// Writes an encoder's access units to a container and measures their bit rate.
struct EncodedOutput {
    private(set) var meter = BitRateMeter()
    /// The container in use.
    ///
    /// For a pipe, it can differ from the requested one.
    var container: AudioFileFormat { output.container }
    /// The container size so far, in bytes.
    var byteCount: Int { output.byteCount }

    private var output: ContainerOutput
    private let sampleRate: Int
    private let framesPerAccessUnit: Int
    private let delay: Int
    private let omittedUnitCount: Int
    /// The number of encoded access units so far, including omitted ones.
    private var encodedUnitCount = 0
    private let log: ((String) -> Void)?
    /// The number of access units not logged yet, and the number of logged bytes.
    private var (pendingCount, loggedByteCount) = (0, 0)

    /// Starts a container.
    ///
    /// - Throws: ``ContainerError`` if the container does not support the stream.
    init(
        _ requested: AudioFileFormat, _ options: ContainerWriterOptions, dab: DABWriterOptions? = nil, expectedFrameCount: Int?,
        encoder: any AudioPacketEncoder, file: OutputFile, log: ((String) -> Void)? = nil
    ) throws {
        sampleRate = encoder.timescale
        framesPerAccessUnit = encoder.framesPerPacket
        delay = encoder.primingFrames
        omittedUnitCount = (encoder as? AACEncoder)?.omittableUnitCount ?? 0
        self.log = log
        var options = options
        options.tags.encoder = LinnetVersion.encoderTag
        options.priming = delay - omittedUnitCount * framesPerAccessUnit
        // The header counts frames at the input sample rate.
        let factor = encoder.timescale / encoder.sampleRate
        if let count = expectedFrameCount {
            options.expectedUnitCount = (options.priming + count * factor + framesPerAccessUnit - 1) / framesPerAccessUnit
        }
        output = try ContainerOutput(requested, encoder.codecConfiguration, options: options, dab: dab, file: file)
    }

    /// Appends an access unit unless it is one to omit.
    mutating func append(_ accessUnit: AccessUnit) throws {
        encodedUnitCount += 1
        guard encodedUnitCount > omittedUnitCount else { return }
        try output.append(accessUnit)
        meter.add(byteCount: accessUnit.payload.count, duration: accessUnit.duration, sampleRate: sampleRate)
        pendingCount += 1
    }

    mutating func append(_ segment: EncodedSegment) throws {
        var accessUnit = AccessUnit(
            payload: [], presentationTime: MediaTime(value: 0, timescale: Int32(sampleRate)), duration: framesPerAccessUnit)
        try segment.forEach { payload, elements in
            accessUnit.payload.removeAll(keepingCapacity: true)
            accessUnit.payload += payload
            accessUnit.presentationTime.value = Int64(encodedUnitCount * framesPerAccessUnit - delay)
            accessUnit.elementSpans = elements
            try append(accessUnit)
        }
    }

    /// Appends the saved access units of an interrupted run, if any.
    ///
    /// - Parameter encoder: The encoder, before its first input.
    /// - Returns: The encoder input frame to resume from.
    mutating func resume(_ journal: JoinJournal, _ encoder: AACEncoder, _ source: JoinedPCMSource) throws -> Int {
        journal.start(source, segmentLength: encoder.segments.length)
        guard let retained = journal.retained else { return 0 }
        guard let frame = encoder.start(at: retained.checkpoint) else {
            journal.discardRetained()
            return 0
        }
        var segment = EncodedSegment()
        try journal.resume { segment.add(Array($0), elements: nil) }
        try append(segment)
        journal.reportContinuing(seconds: Double(frame) / Double(encoder.sampleRate))
        return frame
    }

    /// Completes the container.
    ///
    /// - Parameter gapless: The priming and padding of all encoded access units.
    /// - Returns: The priming and padding of the written access units.
    mutating func finish(_ gapless: GaplessInfo) throws -> GaplessInfo {
        var written = gapless
        written.primingFrames -= omittedUnitCount * framesPerAccessUnit
        try output.finish(written)
        logWrite()
        return written
    }

    mutating func flush() throws(AudioFileError) {
        logWrite()
        try output.flush()
    }

    /// Logs the access units appended since the previous call.
    private mutating func logWrite() {
        if pendingCount > 0 {
            let position = meter.accessUnitCount - pendingCount
            log?("write \(pendingCount) packets with \(byteCount - loggedByteCount) bytes at position \(position)")
        }
        (pendingCount, loggedByteCount) = (0, byteCount)
    }
}
