// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio
internal import PCMFiles
internal import SystemFiles

/// The output of a conversion, resolved from the user's configuration and the input's format.
struct ConversionPlan {
    let format: AudioFileFormat
    let codec: OutputCodec
    /// The input sample format in memory.
    private(set) var source: AudioFormat
    /// The output sample format in memory: the file's for PCM, otherwise the encoder's input format, with integers for Apple Lossless.
    let target: AudioFormat
    /// The encoder's parameters, or `nil` for PCM.
    var encoder: AudioEncoderConfiguration?
    let options: AudioConverterOptions
    /// Whether the user requested a time range.
    let isPart: Bool
    /// The input frames to convert.
    ///
    /// Unbounded without a time range, because a file can be longer than its header states.
    private(set) var frames: Range<Int>
    /// The number of frames to convert according to the input's header, or `nil` if unknown.
    private(set) var frameCount: Int?
    /// Differences from the request.
    let notes: [ConversionNote]

    /// Whether the encoder can process segments of the input in parallel.
    private(set) var usesSegments = false

    private let configuration: FileConverterConfiguration
    private let inputTags: AudioTags?

    /// Whether decoding alone produces the output samples, up to rounding.
    var isDecoding: Bool { configuration.verb == .decode && !isResampled && mixedChannelCount == nil }
    var isResampled: Bool { source.sampleRate != target.sampleRate }
    /// The output channel count if the input is mixed, or `nil` if its channels are unchanged.
    var mixedChannelCount: Int? { target.channelCount == source.channelCount ? nil : target.channelCount }

    /// The treatment of infinite and NaN samples of an encoder's input, or `nil` for iLBC, which rounds them to integers.
    var invalidSamples: AACEncoderConfiguration.InvalidSamplePolicy? { codec == .ilbc ? nil : configuration.settings.invalidSamples }

    /// Resolves a configuration.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError`` if the output does not support the request, or the range is empty.
    init(_ configuration: FileConverterConfiguration, _ input: ConversionInput, paths: (input: String, output: String))
        throws(AudioFileError)
    {
        self.configuration = configuration
        let properties = input.reader.properties
        (format, codec) = try Self.format(configuration, path: paths.output)
        source = AudioFormat(
            input.reader.encoding, sampleRate: properties.sampleRate, channelCount: properties.channelCount,
            channelLayout: properties.channelLayout)
        var resolver = ConversionTarget(
            configuration: configuration, properties: properties, source: source, fileFormat: format, codec: codec, notes: input.notes)
        target = resolver.format()
        do throws(CodecError) { encoder = try resolver.encoder(target) } catch { throw AudioFileError(error, input: paths.input) }
        options = resolver.options(target)
        var notes = resolver.notes
        if let (found, used) = resolver.foreignSpeakers(encoder) {
            guard configuration.verb != .encode, codec != .alac else {
                throw AudioFileError(.unsupportedChannelLayout(found: found, supported: used.inWAVOrder), path: paths.input)
            }
            notes.append(.speakersMixed(from: found, to: used, codec: codec))
        }
        if input.isRounded, codec == .pcm || codec == .alac, target.encoding.byteCount > 2 {
            notes.append(.samplesRounded(from: .int32, to: .int24))
        }
        if let note = resolver.averageNote(target) { notes.append(note) }
        if resolver.keepsCodec(of: input) { notes.append(.remuxingCopies(codec)) }
        self.notes = notes
        var inherited = configuration.inputTags(input.properties.tags, storage: format.tagStorage)
        inherited?.moveTimeReference(
            to: configuration.range?.frames(atRate: source.sampleRate).lowerBound ?? 0, rate: source.sampleRate,
            newRate: target.sampleRate)
        inputTags = inherited
        isPart = configuration.range != nil
        // When decoding, the decoder applies the range.
        let range = configuration.verb == .decode ? nil : configuration.range
        frames = try Self.frames(range, of: input.reader, isLengthCertain: input.coded != nil, path: paths.input)
        let declared = input.reader.allowsSharedReading ? properties.frameCount : nil
        frameCount = isPart && declared != nil ? frames.count : declared
        // Segments reopen the input by its path.
        usesSegments = input.joined == nil && keepsSpeakers
    }

    func encoding(_ settings: AACEncoderConfiguration) -> ConversionPlan {
        var plan = self
        plan.encoder = .aac(settings)
        return plan
    }

    /// Whether an encoder reads seekable input more than once, or by several threads: for AAC, unless a constant bit rate needs no choice of
    /// tools.
    var isReadRepeatedly: Bool {
        guard case .aac(let settings)? = encoder else { return false }
        guard case .constant = settings.rateControl, settings.profile == .lowComplexity else { return true }
        return settings.settings.effort == .best
    }

    /// The format of a copy of the encoder's input.
    var copyFormat: AudioFormat {
        AudioFormat(.float32, sampleRate: target.sampleRate, channelCount: target.channelCount, channelLayout: target.channelLayout)
    }

    func encodingCopy(frameCount: Int) -> ConversionPlan {
        var plan = self
        plan.source = copyFormat
        plan.frames = 0..<frameCount
        plan.frameCount = frameCount
        plan.usesSegments = true
        return plan
    }

    /// Whether the input needs only a sample rate conversion and a default downmix before the encoder.
    private var keepsSpeakers: Bool {
        guard codec == .aac || codec == .opus, configuration.channels == .automatic, configuration.rateQuality == .high,
            configuration.decoding.isUsual, options.dither == .none
        else { return false }
        guard target.channelCount == source.channelCount else {
            return target.channelCount <= 2 && target.channelCount < source.channelCount
        }
        // Other channel layouts must be mixed to the codec's.
        guard source.channelCount > 2, let found = source.channelLayout, let used = encoder?.channelLayout else { return true }
        return found.matching(used) != nil
    }

    /// The channel layout after mixing, for the encoder or the limiter, or `nil` if unknown.
    var mixedLayout: ChannelLayout? { usesSegments ? target.channelLayout : encoder?.channelLayout ?? target.channelLayout }

    /// Creates the converter for lossless output.
    ///
    /// - Parameter isMixed: Whether its input already has the output's sample rate and channels.
    func makeConverter(isMixed: Bool) throws(CodecError) -> AudioConverter {
        let output = encoder.map { AudioConverter.Output.packets($0) } ?? .pcm(target)
        guard isMixed else { return try AudioConverter(from: .pcm(source), to: output, options: options) }
        var (mixed, options) = (target, options)
        mixed.encoding = .float32
        mixed.channelLayout = mixedLayout
        options.channels = .automatic
        return try AudioConverter(from: .pcm(mixed), to: output, options: options)
    }

    /// Starts a PCM output file.
    ///
    /// - Parameters:
    ///   - file: The empty file.
    ///   - tags: Tags that the format supports.
    ///   - inputFrameCount: The expected number of input frames, or `nil` if unknown.
    func makeWriter(_ file: OutputFile, _ tags: AudioTags, inputFrameCount: Int?) throws(AudioFileError) -> PCMFileWriter {
        var output = PCMOutputFormat(
            format, encoding: target.encoding, sampleRate: target.sampleRate, channelCount: target.channelCount,
            channelLayout: target.channelLayout)
        output.tags = tags
        // For the seek table. The exact length is written at the end, which a pipe does not allow.
        if format.isFLAC, file.file.canOverwrite {
            output.expectedFrameCount = inputFrameCount.map { Int(Double($0) * Double(target.sampleRate) / Double(source.sampleRate)) }
        }
        return try PCMFileWriter(file.file, path: file.path, format: output, pendingByteLimit: Self.pendingByteLimit)
    }

    /// The size at which pending PCM is written, in bytes.
    private static let pendingByteLimit = 65_536

    /// Returns the output's tags, including the loudness if the user asked to store it.
    func outputTags(storing adjustment: LoudnessAdjustment?) -> OutputTags {
        var requested = configuration.tags
        if configuration.storesLoudness {
            requested.replayGain = adjustment.flatMap { AudioTags.ReplayGain($0.loudness) }
            requested.albumReplayGain = configuration.album?.replayGain(configuration.loudnessTarget)
        }
        return OutputTags(
            requested, input: inputTags, storage: format.tagStorage,
            keepsLoudness: configuration.keepsLoudness && !configuration.storesLoudness, range: configuration.range)
    }

    /// Returns the input frames of a time range, clamped to the input.
    ///
    /// The length in a pipe's header is ignored: reading stops at the end of the data.
    static func frames(
        _ range: Range<Duration>?, of reader: PCMFileReader, isLengthCertain: Bool, path: String
    ) throws(AudioFileError) -> Range<Int> {
        guard let range else { return 0..<Int.max }
        let all = 0..<((reader.allowsSharedReading || isLengthCertain ? reader.properties.frameCount : nil) ?? .max)
        let part = range.frames(atRate: reader.properties.sampleRate)
        guard part.lowerBound < all.upperBound, !part.isEmpty else { throw AudioFileError(.emptyRange, path: path) }
        return part.clamped(to: all)
    }

    /// Returns the file format and codec after checking that they support each other, the tags and the signaling.
    private static func format(_ configuration: FileConverterConfiguration, path: String) throws(AudioFileError) -> (
        AudioFileFormat, OutputCodec
    ) {
        let name = PathName.outputName(path)
        let found =
            configuration.verb == .encode
            ? try AudioFileFormat(configuration.format, outputPath: path)
            : configuration.format ?? AudioFileFormat(path: path)
        guard let format = found else { throw AudioFileError(.unknownExtension(PathName.fileExtension(path) ?? ""), path: path) }
        let usual = configuration.verb == .encode && format.defaultCodec != .opus ? .aac : format.defaultCodec
        let codec = configuration.codec ?? usual
        guard format.codecs.contains(codec) else { throw AudioFileError(.codecNotStorable(codec, format), path: name) }
        let storage = format.tagStorage
        // CAF can store gains as information strings, but no player reads them.
        let storesLoudness = storage == .items || storage == .opusComments || storage == .flacBlocks
        if configuration.tags.exceeds(storage) || configuration.storesLoudness && !storesLoudness {
            if configuration.verb == .encode, configuration.tags.chapters.isEmpty {
                throw AudioFileError(.unsupportedTags(format), path: name)
            }
            let loudness = configuration.storesLoudness && !storesLoudness ? ["ReplayGain"] : []
            throw AudioFileError(.tagsNotStorable(configuration.tags.names + loudness, format), path: name)
        }
        if codec == .aac, !format.supportsExplicitSignaling, let signaling = configuration.settings.signaling, signaling != .implicit {
            throw AudioFileError(.unsupportedSignaling(format), path: name)
        }
        return (format, codec)
    }
}
