// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec
public import AudioContainers
internal import AudioPrimitives
public import MPEG4Audio
public import PCMFiles

/// How a file is encoded; what is not set follows from the input.
public struct FileEncoderConfiguration: Hashable, Sendable {
    /// Constant, average or variable bit rate; nil for the preset's or the encoder's default.
    public var rateControl: AACEncoderConfiguration.RateControl?
    /// Settings under a name; a rate control or a profile of its own goes before.
    public var preset: AudioPreset?
    /// AAC-LC, HE-AAC or HE-AAC v2; nil for the preset's or AAC-LC.
    public var profile: AACProfile?
    /// How containers tell of HE-AAC; nil for the encoder's default.
    ///
    /// ADTS can't; ``FileEncodingError/signaling(path:)`` is thrown if it is asked to.
    public var signaling: AudioSpecificConfig.ExtensionSignaling?
    /// Time spent against quality.
    public var effort = AACEncoderConfiguration.Effort.balanced
    /// The highest frequency coded, in hertz.
    public var bandwidth: Int?
    /// Whether all channels are mixed to one.
    public var mixesToMono = false
    /// The sample rate of the output in hertz, if it is not to be the preset's or else the input's.
    public var sampleRate: Int?
    /// What happens to samples that are not a number, or infinite.
    public var invalidSamples = AACEncoderConfiguration.InvalidSamplePolicy.throwError
    /// The container; nil for the one that the output's extension stands for, or ADTS.
    public var container: ContainerFormat?
    /// Version and checksums, in ADTS.
    public var adts = ADTSWriterOptions()
    /// Title, artist and so on, for M4A and CAF; the encoder's name is added.
    public var tags = AudioTags()
    /// How to read an input without a header.
    public var raw: RawPCMInput?
    /// Whether an existing output is replaced.
    public var overwrites = false
    /// Threads that work on the file, where it is one that can be read at several places at once; nil for all processors.
    ///
    /// The output is the same for any number.
    public var threadCount: Int?

    /// Makes options with the defaults.
    public init() {}
}

/// Encodes a PCM file or pipe to an AAC file or pipe, in bounded memory.
///
/// The output appears under its name only when it is whole; if anything goes wrong, nothing is left of it.
public struct FileEncoder {
    /// The input's path; `-` is standard input.
    public let input: String
    /// The output's path; `-` is standard output.
    public let output: String
    /// How the file is encoded.
    public let configuration: FileEncoderConfiguration

    /// Takes a line about each step: formats, bit rate, every read and write.
    public var log: ((String) -> Void)?

    /// Prepares to encode; nothing is opened yet.
    public init(input: String, output: String, configuration: FileEncoderConfiguration = FileEncoderConfiguration()) {
        self.input = input
        self.output = output
        self.configuration = configuration
    }

    /// Encodes the whole file.
    ///
    /// `progress` is called after every read with what has been done; when it returns false, the work stops with
    /// ``FileEncodingError/cancelled``. Files that can be read at several places get their bit rate on average by a first pass, which
    /// finds the one quality for it; pipes, and what is resampled, by a quality that follows the rate.
    public func run(_ progress: (EncodingProgress) -> Bool = { _ in true }) throws(FileEncodingError) -> EncodingSummary {
        let clock = ContinuousClock()
        let start = clock.now
        guard container.canStore(configuration.tags) else { throw .tags(path: output, container) }
        if container == .adts, let signaling = configuration.signaling, signaling != .implicit { throw .signaling(path: output) }
        let reader = try attempt { try PCMFileReader(path: input, raw: configuration.raw) }
        var feed = try attempt {
            try EncoderInputReader(
                reader, mixesToMono: configuration.mixesToMono, sampleRate: configuration.sampleRate ?? configuration.preset?.sampleRate)
        }
        let encoder = try makeEncoder(for: reader, sampleRate: feed.sampleRate)
        let file = try attempt { try OutputFile(path: output, overwrites: configuration.overwrites, input: input) }
        logFormats(reader.properties, encoder)
        var stream = try attempt {
            let frames = feed.sampleRate == reader.properties.sampleRate ? reader.properties.frameCount : nil
            return try EncodedOutput(
                container, options: configuration, expectedFrameCount: frames, encoder: encoder, file: file, log: log)
        }
        let sharing = sharing(of: reader, encoder, isResampled: feed.sampleRate != reader.properties.sampleRate)
        let plan = try attempt { try sharing?.plan() }
        let gapless: GaplessInfo
        var warnings: [PCMFileWarning] = []
        if let sharing, sharing.isWorthwhile(plan: plan), log == nil {
            let end = try encodeParts(sharing.segments(plan: plan), of: reader.properties, &stream, progress)
            (gapless, warnings) = (end.gapless, end.warnings)
        } else {
            var levels: SequentialSegmentQuality?
            if let plan, let sharing {
                levels = SequentialSegmentQuality(plan, encoder: encoder, segmentLength: sharing.segmentLength)
            }
            gapless = try encode(&feed, of: reader.properties, encoder, &levels, &stream, progress)
            warnings = reader.warnings
        }
        try attempt { try stream.finish(gapless) }
        try attempt { try file.commit() }
        log?("Total number of output frames counted: \(stream.meter.frameCount)")
        log?("Audio Encoder Complete")
        return EncodingSummary(
            input: reader.properties, output: file, encoder: encoder, stream: stream, gapless: gapless, warnings: warnings,
            elapsedSeconds: (clock.now - start) / .seconds(1))
    }

    private var container: ContainerFormat {
        let name = output.split(separator: "/").last ?? ""
        let ending = name.split(separator: ".").dropFirst().last
        return configuration.container ?? ending.flatMap { ContainerFormat(writableFileExtension: String($0)) } ?? .adts
    }

    private func encode(
        _ feed: inout EncoderInputReader, of properties: PCMFileProperties, _ encoder: AACEncoder,
        _ levels: inout SequentialSegmentQuality?,
        _ stream: inout EncodedOutput, _ progress: (EncodingProgress) -> Bool
    ) throws(FileEncodingError) -> GaplessInfo {
        func append(_ unit: AccessUnit) throws {
            levels?.append(byteCount: unit.payload.count)
            try stream.append(unit)
        }
        let bytesPerFrame = properties.streamDescription.bytesPerFrame
        var state = EncodingProgress(totalFrames: properties.frameCount, sampleRate: properties.sampleRate)
        while let samples = try attempt({ try feed.next() }) {
            if feed.latestFrames > 0 {
                let byteCount = feed.latestFrames * bytesPerFrame
                log?("read \(feed.latestFrames) packets with \(byteCount) bytes at position \(state.framesRead)")
            }
            try attempt { try encoder.encode(samples, append) }
            try attempt { try stream.flush() }
            state.framesRead = feed.framesRead
            state.bytesWritten = stream.byteCount
            guard progress(state) else { throw .cancelled }
        }
        return try attempt { try encoder.finish(append) }
    }

    /// How threads share the file; nil for one that can't be read at several places.
    private func sharing(of reader: PCMFileReader, _ encoder: AACEncoder, isResampled: Bool) -> ParallelFileEncoding? {
        guard reader.allowsSharedReading, !isResampled, let frameCount = reader.properties.frameCount else { return nil }
        let source = SegmentSource(
            path: input, raw: configuration.raw, mixesToMono: configuration.mixesToMono, configuration: encoder.configuration,
            keepsElements: configuration.adts.hasCRC)
        return ParallelFileEncoding(
            source: source, encoder: encoder, frameCount: frameCount,
            threadCount: configuration.threadCount ?? ParallelFileEncoding.processorCount)
    }

    private func encodeParts(
        _ work: OrderedParallelMap<EncodedSegment>, of properties: PCMFileProperties, _ stream: inout EncodedOutput,
        _ progress: (EncodingProgress) -> Bool
    ) throws(FileEncodingError) -> EncodedSegment.End {
        defer { work.stop() }
        var state = EncodingProgress(totalFrames: properties.frameCount, sampleRate: properties.sampleRate)
        while let part = try attempt({ try work.next() }) {
            try attempt {
                try stream.append(part)
                try stream.flush()
            }
            state.framesRead = part.framesRead
            state.bytesWritten = stream.byteCount
            guard progress(state) else { throw .cancelled }
            if let end = part.end { return end }
        }
        preconditionFailure("the last part goes on to the end")
    }

    private func makeEncoder(for reader: PCMFileReader, sampleRate: Int) throws(FileEncodingError) -> AACEncoder {
        let properties = reader.properties
        let channelCount = configuration.mixesToMono ? 1 : properties.channelCount
        let presetBitRate = configuration.preset?.bitRate(sampleRate: sampleRate, channelCount: channelCount)
        let preset = presetBitRate.map { AACEncoderConfiguration.RateControl.average(bitRate: $0) }
        var encoding = AACEncoderConfiguration(
            sampleRate: sampleRate, channelCount: channelCount, rateControl: configuration.rateControl ?? preset,
            effort: configuration.effort, bandwidth: configuration.bandwidth)
        encoding.invalidSamples = configuration.invalidSamples
        encoding.profile = configuration.profile ?? configuration.preset?.profile ?? .lowComplexity
        if encoding.profile == .automatic, channelCount == 2, reader.allowsSharedReading {
            encoding.isNearlyMono = try attempt { try NearMonoDetector.isNearlyMono(path: input, raw: configuration.raw) }
        }
        if let signaling = configuration.signaling { encoding.signaling = signaling }
        if !configuration.mixesToMono, channelCount > 2, let found = properties.channelLayout,
            let needed = ChannelConfiguration(channelCount: channelCount)?.layout
        {
            guard let order = found.matching(needed) else {
                throw .loudspeakers(path: input, found: found, allowed: needed.inWAVOrder)
            }
            encoding.inputLayout = order
        }
        return try attempt { try AACEncoder(encoding) }
    }

    private func logFormats(_ properties: PCMFileProperties, _ encoder: AACEncoder) {
        guard let log else { return }
        let configuration = encoder.audioSpecificConfig
        let isReplicated = encoder.profile != .lowComplexity
        let output = StreamDescription(
            formatID: isReplicated
                ? encoder.profile == .highEfficiency ? .mpeg4HighEfficiencyAAC : .mpeg4HighEfficiencyAACv2 : .mpeg4AAC,
            sampleRate: configuration.outputSampleRate, channelCount: encoder.configuration.channelCount)
        log("Input Audio Stream Format:\n\(properties.streamDescription)")
        log("Output Audio Stream Format:\n\(output)")
        if isReplicated { log("Profile: \(encoder.profile), core at \(configuration.sampleRate) Hz") }
        log("AAC Encode Bitrate: \(encoder.bitRate.map(String.init) ?? "variable")")
    }

    /// Runs a step and says in its error which one it was.
    private func attempt<Value>(_ step: () throws -> Value) throws(FileEncodingError) -> Value {
        do {
            return try step()
        } catch let error as FileEncodingError {
            throw error
        } catch let error as PCMFileError {
            throw .input(error)
        } catch let error as OutputError {
            throw .output(error)
        } catch Resampler.Failure.unsupportedRates(let from, let to) {
            throw .sampleRates(path: input, from: from, to: to)
        } catch Resampler.Failure.libraryMissing {
            throw .input(.libraryMissing(path: input, library: .soxr))
        } catch is Resampler.Failure {
            throw .resampling(path: input)
        } catch let error as ContainerError {
            if let error = OutputError(error, path: output) { throw .output(error) }
            throw .container(path: output, error)
        } catch let error as AACError {
            if case .invalidSample = error { throw .samples(path: input, error) }
            throw .settings(path: input, error)
        } catch {
            preconditionFailure("an error that no step throws: \(error)")
        }
    }
}

extension ChannelLayout {
    /// These channels with the speakers named as in `needed`, where back and side are taken for the same; nil if others differ.
    func matching(_ needed: ChannelLayout) -> ChannelLayout? {
        if needed.permutation(from: self) != nil { return self }
        let swaps: [[Speaker: Speaker]] = [
            [.backLeft: .sideLeft, .backRight: .sideRight], [.sideLeft: .backLeft, .sideRight: .backRight],
        ]
        let renamed = swaps.map { swap in ChannelLayout(speakers.map { swap[$0] ?? $0 }) }
        return renamed.first { needed.permutation(from: $0) != nil }
    }
}
