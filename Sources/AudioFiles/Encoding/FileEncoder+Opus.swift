// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioLoudness
internal import AudioMetadata
internal import AudioPrimitives
internal import OpusCodec
internal import PCMFiles

extension FileEncoder {
    /// Encodes an opened input as Opus.
    ///
    /// The packets depend on those before them, so that one thread encodes all.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of Opus.
    ///   - reader: The input.
    ///   - inputNotes: What of the input can't be encoded.
    ///   - container: The container.
    ///   - start: The time at which encoding began.
    ///   - progress: Called after every read; returns false to stop.
    func encodeOpus(
        _ parameters: OpusParameters, _ reader: PCMFileReader, notes inputNotes: [EncodingNote], to container: ContainerFormat,
        since start: ContinuousClock.Instant, _ progress: (EncodingProgress) -> Bool
    ) throws(AudioFileError) -> EncodingSummary {
        let properties = reader.properties
        let settings = try opusConfiguration(parameters, properties)
        let (frames, frameCount) = try EncodingSetup.frames(configuration.range, of: reader, input: input)
        let adjustment = try loudnessAdjustment(
            EncodedSignal(frames: frames, sampleRate: settings.sampleRate, channelCount: settings.channelCount))
        var samples = try attempt {
            try EncoderInputReader(
                reader, frames: frames, mixedTo: configuration.mixedChannelCount(from: reader.properties.channelCount),
                sampleRate: settings.sampleRate,
                gain: adjustment?.setting)
        }
        let encoder = try attempt { try OpusEncoder(settings) }
        let file = try OutputFile(path: output, overwrites: configuration.overwrites, input: input)
        log?("Input Audio Stream Format:\n\(properties.streamDescription)")
        log?("Opus Encode Bitrate: \(settings.bitRate)")
        let isResampled = settings.sampleRate != properties.sampleRate
        let factor = OpusConfiguration.sampleRate / settings.sampleRate
        let tags = outputTags(properties, container, storing: adjustment)
        var stream = try attempt {
            try EncodedOutput(
                container, adts: configuration.adts, tags: tags.tags,
                expectedFrameCount: isResampled ? nil : frameCount.map { $0 * factor },
                format: EncodedFormat(encoder), file: file, log: log)
        }
        var state = EncodingProgress(properties, part: configuration.range == nil ? nil : frames)
        while let buffer = try attempt({ try samples.next() }) {
            try attempt { try encoder.encode(buffer) { try stream.append($0) } }
            try attempt { try stream.flush() }
            state.framesRead = samples.framesRead
            state.bytesWritten = stream.byteCount
            guard progress(state) else { throw AudioFileError(.cancelled, path: input) }
        }
        let gapless = try attempt { try encoder.finish { try stream.append($0) } }
        guard gapless.validFrames > 0 || configuration.range == nil else { throw AudioFileError(.emptyRange, path: input) }
        _ = try attempt { try stream.finish(gapless) }
        var summary = EncodingSummary(
            input: properties, output: file, encoder: .opus(encoder.configuration), stream: stream,
            end: EncodedSegment.End(gapless: gapless, warnings: reader.warnings), elapsed: ContinuousClock().now - start)
        let channelNotes = configuration.averageNote(properties).map { [$0] } ?? []
        summary.notes = inputNotes + channelNotes + notes(tags, container) + notes(adjustment)
        summary.loudness = adjustment?.loudness
        summary.gain = adjustment?.setting?.gain
        summary.decodedLoudness = try decodedLoudness(of: file)
        try commit(file, summary)
        return summary
    }

    /// Returns the configuration of the encoder for the input.
    private func opusConfiguration(
        _ parameters: OpusParameters, _ properties: PCMFileProperties
    ) throws(AudioFileError) -> OpusEncoderConfiguration {
        let mixedCount = configuration.mixedChannelCount(from: properties.channelCount)
        let channelCount = mixedCount ?? properties.channelCount
        var parameters = parameters
        let preset = configuration.preset
        parameters.bitRate =
            parameters.bitRate.map { rate in
                configuration.scaled(rate, to: channelCount, within: OpusEncoderConfiguration.bitRates(channelCount: channelCount))
            } ?? preset?.bitRate(sampleRate: OpusConfiguration.sampleRate, channelCount: channelCount)
        var result = parameters.encoderConfiguration(sampleRate: properties.sampleRate, channelCount: channelCount)
        if let rate = configuration.sampleRate { result.sampleRate = rate }
        result.invalidSamples = configuration.invalidSamples == .silence ? .silence : .throwError
        let stream = properties.streamDescription
        let isUnchanged = result.sampleRate == properties.sampleRate && mixedCount == nil
        let isInteger = !stream.formatFlags.contains(.isFloat)
        if isUnchanged, isInteger, OpusEncoderConfiguration.sourceBitDepths.contains(stream.bitsPerChannel) {
            result.sourceBitDepth = stream.bitsPerChannel
        }
        if mixedCount == nil, channelCount > 2, let found = properties.channelLayout,
            let needed = try? OpusChannelMapping(channelCount: channelCount).channelLayout
        {
            guard let order = found.matching(needed) else {
                throw AudioFileError(.unsupportedChannelLayout(found: found, supported: needed.inWAVOrder), path: input)
            }
            result.inputLayout = order
        }
        return result
    }
}
