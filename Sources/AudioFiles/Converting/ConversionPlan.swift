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
    /// The file format.
    let format: AudioFileFormat
    /// The codec.
    let codec: OutputCodec
    /// The format of the input in memory.
    let source: AudioFormat
    /// The format of the output in memory: that of the file where it is PCM, else that of the encoder's input.
    let target: AudioFormat
    /// The parameters of the encoder; nil for PCM.
    var encoder: AudioEncoderConfiguration?
    /// The options of the converter.
    let options: AudioConverterOptions
    /// Whether only a part of the input was asked for.
    let isPart: Bool
    /// The sample frames of the input to convert; without a time range all, since a file can be longer than its header says.
    let frames: Range<Int>
    /// The number of sample frames to convert by the header of the input; nil if the length is unknown.
    let frameCount: Int?
    /// Differences from what was asked for.
    let notes: [ConversionNote]

    /// Whether the encoder can read the input at several positions.
    private(set) var usesSegments = false

    private let configuration: FileConverterConfiguration
    private let inputTags: AudioTags?

    /// Whether a decoder gives the samples of the output, but for their rounding.
    var isDecoding: Bool { configuration.verb == .decode && !isResampled && mixedChannelCount == nil }
    /// Whether the sample rate is converted.
    var isResampled: Bool { source.sampleRate != target.sampleRate }
    /// The number of channels that those of the input are mixed to; nil if they stay.
    var mixedChannelCount: Int? { target.channelCount == source.channelCount ? nil : target.channelCount }

    /// Resolves a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The user's configuration.
    ///   - input: The opened input.
    ///   - paths: The paths of the input and of the output.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the output can't hold what was asked for, or the range is empty.
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
        encoder = resolver.encoder(target)
        options = resolver.options(target)
        var notes = resolver.notes
        if let (found, used) = resolver.foreignSpeakers(encoder) {
            guard configuration.verb != .encode else {
                throw AudioFileError(.unsupportedChannelLayout(found: found, supported: used.inWAVOrder), path: paths.input)
            }
            notes.append(.speakersMixed(from: found, to: used, codec: codec))
        }
        if let note = resolver.averageNote(target) { notes.append(note) }
        if resolver.keepsCodec(of: input) { notes.append(.remuxingCopies(codec)) }
        self.notes = notes
        inputTags = configuration.inputTags(input.tags)
        isPart = configuration.range != nil
        // A decoder leaves out the other frames itself.
        let range = configuration.verb == .decode ? nil : configuration.range
        frames = try Self.frames(range, of: input.reader, isLengthCertain: input.coded != nil, path: paths.input)
        let declared = input.reader.allowsSharedReading ? properties.frameCount : nil
        frameCount = isPart && declared != nil ? frames.count : declared
        // It is read again by its path.
        usesSegments = input.joined == nil && keepsSpeakers
    }

    /// Whether the samples of the input need no more than a change of the sample rate and a usual mix for the encoder.
    private var keepsSpeakers: Bool {
        guard codec == .aac || codec == .opus, configuration.channels == .automatic, configuration.rateQuality == .high,
            configuration.decoding == FileDecoderConfiguration(), options.dither == .none
        else { return false }
        guard target.channelCount == source.channelCount else {
            return target.channelCount <= 2 && target.channelCount < source.channelCount
        }
        // Other speakers have to be mixed to those of the codec.
        guard source.channelCount > 2, let found = source.channelLayout, let used = encoder?.channelLayout else { return true }
        return found.matching(used) != nil
    }

    /// The speakers to which the channels are mixed, for the encoder or the limiter; nil if they are unknown.
    var mixedLayout: ChannelLayout? { usesSegments ? target.channelLayout : encoder?.channelLayout ?? target.channelLayout }

    /// Makes the converter of an output of PCM.
    ///
    /// - Parameter isMixed: Whether its input has the rate and the channels of the output already.
    func makeConverter(isMixed: Bool) throws(CodecError) -> AudioConverter {
        guard isMixed else { return try AudioConverter(from: .pcm(source), to: .pcm(target), options: options) }
        var (mixed, options) = (target, options)
        mixed.encoding = .float32
        options.channels = .automatic
        return try AudioConverter(from: .pcm(mixed), to: .pcm(target), options: options)
    }

    /// Begins the output of PCM.
    ///
    /// - Parameters:
    ///   - file: The file, at its first byte.
    ///   - tags: The tags, which the format can hold.
    ///   - inputFrameCount: The number of sample frames of the input that are expected; nil if it is unknown.
    func makeWriter(_ file: OutputFile, _ tags: AudioTags, inputFrameCount: Int?) throws(AudioFileError) -> PCMFileWriter {
        var output = PCMOutputFormat(
            format, encoding: target.encoding, sampleRate: target.sampleRate, channelCount: target.channelCount,
            channelLayout: target.channelLayout)
        output.tags = tags
        // For the seek table; the exact length is written at the end, which a pipe can't have.
        if format.isFLAC, file.file.canOverwrite {
            output.expectedFrameCount = inputFrameCount.map { Int(Double($0) * Double(target.sampleRate) / Double(source.sampleRate)) }
        }
        return try PCMFileWriter(file.file, path: file.path, format: output, pendingByteLimit: Self.pendingByteLimit)
    }

    /// Bytes of PCM from which on pending ones are written.
    private static let pendingByteLimit = 65_536

    /// Returns the tags of the output, with the loudness if it is to be stored.
    func outputTags(storing adjustment: LoudnessAdjustment?) -> OutputTags {
        var requested = configuration.tags
        if configuration.storesLoudness { requested.replayGain = adjustment.flatMap { AudioTags.ReplayGain($0.loudness) } }
        return OutputTags(
            requested, input: inputTags, storage: format.tagStorage,
            keepsLoudness: configuration.keepsLoudness && !configuration.storesLoudness, range: configuration.range)
    }

    /// Returns the sample frames to read for a time range, as far as the input has them.
    ///
    /// The length in the header of a pipe is not trusted: reading ends where the samples do.
    static func frames(
        _ range: Range<Duration>?, of reader: PCMFileReader, isLengthCertain: Bool, path: String
    ) throws(AudioFileError) -> Range<Int> {
        guard let range else { return 0..<Int.max }
        let all = 0..<((reader.allowsSharedReading || isLengthCertain ? reader.properties.frameCount : nil) ?? .max)
        let part = range.frames(atRate: reader.properties.sampleRate)
        guard part.lowerBound < all.upperBound, !part.isEmpty else { throw AudioFileError(.emptyRange, path: path) }
        return part.clamped(to: all)
    }

    /// Returns the file format and the codec, if they fit each other, and tags and signalling.
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
        // Words of CAF hold gains, which no player reads.
        let storesLoudness = storage == .items || storage == .opusComments
        let needsTags = configuration.verb != .decode && configuration.tags.exceeds(storage)
        if needsTags || configuration.storesLoudness && !storesLoudness {
            if configuration.verb == .encode { throw AudioFileError(.unsupportedTags(format), path: name) }
            throw AudioFileError(.tagsNotStorable(configuration.tags.names, format), path: name)
        }
        if codec == .aac, !format.supportsExplicitSignaling, let signaling = configuration.settings.signaling, signaling != .implicit {
            throw AudioFileError(.unsupportedSignaling(format), path: name)
        }
        return (format, codec)
    }
}
