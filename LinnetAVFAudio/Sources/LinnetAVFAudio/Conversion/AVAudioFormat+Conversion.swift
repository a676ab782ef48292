// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioConversion
internal import AudioContainers
internal import AudioPrimitives
internal import CLinnetAudioTypes
internal import Foundation
internal import MPEG4Audio

extension AVAudioFormat {
    /// Returns the format as a converter's input.
    ///
    /// - Parameter cookie: The magic cookie of a compressed format; `nil` uses the format's own, or the description.
    /// - Throws: An error if the format is unsupported.
    func converterInput(cookie: Data?) throws -> AudioConverter.Input {
        if let pcm = pcmStreamFormat { return .pcm(pcm) }
        guard let configuration = try codecConfiguration(cookie: cookie ?? magicCookie) else { throw unsupported }
        return .packets(configuration)
    }

    /// Returns the format as a converter's output.
    ///
    /// - Throws: An error if the format is unsupported.
    func converterOutput(_ settings: ConversionSettings) throws -> AudioConverter.Output {
        if let pcm = pcmStreamFormat { return .pcm(pcm) }
        guard let configuration = AudioEncoderConfiguration(self, settings: settings.encoderSettings) else { throw unsupported }
        return .packets(configuration)
    }

    /// The PCM format; `nil` for compressed and unsupported formats.
    private var pcmStreamFormat: AudioFormat? {
        let fields = streamDescription.pointee
        var description = StreamDescription(
            sampleRate: fields.mSampleRate, formatID: AudioPrimitives.FourCharCode(rawValue: fields.mFormatID),
            formatFlags: StreamFormatFlags(rawValue: fields.mFormatFlags), channelsPerFrame: Int(fields.mChannelsPerFrame),
            bitsPerChannel: Int(fields.mBitsPerChannel))
        description.bytesPerFrame = Int(fields.mBytesPerFrame)
        var format = AudioFormat(description)
        format?.channelLayout = ChannelLayout(channelLayout)
        return format
    }

    /// Returns the configuration of a compressed format; `nil` for other codecs.
    private func codecConfiguration(cookie: Data?) throws -> CodecConfiguration? {
        let fields = streamDescription.pointee
        guard hasUsableSampleRate else { return nil }
        switch fields.mFormatID {
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2:
            return (cookie.flatMap { try? AudioSpecificConfig(magicCookie: [UInt8]($0)) } ?? impliedConfiguration).map { .aac($0) }
        case kAudioFormatAppleLossless:
            return try cookie.map { .alac(try ALACConfiguration(parsing: [UInt8]($0))) }
        case kAudioFormatOpus:
            let mapping = try OpusChannelMapping(channelCount: Int(fields.mChannelsPerFrame))
            return .opus(OpusConfiguration(mapping: mapping, preSkip: 0))
        case kAudioFormatiLBC:
            return .ilbc(ilbcMode)
        default: return nil
        }
    }

    /// The AAC configuration that follows from the description alone.
    private var impliedConfiguration: AudioSpecificConfig? {
        let fields = streamDescription.pointee
        let hasParametricStereo = fields.mFormatID == kAudioFormatMPEG4AAC_HE_V2
        let hasSBR = hasParametricStereo || fields.mFormatID == kAudioFormatMPEG4AAC_HE
        let channelCount = hasParametricStereo ? 1 : Int(fields.mChannelsPerFrame)
        guard let channels = ChannelConfiguration(channelCount: channelCount) else { return nil }
        let rate = Int(fields.mSampleRate)
        guard hasSBR else { return AudioSpecificConfig(sampleRate: rate, channelConfiguration: channels) }
        return AudioSpecificConfig(
            sampleRate: rate / 2, channelConfiguration: channels,
            extensionConfig: .hierarchical(sampleRate: rate, hasParametricStereo: hasParametricStereo))
    }

    /// The iLBC frame length: 20 ms if the description has it, otherwise 30 ms.
    var ilbcMode: ILBCMode {
        streamDescription.pointee.mFramesPerPacket == 160 ? .milliseconds20 : .milliseconds30
    }

    /// Whether the sample rate is an integer in the range of the codecs.
    var hasUsableSampleRate: Bool { (1...1e9).contains(sampleRate) && sampleRate == sampleRate.rounded() }

    private var unsupported: NSError { NSError(avfaudio: kAudioConverterErr_FormatNotSupported, "\(self) is not supported") }
}
#endif
