// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
package import AudioPrimitives
internal import MPEG4Audio

extension AudioConverter {
    /// Creates the decoder of an encoded input, or returns `nil` for PCM.
    static func makeDecoder(
        _ input: Input, _ options: AudioConverterOptions
    ) throws(CodecError) -> (any AudioPacketDecoder)? {
        guard case .packets(let configuration) = input else { return nil }
        return try configuration.makeDecoder(aac: options.aacDecoder)
    }

    /// Creates the encoder of an encoded output, or returns `nil` for PCM.
    static func makeEncoder(_ output: Output) throws(CodecError) -> (any AudioPacketEncoder)? {
        guard case .packets(let configuration) = output else { return nil }
        return try configuration.makeEncoder()
    }

    /// Returns the PCM format at the start of the pipeline.
    static func inputFormat(
        _ input: Input, _ decoder: (any AudioPacketDecoder)?
    ) throws(CodecError) -> PipelineFormat {
        switch input {
        case .pcm(let format): return try PipelineFormat(format)
        case .packets:
            // If only the stream signals the channels, the first packet sets them.
            let count = max(decoder?.channelCount ?? 0, 1)
            return PipelineFormat(
                sampleRate: decoder?.sampleRate ?? 1, channels: ChannelMatrix.Channels(count: count, layout: decoder?.channelLayout))
        }
    }

    /// Returns the PCM format at the end of the pipeline.
    static func plan(
        _ output: Output, _ encoder: (any AudioPacketEncoder)?, _ options: AudioConverterOptions
    ) throws(CodecError) -> PipelinePlan {
        switch output {
        case .pcm(let format): return PipelinePlan(output: try PipelineFormat(format), encoding: format.encoding, options: options)
        case .packets(let configuration):
            let channels = ChannelMatrix.Channels(count: configuration.channelCount, layout: configuration.channelLayout)
            return PipelinePlan(
                output: PipelineFormat(sampleRate: configuration.sampleRate, channels: channels), encoding: configuration.encoding,
                options: options)
        }
    }
}

extension PipelineFormat {
    /// Creates the format of PCM in memory.
    ///
    /// - Throws: `CodecError` if the sample rate or the channel count is out of range.
    init(_ format: AudioFormat) throws(CodecError) {
        try format.validate()
        self.init(
            sampleRate: format.sampleRate, channels: ChannelMatrix.Channels(count: format.channelCount, layout: format.channelLayout))
    }
}

extension AudioConverter.Input {
    /// The sample encoding of PCM, the smallest lossless one for Apple Lossless, or `nil` for other codecs.
    var encoding: SampleEncoding? {
        switch self {
        case .pcm(let format): format.encoding
        case .packets(.alac(let configuration)): configuration.bitDepth <= 16 ? .int16 : configuration.bitDepth <= 24 ? .int24 : .int32
        case .packets: nil
        }
    }
}

extension CodecConfiguration {
    package func streamDescription(sampleRate: Int, channelCount: Int, framesPerPacket: Int) -> StreamDescription {
        var description = StreamDescription(sampleRate: Double(sampleRate), formatID: formatID, channelsPerFrame: channelCount)
        description.framesPerPacket = framesPerPacket
        if case .ilbc(let mode) = self { description.bytesPerPacket = mode.bytesPerFrame }
        return description
    }
}
