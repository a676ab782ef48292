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
    let format: OutputFileFormat
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

    private let configuration: FileConverterConfiguration
    private let inputTags: AudioTags?

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
    /// - Throws: ``AudioFileError`` if the output can't hold what was asked for, or the range is empty.
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
            guard !configuration.encodes else {
                throw AudioFileError(.unsupportedChannelLayout(found: found, supported: used.inWAVOrder), path: paths.input)
            }
            notes.append(.speakersMixed(from: found, to: used, codec: codec))
        }
        if let note = resolver.averageNote(target) { notes.append(note) }
        if resolver.keepsCodec(of: input) { notes.append(.remuxingCopies(codec)) }
        self.notes = notes
        inputTags = configuration.inputTags(input.tags)
        isPart = configuration.range != nil
        frames = try Self.frames(configuration.range, of: input.reader, isLengthCertain: input.coded != nil, path: paths.input)
        let declared = input.reader.allowsSharedReading ? properties.frameCount : nil
        frameCount = isPart && declared != nil ? frames.count : declared
    }

    /// Returns the tags of the output, with the loudness if it is to be stored.
    func outputTags(storing adjustment: LoudnessAdjustment?) -> OutputTags {
        var requested = configuration.tags
        if configuration.storesLoudness { requested.replayGain = adjustment.flatMap { AudioTags.ReplayGain($0.loudness) } }
        return OutputTags(
            requested, input: inputTags, storage: format.tagStorage(codec),
            keepsLoudness: configuration.loudnessTarget == nil && !configuration.storesLoudness, range: configuration.range)
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
        OutputFileFormat, OutputCodec
    ) {
        let name = PathName.outputName(path)
        let found =
            configuration.encodes
            ? OutputFileFormat(try ContainerFormat(configuration.container, outputPath: path))
            : configuration.format ?? OutputFileFormat(path: path)
        guard let format = found else { throw AudioFileError(.unknownExtension(PathName.fileExtension(path) ?? ""), path: path) }
        let usual = configuration.encodes && format.defaultCodec != .opus ? .aac : format.defaultCodec
        let codec = configuration.codec ?? usual
        guard format.codecs.contains(codec) else { throw AudioFileError(.codecNotStorable(codec, format), path: name) }
        let storage = format.tagStorage(codec)
        // Words of CAF hold gains, which no player reads.
        let storesLoudness = storage == .items || storage == .opusComments
        if configuration.tags.exceeds(storage) || configuration.storesLoudness && !storesLoudness {
            if configuration.encodes, let container = format.container { throw AudioFileError(.unsupportedTags(container), path: name) }
            throw AudioFileError(.tagsNotStorable(configuration.tags.names, format), path: name)
        }
        if codec == .aac, let container = format.container, !container.supportsExplicitSignaling,
            let signaling = configuration.signaling, signaling != .implicit
        {
            throw AudioFileError(.unsupportedSignaling(container), path: name)
        }
        return (format, codec)
    }
}
