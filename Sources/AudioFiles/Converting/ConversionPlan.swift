// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio
internal import OpusCodec
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
    let encoder: AudioEncoderConfiguration?
    /// The options of the converter.
    let options: AudioConverterOptions
    /// The sample frames of the input to convert; the upper bound is `Int.max` where the length is unknown.
    let frames: Range<Int>
    /// Title, cover and so on, as far as the format can store them.
    let tags: AudioTags
    /// Differences from what was asked for.
    let notes: [ConversionNote]

    /// The number of sample frames to read; nil if the length is unknown.
    var frameCount: Int? { frames.upperBound == .max ? nil : frames.count }

    /// Resolves a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The user's configuration.
    ///   - input: The opened input.
    ///   - paths: The paths of the input and of the output.
    init(_ configuration: FileConverterConfiguration, _ input: ConversionInput, paths: (input: String, output: String))
        throws(AudioFileError)
    {
        let properties = input.reader.properties
        (format, codec) = try Self.format(configuration, path: paths.output)
        source = AudioFormat(
            input.reader.encoding, sampleRate: properties.sampleRate, channelCount: properties.channelCount,
            channelLayout: properties.channelLayout)
        var notes: [ConversionNote] = []
        let resolver = ConversionTarget(configuration, properties, source, format: format, codec: codec)
        target = resolver.format(&notes)
        encoder = resolver.encoder(target)
        options = resolver.options(target)
        if let note = resolver.speakersNote(encoder) { notes.append(note) }
        if properties.audioTracks.count > 1 { notes.append(.otherTracksLeftOut(properties.audioTracks)) }
        if let note = resolver.averageNote { notes.append(note) }
        if input.leavesOutSurround { notes.append(.surroundLeftOut) }
        if input.hasFalsePositions { notes.append(.falsePositions) }
        if input.hasAmbiguousLayout { notes.append(.ambiguousLayout) }
        if resolver.keepsCodec(of: input) { notes.append(.remuxingCopies(codec)) }
        let storage = format.tagStorage(codec)
        guard !configuration.tags.exceeds(storage) else {
            throw AudioFileError(.tagsNotStorable(configuration.tags.names, format), path: PathName.outputName(paths.output))
        }
        let tags = OutputTags(
            configuration.tags, input: configuration.inheritsTags ? configuration.inputTags(input.tags) : nil, storage: storage,
            keepsLoudness: configuration.loudnessTarget == nil, range: configuration.range)
        if !tags.namesLost.isEmpty { notes.append(.tagsLeftOut(tags.namesLost, format: format)) }
        self.tags = tags.tags
        self.notes = notes
        let isLengthCertain = input.reader.allowsSharedReading || input.coded != nil
        let all = 0..<(isLengthCertain ? properties.frameCount ?? .max : .max)
        guard let range = configuration.range else {
            // A PCM file can be longer than its header says.
            frames = 0..<Int.max
            return
        }
        let part = range.frames(atRate: properties.sampleRate)
        guard part.lowerBound < all.upperBound, !part.isEmpty else { throw AudioFileError(.emptyRange, path: paths.input) }
        frames = part.clamped(to: all)
    }

    /// Returns the file format and the codec.
    private static func format(_ configuration: FileConverterConfiguration, path: String) throws(AudioFileError) -> (
        OutputFileFormat, OutputCodec
    ) {
        guard let format = configuration.format ?? OutputFileFormat(path: path) else {
            throw AudioFileError(.unknownExtension(PathName.fileExtension(path) ?? ""), path: path)
        }
        let codec = configuration.codec ?? format.defaultCodec
        guard format.codecs.contains(codec) else {
            throw AudioFileError(.codecNotStorable(codec, format), path: PathName.outputName(path))
        }
        return (format, codec)
    }
}
