// SPDX-License-Identifier: Apache-2.0

public import AACCodec
internal import AudioContainers
internal import AudioConversion
public import AudioMetadata
public import AudioPrimitives
internal import DABPlus
internal import MPEG4Audio
internal import OpusCodec
public import PCMFiles
internal import SystemFiles

extension PCMBuffer {
    /// Encodes the audio to a file in memory.
    ///
    /// ```swift
    /// let bytes = try audio.encoded(as: .m4a, bitRate: 128_000)
    /// ```
    ///
    /// ADTS, LOAS, M4A, CAF and MPEG-TS use AAC-LC, Ogg uses Opus and `.ilbc` iLBC. WAV and AIFF use 32-bit floating point, which is
    /// lossless, and FLAC 24-bit integers. A sample rate that the codec does not support is converted to the next higher supported one;
    /// iLBC is mono at 8 kHz. ``FileEncoder`` has all settings.
    ///
    /// - Parameters:
    ///   - format: The file format: a writable one of encoded audio, WAV, AIFF or FLAC.
    ///   - bitRate: The average bit rate, in bits per second, or `nil` for the codec's default. Ignored for PCM and FLAC.
    ///   - tags: The tags to write.
    ///   - settings: The AAC settings, if the format uses AAC.
    /// - Returns: The bytes of the file.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the format cannot be written or does not support all tags, or if its codec does not
    ///   support the sample rate, the channels or the bit rate.
    public func encoded(
        as format: AudioFileFormat, bitRate: Int? = nil, tags: AudioTags = AudioTags(), settings: AACEncoderSettings = AACEncoderSettings()
    ) throws(AudioFileError) -> [UInt8] {
        do {
            let isPCM = [.wav, .aiff, .flac].contains(format)
            guard !tags.exceeds(format.tagStorage) else {
                throw AudioFileError(isPCM ? .tagsNotStorable(tags.names, format) : .unsupportedTags(format), path: FileInput.memoryName)
            }
            if isPCM { return try storedSamples(in: format, tags) }
            let source = AudioFormat(.float32, sampleRate: sampleRate, channelCount: channelCount, isInterleaved: false)
            let converter = try AudioConverter(from: .pcm(source), to: .packets(try encoder(for: format, bitRate: bitRate, settings)))
            try converter.append(self)
            try converter.finish()
            return try Self.packed(converter, in: format, tags)
        } catch {
            throw AudioFileError(error, input: FileInput.memoryName, output: FileInput.memoryName)
        }
    }

    /// Returns the parameters of a container's default codec.
    private func encoder(
        for format: AudioFileFormat, bitRate: Int?, _ settings: AACEncoderSettings
    ) throws(CodecError) -> AudioEncoderConfiguration {
        switch format {
        case .oggOpus:
            let rate = ConversionTarget.supported(OpusEncoderConfiguration.sampleRates, for: sampleRate)
            return .opus(OpusEncoderConfiguration(sampleRate: rate, channelCount: channelCount, bitRate: bitRate))
        case .ilbc: return .ilbc(try ILBCMode(bitRate: bitRate))
        default:
            let rate = ConversionTarget.supported(
                AACEncoderConfiguration.sampleRates(of: settings.profile ?? .lowComplexity, channelCount: channelCount), for: sampleRate)
            var configuration = AACEncoderConfiguration(sampleRate: rate, channelCount: channelCount, settings: settings)
            if let bitRate { configuration.rateControl = .average(bitRate: bitRate) }
            return .aac(configuration)
        }
    }

    /// Writes all packets of a finished converter to a container.
    private static func packed(_ converter: AudioConverter, in format: AudioFileFormat, _ tags: AudioTags) throws -> [UInt8] {
        guard let configuration = converter.outputConfiguration else { preconditionFailure("the converter has packets") }
        var options = ContainerWriterOptions()
        options.tags = tags
        options.tags.encoder = LinnetVersion.encoderTag
        options.priming = converter.outputPrimingFrames
        options.expectedUnitCount = converter.availablePacketCount
        var writer = try format.makeWriter(to: MemorySink(), configuration, options: options, dab: nil)
        while let packet = converter.nextPacket() { try writer.append(packet) }
        try writer.finish(converter.outputGapless)
        return writer.sink.bytes
    }

    private func storedSamples(in format: AudioFileFormat, _ tags: AudioTags) throws -> [UInt8] {
        var output = PCMOutputFormat(
            format, sampleFormat: format == .flac ? .int24 : .float32, sampleRate: sampleRate, channelCount: channelCount,
            expectedFrameCount: frameCount)
        output.tags = tags
        let file = try OpenFile.temporary()
        let writer = try PCMFileWriter(file, path: FileInput.memoryName, format: output, pendingByteLimit: 65_536)
        try writer.append(self)
        try writer.finish()
        return try file.bytes(in: 0..<(file.status().byteCount ?? 0))
    }
}
