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

/// Converts a file or pipe of PCM or encoded audio to any supported format, in bounded memory.
///
/// ```swift
/// var configuration = FileConverterConfiguration()
/// configuration.sampleRate = 44_100
/// let summary = try await FileConverter(input: "take.flac", output: "take.wav", configuration: configuration).run()
/// ```
///
/// Lossless conversions are bit-exact, and lengths are exact to the sample frame. The output becomes visible under its name only when it is
/// complete. After an error, no output remains.
public struct FileConverter: Sendable {
    /// The input's path, or `-` for standard input.
    package let input: String
    /// The inputs to append to ``input`` without gaps, or `nil` if no files are joined.
    let joined: [String]?
    /// The output's path, or `-` for standard output.
    package let output: String
    package internal(set) var configuration: FileConverterConfiguration

    /// Called with a line about each encoder step: formats, bit rate, every read and write.
    ///
    /// Encoding is single-threaded while this is set.
    package var log: (@Sendable (String) -> Void)?

    /// The processors that this converter shares with others, or `nil` to use the configured number of threads.
    package var threadBudget: ThreadBudget?
    /// A folder of segments of this file that other processes have encoded (see ``contribute(threadCount:isStopped:)``), or `nil` for none.
    package var segmentFolder: String?
    /// Where a join to AAC saves its state until it is complete, so that it can resume after an error, or `nil` for nowhere.
    package var unfinished: UnfinishedJoin?

    /// Called with the complete output before it gets its final name.
    ///
    /// If it throws, the output is deleted.
    ///
    /// It receives the path of the temporary file, or `nil` for a pipe.
    package typealias Check = (_ partialPath: String?, ConversionSummary) throws(AudioFileError) -> Void

    /// The approximate size of a PCM read, in bytes.
    private static let readSize = 65_536
    /// The number of PCM frames to write at a time.
    private static let writeLength = 16_384

    /// Creates a converter without opening files.
    ///
    /// - Parameters:
    ///   - input: The input's path, or `-` for standard input.
    ///   - output: The output's path, or `-` for standard output. Its extension chooses the file format.
    ///   - configuration: The settings.
    public init(input: String, output: String, configuration: FileConverterConfiguration = FileConverterConfiguration()) {
        self.input = input
        joined = nil
        self.output = output
        self.configuration = configuration
    }

    /// Creates a converter that joins several inputs without gaps, without opening files.
    ///
    /// Each input becomes a chapter, named by its title or file name, unless it has chapters itself. Tags and pictures are taken from the
    /// first input; its album becomes the title of the output.
    ///
    /// - Parameters:
    ///   - inputs: The inputs' paths, at least one. Different sample rates or channel counts require a rate or count in `configuration`.
    ///   - output: The output's path, or `-` for standard output. Its extension chooses the file format.
    ///   - configuration: The settings.
    public init(joining inputs: [String], output: String, configuration: FileConverterConfiguration = FileConverterConfiguration()) {
        precondition(!inputs.isEmpty, "there is a file to join")
        input = inputs[0]
        joined = Array(inputs.dropFirst())
        self.output = output
        self.configuration = configuration
    }

    /// Creates a converter from encoded audio to PCM.
    ///
    /// Samples are rounded without dither, as in a player.
    package init(decoding input: String, output: String, configuration: FileConverterConfiguration) {
        self.init(input: input, output: output, configuration: configuration)
        self.configuration.verb = .decode
        self.configuration.dither = Dither.none
    }

    /// Opens the input, or all inputs as one.
    ///
    /// - Parameter known: Properties of the joined files that an earlier run has stored, if any.
    func open(_ known: JoinedPCMSource.KnownParts? = nil) throws -> ConversionInput {
        guard let joined else { return try ConversionInput(path: input, configuration) }
        return try ConversionInput(joining: [input] + joined, configuration, known: known)
    }

    /// Returns the input's duration whose output has a size, in whole sample frames; zero if tags need all of it, `nil` for encoded output.
    ///
    /// FLAC counts as uncompressed.
    package func duration(ofByteCount byteCount: Int) throws(AudioFileError) -> Duration? {
        try attempt {
            let input = try open()
            let plan = try ConversionPlan(configuration, input, paths: (self.input, output))
            guard plan.encoder == nil else { return nil }
            let format = plan.target
            let growth = FileGrowth(bytesPerFrame: format.bytesPerFrame, tags: plan.outputTags(storing: nil).tags.byteCount)
            let space = byteCount - growth.byteCount(frames: 0, accessUnits: 0, payload: 0)
            // A conversion rounds the length up.
            let frames = max(0, space) / format.bytesPerFrame - (plan.isResampled ? 1 : 0)
            return Duration(frameCount: max(0, frames), sampleRate: format.sampleRate)
        }
    }

    /// Converts the file on dedicated threads.
    ///
    /// AAC encoding of a file uses all processors, and a first pass finds the one quality that yields the average bit rate. For pipes and
    /// joined files, rate control adapts the quality instead. Resampled files, and files of MP3, AAC and similar formats, are first copied
    /// as samples to an unnamed file in the temporary directory. If the copy would exceed 2 GiB or half of the free space, they are encoded
    /// like pipes.
    ///
    /// - Parameter progress: Called on another thread after every read or segment.
    /// - Returns: The formats of input and output, counts of frames, clipped samples and damage, and notes.
    /// - Throws: ``/PCMFiles/AudioFileError``, with ``/PCMFiles/AudioFileError/Code/cancelled`` if the task was cancelled. Then no output
    ///   remains.
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
    ///   - progress: Called after every read or segment. Returns false to stop.
    ///   - check: Called with the complete output before it gets its final name.
    /// - Returns: The formats of input and output, counts of frames, clipped samples and damage, and notes.
    /// - Throws: ``/PCMFiles/AudioFileError``, with ``/PCMFiles/AudioFileError/Code/cancelled`` if `progress` returned false.
    @discardableResult
    package func run(
        _ progress: (ConversionProgress) -> Bool = { _ in true }, check: Check? = nil
    ) throws(AudioFileError) -> ConversionSummary {
        let clock = ContinuousClock()
        let start = clock.now
        let journal = openJournal()
        return try attempt {
            var opened = try open(journal?.retained?.parts)
            var plan = try detectingNearMono(ConversionPlan(configuration, opened, paths: (input, output)), opened)
            var isComplete = false
            defer { if !isComplete { journal?.reportFailure() } }
            // An existing output is refused before long work.
            let file = try OutputFile(path: output, overwrites: configuration.overwrites, inputs: [input] + (joined ?? []))
            let adjustment = try loudnessAdjustment(plan)
            try setStatedLoudness(of: &plan, adjustment)
            let setting = adjustment?.setting ?? gainSetting
            let tags = plan.outputTags(storing: adjustment)
            var summary =
                switch plan.codec {
                case .pcm: try convert(opened, plan, setting, tags.tags, to: file, progress)
                case .alac: try compress(opened, plan, setting, tags.tags, to: file, progress)
                case .aac, .opus, .ilbc: try encode(&opened, plan, setting, tags.tags, to: file, journal, progress)
                }
            summary.byteCount = max(file.byteCount, (try? file.file.status())?.byteCount ?? summary.byteCount)
            summary.decoding = opened.statistics
            if !tags.namesLost.isEmpty { summary.notes.append(.tagsLeftOut(tags.namesLost, format: plan.format)) }
            let isRequested = configuration.loudnessTarget != nil || configuration.storesLoudness
            summary.record(isRequested ? adjustment : nil, gain: setting)
            // Encoding changes the true peak.
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
    ///   - setting: The gain and the true peak limit, or `nil` to keep the input's loudness.
    ///   - progress: Called after every read. Returns false to stop.
    private func convert(
        _ input: ConversionInput, _ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?, _ tags: AudioTags,
        to file: OutputFile, _ progress: (ConversionProgress) -> Bool
    ) throws -> ConversionSummary {
        let converter = try plan.isDecoding ? nil : plan.makeConverter(isMixed: setting != nil)
        let properties = input.reader.properties
        let writer = try plan.makeWriter(
            file, tags, inputFrameCount: plan.frames.upperBound == .max ? properties.frameCount : plan.frames.count)
        var state = ConversionProgress(plan, properties)
        var bytes: [UInt8] = []
        func advance(_ frameCount: Int) throws(AudioFileError) {
            state.framesRead += frameCount
            guard progress(state) else { throw AudioFileError(.cancelled, path: self.input) }
        }
        if let converter {
            try convert(input, plan, setting, with: converter) { frameCount in
                while converter.availableFrameCount > 0 {
                    converter.read(Self.writeLength, into: &bytes)
                    try writer.append(bytes: bytes)
                }
                try advance(frameCount)
            }
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
        if let converter { summary.record(converter, plan) }
        summary.warnings = input.reader.warnings
        return summary
    }

    /// Converts to Apple Lossless, as ``convert(_:_:_:_:to:_:)`` to PCM.
    private func compress(
        _ input: ConversionInput, _ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?, _ tags: AudioTags,
        to file: OutputFile, _ progress: (ConversionProgress) -> Bool
    ) throws -> ConversionSummary {
        let converter = try plan.makeConverter(isMixed: setting != nil)
        guard let encoder = converter.encoder else { preconditionFailure("the plan has an encoder") }
        var options = ContainerWriterOptions()
        options.tags = tags
        var stream = try EncodedOutput(plan.format, options, expectedFrameCount: nil, encoder: encoder, file: file, log: log)
        var state = ConversionProgress(plan, input.reader.properties)
        try convert(input, plan, setting, with: converter) { frameCount in
            while let packet = converter.nextPacket() { try stream.append(packet) }
            state.framesRead += frameCount
            state.bytesWritten = stream.byteCount
            guard progress(state) else { throw AudioFileError(.cancelled, path: self.input) }
        }
        guard state.framesRead > 0 || configuration.range == nil else { throw AudioFileError(.emptyRange, path: self.input) }
        var summary = ConversionSummary(plan, input.reader.properties, format: stream.container, outputPath: file.path)
        summary.gapless = try stream.finish(converter.outputGapless ?? summary.gapless)
        summary.record(encoder, stream.meter)
        summary.record(converter, plan)
        summary.framesRead = state.framesRead
        summary.warnings = input.reader.warnings
        return summary
    }

    /// Passes the input to a converter.
    ///
    /// - Parameters:
    ///   - setting: The gain and the true peak limit, or `nil` to keep the input's loudness.
    ///   - step: Writes the converter's output after each read of a number of frames, and at the end.
    private func convert(
        _ input: ConversionInput, _ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?, with converter: AudioConverter,
        _ step: (_ frameCount: Int) throws -> Void
    ) throws {
        if let setting {
            var samples = try EncoderInputReader(input.reader, plan, gain: setting)
            while let buffer = try samples.next() {
                try converter.append(buffer)
                try step(samples.latestFrames)
            }
        } else {
            try forEachRead(of: input, plan) { bytes in
                try bytes.withSpan { (span) throws(CodecError) in try converter.append(span.bytes) }
                try step(bytes.count / plan.source.bytesPerFrame)
            }
        }
        try converter.finish()
        try step(0)
    }

    package func attempt<Value>(_ step: () throws -> Value) throws(AudioFileError) -> Value {
        try AudioFileError.attempt(input, output: output, step)
    }
}

extension FileConverter {
    /// Reads the input frames to convert and calls `body` with the bytes of each read.
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
