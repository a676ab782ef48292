// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioMetadata
internal import AudioPrimitives
internal import PCMFiles
internal import SystemFiles

/// Writes what a converter gives: PCM to a PCM file, packets to a container.
final class ConversionOutput {
    /// The format that is written; for a pipe it can differ from the one that was asked for.
    let format: OutputFileFormat

    /// The writer of PCM; nil for a container.
    private let pcm: PCMFileWriter?
    /// The container of packets; nil for PCM.
    private var packets: EncodedOutput?
    private var bytes: [UInt8] = []
    /// The file that keeps access units of a join until the output is complete, and their encoder; nil where nothing is kept.
    private var keeping: (journal: JoinJournal, encoder: AACEncoder)?

    /// Frames of PCM that are written at a time.
    private static let writeLength = 16_384
    /// Bytes of PCM from which on pending ones are written.
    private static let pendingByteLimit = 65_536

    /// Begins the output of a converter.
    ///
    /// - Parameters:
    ///   - plan: The format of the output.
    ///   - converter: The converter, before its first input.
    ///   - file: The file, at its first byte.
    ///   - tags: The tags, which the format can hold.
    ///   - inputFrameCount: The number of sample frames of the input that are expected; nil if it is unknown.
    init(_ plan: ConversionPlan, _ converter: AudioConverter, file: OutputFile, tags: AudioTags, inputFrameCount: Int?) throws {
        guard let encoder = converter.encoder, let requested = plan.format.container else {
            guard let pcm = plan.format.pcm else { preconditionFailure("the plan has a format for its codec") }
            var format = PCMOutputFormat(
                pcm, encoding: plan.target.encoding, sampleRate: plan.target.sampleRate, channelCount: plan.target.channelCount,
                channelLayout: plan.target.channelLayout)
            format.tags = tags
            // For the seek table; the exact length is written at the end, which a pipe can't have.
            if pcm.isFLAC, file.file.canOverwrite {
                format.expectedFrameCount = inputFrameCount.map {
                    Int(Double($0) * Double(plan.target.sampleRate) / Double(plan.source.sampleRate))
                }
            }
            self.format = plan.format
            self.pcm = try PCMFileWriter(file.file, path: file.path, format: format, pendingByteLimit: Self.pendingByteLimit)
            return
        }
        pcm = nil
        var options = ContainerWriterOptions()
        options.tags = tags
        let output = try EncodedOutput(requested, options, expectedFrameCount: nil, encoder: encoder, file: file)
        packets = output
        format = OutputFileFormat(output.container)
    }

    /// The bit rate of the packets.
    var meter: BitRateMeter { packets?.meter ?? BitRateMeter() }
    /// The sample frames of PCM that were written.
    var frameCount: Int { pcm?.frameCount ?? 0 }

    /// The bytes of samples of PCM that were written.
    var byteCount: Int { pcm.map { $0.frameCount * $0.format.bytesPerFrame } ?? 0 }

    /// Writes all output that is complete.
    func write(_ converter: AudioConverter) throws {
        while let pcm, converter.availableFrameCount > 0 {
            converter.read(Self.writeLength, into: &bytes)
            try pcm.append(bytes: bytes)
        }
        while let packet = converter.nextPacket() {
            try packets?.append(packet)
            keeping?.journal.append(packet.payload)
        }
        if let keeping, let checkpoint = keeping.encoder.checkpoint { keeping.journal.reach(checkpoint) }
    }

    /// Keeps what is written from now on in a journal; writes what that holds of an earlier run.
    ///
    /// - Parameters:
    ///   - journal: The journal.
    ///   - encoder: The encoder of the converter, before its first input.
    ///   - source: The inputs.
    /// - Returns: The frame of the encoder's input from which it goes on.
    func keep(in journal: JoinJournal, _ encoder: AACEncoder, _ source: JoinedPCMSource) throws -> Int {
        keeping = (journal, encoder)
        journal.start(source, segmentLength: encoder.segments.length)
        guard let kept = journal.kept else { return 0 }
        guard let frame = encoder.start(at: kept.checkpoint) else {
            journal.discardKept()
            return 0
        }
        var unit = AccessUnit(
            payload: [], presentationTime: MediaTime(value: Int64(-encoder.delay), timescale: Int32(encoder.sampleRate)),
            duration: encoder.unitLength)
        try journal.resume { payload in
            unit.payload.removeAll(keepingCapacity: true)
            unit.payload += payload
            try packets?.append(unit)
            unit.presentationTime.value += Int64(encoder.unitLength)
        }
        journal.reportContinuing(seconds: Double(frame) / Double(encoder.sampleRate))
        return frame
    }

    /// Completes the output after the end of the converter.
    func finish(_ converter: AudioConverter) throws {
        try write(converter)
        try pcm?.finish()
        if let gapless = converter.outputGapless { _ = try packets?.finish(gapless) }
    }
}
