// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioLoudness
internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio
internal import PCMFiles
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
    public let input: String
    /// Further inputs, which are joined to the first without a gap; nil where nothing is joined.
    let joined: [String]?
    /// The output's path; `-` is standard output.
    public let output: String
    /// The settings of the output.
    public let configuration: FileConverterConfiguration

    /// The place where a join to AAC keeps its work until it is complete, also after an error; nil for none.
    package var unfinished: UnfinishedJoin?

    /// Bytes of PCM per read, about.
    static let readSize = 65_536

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

    /// Opens the input, or all inputs as one.
    ///
    /// - Parameter known: What an earlier run has found out about the files that are joined; nil for nothing.
    private func open(_ known: JoinedPCMSource.KnownParts? = nil) throws -> ConversionInput {
        guard let joined else { return try ConversionInput(path: input, raw: configuration.raw) }
        return try ConversionInput(joining: [input] + joined, raw: configuration.raw, known: known)
    }

    /// Converts the file.
    ///
    /// AAC is encoded as ``FileEncoder`` does it, on all processors and with a bit rate that is met by a first pass, unless a channel map or
    /// another number of channels than one has to be made first.
    ///
    /// The work is done on threads of its own.
    ///
    /// - Parameter progress: Called on another thread after every read with what has been done; nil for none.
    /// - Returns: The formats of input and output, counts of frames, clipped samples and damage, and notes.
    /// - Throws: ``AudioFileError``; ``AudioFileError/Code/cancelled`` if the task was cancelled, and then nothing is left of the output.
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
    /// - Parameter progress: Called after every read with what has been done; returns false to stop the converter.
    /// - Returns: The formats of input and output, counts of frames, clipped samples and damage, and notes.
    /// - Throws: ``AudioFileError``; ``AudioFileError/Code/cancelled`` if `progress` returned false.
    @discardableResult
    package func run(_ progress: (ConversionProgress) -> Bool = { _ in true }) throws(AudioFileError) -> ConversionSummary {
        let clock = ContinuousClock()
        let start = clock.now
        let journal = openJournal()
        let opened = try attempt { try open(journal?.kept?.parts) }
        let plan = try ConversionPlan(configuration, opened, paths: (input, output))
        var summary =
            usesFileEncoder(plan) ? try encode(opened, plan, progress) : try attempt { try convert(opened, plan, journal, progress) }
        summary.decoding = opened.statistics
        // Damage of coded audio is in the statistics.
        summary.warnings = opened.coded == nil ? opened.reader.warnings : []
        summary.notes = plan.notes + summary.notes
        summary.elapsed = clock.now - start
        return summary
    }

    /// Converts with an ``/AudioConversion/AudioConverter``.
    private func convert(
        _ input: ConversionInput, _ plan: ConversionPlan, _ journal: JoinJournal?, _ progress: (ConversionProgress) -> Bool
    ) throws -> ConversionSummary {
        var isComplete = false
        defer { if !isComplete { journal?.reportFailure() } }
        let adjustment = try loudnessAdjustment(plan)
        let stages = try ConversionStages(plan, adjustment?.setting)
        let converter = stages.converter
        let file = try OutputFile(path: output, overwrites: configuration.overwrites, input: self.input)
        let target = try ConversionOutput(
            plan, converter, file: file, inputFrameCount: plan.frameCount ?? input.reader.properties.frameCount)
        let first = try stages.keep(in: journal, input.joined, target)
        var state = ConversionProgress(
            framesRead: first, totalFrames: plan.frameCount ?? input.reader.properties.frameCount, sampleRate: plan.source.sampleRate)
        try forEachRead(of: input, plan, from: first) { bytes in
            try stages.append(bytes)
            try target.write(converter)
            state.framesRead += bytes.count / plan.source.bytesPerFrame
            guard progress(state) else { throw AudioFileError(.cancelled, path: self.input) }
        }
        guard state.framesRead > 0 || configuration.range == nil else { throw AudioFileError(.emptyRange, path: self.input) }
        try stages.finish()
        try target.finish(converter)
        let byteCount = (try? file.file.status())?.byteCount ?? max(file.byteCount, target.byteCount)
        try file.commit()
        journal?.remove()
        isComplete = true
        var summary = ConversionSummary(plan, input.reader.properties, format: target.format, outputPath: file.path)
        summary.framesRead = state.framesRead
        summary.sampleRate = converter.outputConfiguration?.sampleRate ?? plan.target.sampleRate
        summary.gapless = converter.outputGapless
        summary.frameCount = converter.outputGapless?.validFrames ?? target.frameCount
        summary.clippedSampleCount = converter.clippedSampleCount
        summary.dither = converter.addsDither ? plan.options.dither : .none
        summary.byteCount = byteCount
        summary.loudness = adjustment?.loudness
        summary.gain = adjustment?.setting?.gain
        summary.notes = adjustment?.note(for: configuration.loudnessTarget).flatMap(ConversionNote.init).map { [$0] } ?? []
        return summary
    }

    /// Whether ``FileEncoder`` can do what is asked for.
    private func usesFileEncoder(_ plan: ConversionPlan) -> Bool {
        // It reads its input again by its path.
        guard joined == nil else { return false }
        guard plan.codec == .aac, configuration.channels == .automatic, configuration.rateQuality == .high else { return false }
        if plan.target.channelCount == 1 { return true }
        guard plan.target.channelCount == plan.source.channelCount else { return false }
        // Other speakers have to be mixed to those of AAC.
        guard plan.source.channelCount > 2, let found = plan.source.channelLayout else { return true }
        return found.namedAsInAAC != nil
    }

    /// Encodes AAC with a ``FileEncoder``.
    private func encode(_ input: ConversionInput, _ plan: ConversionPlan, _ progress: (ConversionProgress) -> Bool) throws(AudioFileError)
        -> ConversionSummary
    {
        var settings = FileEncoderConfiguration()
        settings.settings = configuration.settings
        settings.rateControl = configuration.settings.rateControl ?? configuration.bitRate.map { .average(bitRate: $0) }
        settings.mixesToMono = plan.target.channelCount == 1
        settings.sampleRate = plan.target.sampleRate
        settings.range = configuration.range
        settings.container = plan.format.container
        settings.tags = plan.tags
        settings.inheritsTags = false
        settings.raw = configuration.raw
        settings.overwrites = configuration.overwrites
        settings.threadCount = configuration.threadCount
        settings.loudnessTarget = configuration.loudnessTarget
        let encoder = FileEncoder(input: self.input, output: output, configuration: settings)
        var framesRead = 0
        let result = try encoder.run(reading: input.reader) { state in
            framesRead = state.framesRead
            return progress(ConversionProgress(framesRead: state.framesRead, totalFrames: state.totalFrames, sampleRate: state.sampleRate))
        }
        var summary = ConversionSummary(
            plan, input.reader.properties, format: OutputFileFormat(result.container), outputPath: result.outputPath)
        summary.framesRead = framesRead
        summary.gapless = result.gapless
        summary.frameCount = result.gapless.validFrames
        summary.byteCount = result.byteCount
        summary.loudness = result.loudness
        summary.decodedLoudness = result.decodedLoudness
        summary.gain = result.gain
        summary.notes = result.notes.compactMap(ConversionNote.init)
        return summary
    }

    /// Runs a step, and makes errors of lower layers name the file.
    private func attempt<Value>(_ step: () throws -> Value) throws(AudioFileError) -> Value {
        do { return try step() } catch { throw AudioFileError(converting: (input, output), error) }
    }
}

extension FileConverter {
    /// Measures the signal as it will be written, if its loudness is to be changed; nil else.
    ///
    /// - Throws: ``AudioFileError/Code/notSeekable`` for a pipe, which can't be read again.
    func loudnessAdjustment(_ plan: ConversionPlan) throws -> LoudnessAdjustment? {
        guard let target = configuration.loudnessTarget else { return nil }
        try LoudnessAdjustment.requireRereadable(input)
        return try LoudnessAdjustment(target) { try measure(plan, $0) }
    }

    /// Reads the whole input and measures it.
    private func measure(_ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?) throws -> LoudnessSummary {
        let stage = try LoudnessStage(plan, setting)
        let meter = try LoudnessMeter(
            sampleRate: stage.format.sampleRate, channelCount: stage.format.channelCount, layout: stage.format.channelLayout)
        try forEachRead(of: open(), plan) { try meter.add(stage.process($0)) }
        for buffer in try stage.finish() { try meter.add(buffer) }
        return try meter.summary()
    }

    /// Reads the part of the input that is converted.
    ///
    /// - Parameters:
    ///   - first: The frame of the part to begin with.
    ///   - body: Called with the sample frames of each read.
    func forEachRead(of input: ConversionInput, _ plan: ConversionPlan, from first: Int = 0, _ body: ([UInt8]) throws -> Void) throws {
        let readLength = max(256, Self.readSize / plan.source.bytesPerFrame)
        var bytes: [UInt8] = []
        var framesRead = first
        try input.move(toFrame: plan.frames.lowerBound + first)
        while framesRead < plan.frames.count {
            try input.reader.read(min(readLength, plan.frames.count - framesRead), into: &bytes)
            guard !bytes.isEmpty else { return }
            framesRead += bytes.count / plan.source.bytesPerFrame
            try body(bytes)
        }
    }
}
