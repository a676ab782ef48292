// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioLoudness
internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio
public import PCMFiles
internal import SystemFiles

/// Converts a file or pipe of PCM or coded audio to another of any format, in bounded memory.
///
/// ```swift
/// var configuration = FileConverterConfiguration()
/// configuration.sampleRate = 44_100
/// let summary = try await FileConverter(input: "take.flac", output: "take.wav", configuration: configuration).run()
/// ```
///
/// Where nothing has to be lost, samples are exact to the bit; lengths are exact to the sample frame. The output appears under its name only
/// when it is complete; after an error nothing is left of it.
public struct FileConverter: Sendable {
    /// The input's path; `-` is standard input.
    package let input: String
    /// Further inputs, which are joined to the first without a gap; nil where nothing is joined.
    let joined: [String]?
    /// The output's path; `-` is standard output.
    package let output: String
    /// The settings of the output.
    package internal(set) var configuration: FileConverterConfiguration

    /// A function that is called with a line about each step of an encoder: formats, bit rate, every read and write.
    ///
    /// One thread works while it is set.
    package var log: (@Sendable (String) -> Void)?

    /// The processors that this converter shares with others; nil to use as many threads as the configuration says at once.
    package var threadBudget: ThreadBudget?
    /// A folder with segments of this file that other processes have encoded, see ``contribute(threadCount:isStopped:)``; nil for none.
    package var segmentFolder: String?
    /// The place where a join to AAC keeps its work until it is complete, also after an error; nil for none.
    package var unfinished: UnfinishedJoin?

    /// A function that is called with the complete output before it gets its name: with the path that the file has until then, nil for a
    /// pipe.
    ///
    /// If it throws, nothing is left of the output.
    package typealias Check = (_ partialPath: String?, ConversionSummary) throws(AudioFileError) -> Void

    /// Bytes of PCM per read, about.
    private static let readSize = 65_536
    /// Frames of PCM that are written at a time.
    private static let writeLength = 16_384

    /// Creates a converter; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - input: The input's path; `-` is standard input.
    ///   - output: The output's path; `-` is standard output. Its extension chooses the file format.
    ///   - configuration: The settings of the output.
    public init(input: String, output: String, configuration: FileConverterConfiguration = FileConverterConfiguration()) {
        self.input = input
        joined = nil
        self.output = output
        self.configuration = configuration
    }

    /// Creates a converter of several inputs to one output without gaps; nothing is opened yet.
    ///
    /// Each input is a chapter, with its title or the name of its file, unless it has chapters itself. Tags and pictures are those of the first,
    /// whose album is the title of the output.
    ///
    /// - Parameters:
    ///   - inputs: The inputs' paths, at least one, with the same sample rate and number of channels.
    ///   - output: The output's path; `-` is standard output. Its extension chooses the file format.
    ///   - configuration: The settings of the output.
    public init(joining inputs: [String], output: String, configuration: FileConverterConfiguration = FileConverterConfiguration()) {
        precondition(!inputs.isEmpty, "there is a file to join")
        input = inputs[0]
        joined = Array(inputs.dropFirst())
        self.output = output
        self.configuration = configuration
    }

    /// Creates a converter of a file of coded audio to one of PCM.
    ///
    /// Samples are rounded without noise, as a player does; tags that the format can't hold are left out with a note.
    package init(decoding input: String, output: String, configuration: FileConverterConfiguration) {
        self.init(input: input, output: output, configuration: configuration)
        self.configuration.verb = .decode
        self.configuration.dither = Dither.none
    }

    /// Opens the input, or all inputs as one.
    ///
    /// - Parameter known: What an earlier run has found out about the files that are joined; nil for nothing.
    func open(_ known: JoinedPCMSource.KnownParts? = nil) throws -> ConversionInput {
        guard let joined else { return try ConversionInput(path: input, configuration) }
        return try ConversionInput(joining: [input] + joined, raw: configuration.raw, known: known)
    }

    /// Converts the file.
    ///
    /// AAC is encoded on all processors where the input can be read at several positions, and gets its average bit rate by a first pass,
    /// which finds the one quality for it; pipes, and resampled files, get it by a quality that follows the rate.
    ///
    /// The work is done on threads of its own.
    ///
    /// - Parameter progress: Called on another thread after every read or segment with what has been done; nil for none.
    /// - Returns: The formats of input and output, counts of frames, clipped samples and damage, and notes.
    /// - Throws: ``/PCMFiles/AudioFileError``; ``/PCMFiles/AudioFileError/Code/cancelled`` if the task was cancelled, and then nothing is left of the output.
    @discardableResult
    public func run(progress: (@Sendable (ConversionProgress) -> Void)? = nil) async throws(AudioFileError) -> ConversionSummary {
        let converter = self
        return try await BackgroundWork.run { isCancelled throws(AudioFileError) in
            try converter.run { state in
                progress?(state)
                return !isCancelled()
            }
        }
    }

    /// Converts the file on this thread and others.
    ///
    /// - Parameters:
    ///   - progress: Called after every read or segment with what has been done; returns false to stop the converter.
    ///   - check: Called with the complete output before it gets its name.
    /// - Returns: The formats of input and output, counts of frames, clipped samples and damage, and notes.
    /// - Throws: ``/PCMFiles/AudioFileError``; ``/PCMFiles/AudioFileError/Code/cancelled`` if `progress` returned false.
    @discardableResult
    package func run(
        _ progress: (ConversionProgress) -> Bool = { _ in true }, check: Check? = nil
    ) throws(AudioFileError) -> ConversionSummary {
        let clock = ContinuousClock()
        let start = clock.now
        let journal = openJournal()
        return try attempt {
            let opened = try open(journal?.kept?.parts)
            let plan = try detectingNearMono(ConversionPlan(configuration, opened, paths: (input, output)), opened.reader)
            var isComplete = false
            defer { if !isComplete { journal?.reportFailure() } }
            let adjustment = try loudnessAdjustment(plan)
            let tags = plan.outputTags(storing: adjustment)
            var (file, summary) =
                try plan.encoder == nil
                ? convert(opened, plan, adjustment?.setting, tags.tags, progress)
                : encode(opened, plan, adjustment?.setting, tags.tags, journal, progress)
            summary.byteCount = max(file.byteCount, (try? file.file.status())?.byteCount ?? summary.byteCount)
            summary.decoding = opened.statistics
            if !tags.namesLost.isEmpty { summary.notes.append(.tagsLeftOut(tags.namesLost, format: plan.format)) }
            summary.record(adjustment, target: configuration.loudnessTarget)
            // Coding moves the true peak.
            if configuration.loudnessTarget != nil, plan.encoder != nil, let path = file.partialPath {
                summary.decodedLoudness = try FileLoudness(of: .file(path)).run()
            }
            summary.elapsed = clock.now - start
            try check?(file.partialPath, summary)
            try file.commit()
            journal?.remove()
            isComplete = true
            if plan.encoder != nil { log?("Audio Encoder Complete") }
            return summary
        }
    }

    /// Converts to PCM.
    ///
    /// - Parameters:
    ///   - input: The opened input.
    ///   - plan: The formats of input and output.
    ///   - setting: The gain and the limit of true peaks; nil for the loudness of the input.
    ///   - tags: The tags of the output.
    ///   - progress: Called after every read with what has been done; returns false to stop.
    /// - Returns: The complete output, which has no name yet.
    private func convert(
        _ input: ConversionInput, _ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?, _ tags: AudioTags,
        _ progress: (ConversionProgress) -> Bool
    ) throws -> (OutputFile, ConversionSummary) {
        var samples = try setting.map { try EncoderInputReader(input.reader, plan, gain: $0) }
        let converter = try plan.isDecoding ? nil : plan.makeConverter(isMixed: samples != nil)
        let file = try OutputFile(path: output, overwrites: configuration.overwrites, input: self.input)
        let properties = input.reader.properties
        let writer = try plan.makeWriter(
            file, tags, inputFrameCount: plan.frames.upperBound == .max ? properties.frameCount : plan.frames.count)
        var state = ConversionProgress(plan, properties)
        var bytes: [UInt8] = []
        /// Writes what a converter has made.
        func write(_ converter: AudioConverter) throws {
            while converter.availableFrameCount > 0 {
                converter.read(Self.writeLength, into: &bytes)
                try writer.append(bytes: bytes)
            }
        }
        /// Counts a read.
        func advance(_ frameCount: Int) throws(AudioFileError) {
            state.framesRead += frameCount
            guard progress(state) else { throw AudioFileError(.cancelled, path: self.input) }
        }
        if let converter {
            if samples == nil {
                try forEachRead(of: input, plan) { bytes in
                    try bytes.withSpan { (span) throws(CodecError) in try converter.append(span.bytes) }
                    try write(converter)
                    try advance(bytes.count / plan.source.bytesPerFrame)
                }
            }
            while let buffer = try samples?.next() {
                try converter.append(buffer)
                try write(converter)
                try advance(samples?.latestFrames ?? 0)
            }
            try converter.finish()
            try write(converter)
        } else {
            try input.coded?.forEachBuffer { buffer in
                try writer.append(buffer)
                try advance(buffer.frameCount)
            }
        }
        guard state.framesRead > 0 || configuration.range == nil else { throw AudioFileError(.emptyRange, path: self.input) }
        try writer.finish()
        var summary = ConversionSummary(plan, properties, format: plan.format, outputPath: file.path)
        summary.framesRead = state.framesRead
        summary.gapless = GaplessInfo(primingFrames: 0, validFrames: writer.frameCount, remainderFrames: 0)
        summary.byteCount = writer.frameCount * writer.format.bytesPerFrame
        summary.clippedSampleCount = converter?.clippedSampleCount ?? 0
        summary.dither = converter?.addsDither == true ? plan.options.dither : .none
        summary.warnings = input.reader.warnings
        return (file, summary)
    }

    /// Runs a step, and makes errors of lower layers name the file.
    package func attempt<Value>(_ step: () throws -> Value) throws(AudioFileError) -> Value {
        try AudioFileError.attempt(input, output: output, step)
    }
}

extension FileConverter {
    /// Reads the part of the input that is converted, and calls `body` with the sample frames of each read.
    private func forEachRead(of input: ConversionInput, _ plan: ConversionPlan, _ body: ([UInt8]) throws -> Void) throws {
        let readLength = max(256, Self.readSize / plan.source.bytesPerFrame)
        var bytes: [UInt8] = []
        var framesRead = 0
        try input.move(toFrame: plan.frames.lowerBound)
        while framesRead < plan.frames.count {
            try input.reader.read(min(readLength, plan.frames.count - framesRead), into: &bytes)
            guard !bytes.isEmpty else { return }
            framesRead += bytes.count / plan.source.bytesPerFrame
            try body(bytes)
        }
    }
}
