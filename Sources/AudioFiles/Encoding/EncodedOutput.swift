// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioMetadata
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
    /// The access units that are left out, since they end before it.
    var omittedUnitCount = 0

    /// The properties of an encoder of any codec.
    init(_ encoder: some AudioPacketEncoder) {
        configuration = encoder.codecConfiguration
        sampleRate = encoder.timescale
        unitLength = encoder.framesPerPacket
        delay = encoder.primingFrames
    }
}

/// Writes the access units of an encoder to a container, and measures their bit rate.
struct EncodedOutput {
    /// The bit rate so far.
    private(set) var meter = BitRateMeter()
    /// The container in use: for a pipe it can differ from the requested one.
    var container: ContainerFormat { output.container }
    /// The size of the container so far, in bytes.
    var byteCount: Int { output.byteCount }

    private var output: ContainerOutput
    private let sampleRate: Int
    private let unitLength: Int
    private let delay: Int
    private let omittedUnitCount: Int
    /// The access units of the encoder so far, with those that were left out.
    private var encodedUnitCount = 0
    private let log: ((String) -> Void)?
    /// The access units that are not in the log yet, and the bytes that are.
    private var (pendingCount, loggedByteCount) = (0, 0)

    /// Begins a container.
    ///
    /// - Throws: ``ContainerError`` if the container can't hold the stream.
    init(
        _ requested: ContainerFormat, adts: ADTSWriterOptions, dab: DABWriterOptions? = nil, tags: AudioTags, expectedFrameCount: Int?,
        format: EncodedFormat, file: OutputFile, log: ((String) -> Void)?
    ) throws {
        sampleRate = format.sampleRate
        unitLength = format.unitLength
        delay = format.delay
        omittedUnitCount = format.omittedUnitCount
        self.log = log
        var options = ContainerWriterOptions()
        options.tags = tags
        options.tags.encoder = LinnetVersion.encoderTag
        options.priming = format.delay - format.omittedUnitCount * format.unitLength
        options.expectedUnitCount = expectedFrameCount.map { (options.priming + $0 + format.unitLength - 1) / format.unitLength }
        options.adts = adts
        options.dab = dab
        output = try ContainerOutput(requested, format.configuration, options: options, file: file)
    }

    /// Appends an access unit, unless it is one of those that are left out.
    mutating func append(_ unit: AccessUnit) throws {
        encodedUnitCount += 1
        guard encodedUnitCount > omittedUnitCount else { return }
        try output.append(unit)
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
            unit.presentationTime.value = Int64(encodedUnitCount * unitLength - delay)
            unit.elementSpans = elements
            try append(unit)
        }
    }

    /// Completes the container.
    ///
    /// - Parameter gapless: The priming and padding of all access units of the encoder.
    /// - Returns: Those of the units that were written.
    mutating func finish(_ gapless: GaplessInfo) throws -> GaplessInfo {
        var written = gapless
        written.primingFrames -= omittedUnitCount * unitLength
        try output.finish(written)
        logWrite()
        return written
    }

    /// Writes all pending bytes.
    mutating func flush() throws(AudioFileError) {
        logWrite()
        try output.flush()
    }

    /// Logs what has been appended since the last time.
    private mutating func logWrite() {
        if pendingCount > 0 {
            let position = meter.unitCount - pendingCount
            log?("write \(pendingCount) packets with \(byteCount - loggedByteCount) bytes at position \(position)")
        }
        (pendingCount, loggedByteCount) = (0, byteCount)
    }
}
