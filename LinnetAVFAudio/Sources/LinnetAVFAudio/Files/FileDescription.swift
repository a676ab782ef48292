// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioContainers
internal import AudioFiles
internal import AudioPrimitives
internal import CLinnetAudioTypes
internal import Foundation
internal import MPEG4Audio
internal import PCMFiles

/// The codec and format of a file, which its decoded audio does not show.
struct FileDescription {
    let format: AVAudioFormat
    /// The channel layout of the decoded audio, if known.
    let channelLayout: ChannelLayout?

    /// The sample rate of the decoded audio, in hertz.
    let sampleRate: Int
    /// Whether linnet's decoders decode the file's packets.
    let isCoded: Bool

    private let path: String

    /// Reads the description of a file.
    init(path: String) throws {
        self.path = path
        let coded = try? AccessUnitReader(path: path)
        if let coded, let configuration = try? Self.configuration(of: coded) {
            isCoded = true
            // Implicitly signaled SBR, and the channels of some streams, are known only after decoding.
            let file = try AudioFile(path: path)
            sampleRate = file.sampleRate
            let layout = configuration.decodedLayout
            channelLayout = layout?.channelCount == file.channelCount ? layout : nil
            format = try Self.format(
                AudioStreamBasicDescription(configuration, sampleRate: file.sampleRate, channelCount: file.channelCount), channelLayout)
            format.magicCookie = configuration.magicCookie.map { Data($0) }
        } else {
            isCoded = false
            let file = try AudioFile(path: path)
            sampleRate = file.properties.sampleRate
            channelLayout = file.properties.channelLayout
            var description = AudioStreamBasicDescription(file.properties.streamDescription)
            if let formatID = Self.codings[file.properties.containerName] { description.setCoding(formatID) }
            format = try Self.format(description, channelLayout)
        }
    }

    /// The codecs of files read as PCM, by container name.
    private static let codings = ["FLAC": kAudioFormatFLAC, "MPEG audio": kAudioFormatMPEGLayer3]

    /// Returns the total number of frames of all access units, for containers that do not store it.
    func countFrames() throws -> Int {
        let reader = try AccessUnitReader(path: path)
        var count = 0
        var rate = sampleRate
        while let event = try reader.next() {
            switch event {
            case .configuration(let configuration): rate = configuration.sampleRate
            case .accessUnit(let unit): count += unit.accessUnit.duration
            case .skipped: break
            }
        }
        // Implicitly signaled SBR doubles the rate.
        return count * (sampleRate == 2 * rate ? 2 : 1)
    }

    /// Returns the first configuration of a stream.
    private static func configuration(of reader: AccessUnitReader) throws -> CodecConfiguration? {
        while let event = try reader.next() {
            switch event {
            case .configuration(let configuration): return configuration
            case .accessUnit: return nil
            case .skipped: continue
            }
        }
        return nil
    }

    /// Creates a format, with the default layout if none is known.
    private static func format(_ description: AudioStreamBasicDescription, _ layout: ChannelLayout?) throws -> AVAudioFormat {
        var description = description
        let channels = description.mChannelsPerFrame
        let format = AVAudioFormat(
            streamDescription: &description, channelLayout: layout?.avAudioChannelLayout ?? .usual(channelCount: channels))
        guard let format else { throw NSError(avfaudio: kAudioFileUnsupportedDataFormatError, "unsupported channel count \(channels)") }
        return format
    }
}

extension CodecConfiguration {
    /// The channel layout in decoding order, if known.
    fileprivate var decodedLayout: ChannelLayout? {
        switch self {
        case .aac(let configuration):
            configuration.extensionConfig.hasParametricStereo == true
                ? ChannelLayout([.left, .right]) : configuration.channelLayout?.inWAVOrder
        case .opus(let configuration): configuration.channelLayout
        case .alac: nil
        case .ilbc: ChannelLayout([.center])
        }
    }
}

extension AudioStreamBasicDescription {
    init(_ configuration: CodecConfiguration, sampleRate: Int, channelCount: Int) {
        self.init()
        // Implicitly signaled SBR doubles the rate.
        let isDoubled = sampleRate == 2 * configuration.sampleRate
        mSampleRate = Double(sampleRate)
        mFormatID = isDoubled ? kAudioFormatMPEG4AAC_HE : configuration.formatID.rawValue
        mFramesPerPacket = UInt32((configuration.framesPerUnit ?? 0) * (isDoubled ? 2 : 1))
        mChannelsPerFrame = UInt32(channelCount)
        if case .alac(let configuration) = configuration {
            mFramesPerPacket = UInt32(configuration.frameLength)
            mFormatFlags = [16: 1, 20: 2, 24: 3, 32: 4][configuration.bitDepth] ?? 0
        }
    }

    /// Converts the description of decoded PCM to a description of the encoded audio.
    fileprivate mutating func setCoding(_ formatID: AudioFormatID) {
        self = AudioStreamBasicDescription(
            mSampleRate: mSampleRate, mFormatID: formatID, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0, mBytesPerFrame: 0,
            mChannelsPerFrame: mChannelsPerFrame, mBitsPerChannel: 0, mReserved: 0)
        fillPacketLength()
    }

    /// Converts the description to Apple's types.
    init(_ description: StreamDescription) {
        self.init(
            mSampleRate: description.sampleRate, mFormatID: description.formatID.rawValue,
            mFormatFlags: description.formatFlags.rawValue, mBytesPerPacket: UInt32(clamping: description.bytesPerPacket),
            mFramesPerPacket: UInt32(clamping: description.framesPerPacket), mBytesPerFrame: UInt32(clamping: description.bytesPerFrame),
            mChannelsPerFrame: UInt32(clamping: description.channelsPerFrame),
            mBitsPerChannel: UInt32(clamping: description.bitsPerChannel), mReserved: 0)
    }
}
#endif
