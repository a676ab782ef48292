// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioContainers
internal import AudioFiles
internal import AudioPrimitives
internal import CLinnetAudioTypes
internal import Foundation
internal import MPEG4Audio
internal import PCMFiles

/// The coding of a file, which its decoded audio doesn't tell.
struct FileDescription {
    /// The format of the audio in the file.
    let format: AVAudioFormat
    /// The speakers of the decoded channels, if they are known.
    let channelLayout: ChannelLayout?

    /// The sample rate of the decoded audio in hertz.
    let sampleRate: Int
    /// Whether the file has packets that a decoder of linnet decodes.
    let isCoded: Bool

    private let path: String

    /// Reads the description of a file.
    ///
    /// - Parameter path: The file's path.
    init(path: String) throws {
        self.path = path
        let coded = try? AccessUnitReader(path: path)
        if let coded, let configuration = try? Self.configuration(of: coded) {
            isCoded = true
            // Only decoding can tell whether there is SBR without signalling, and the channels of some streams.
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

    /// The codings of files that are read as PCM, by the names of their containers.
    private static let codings = ["FLAC": kAudioFormatFLAC, "MPEG audio": kAudioFormatMPEGLayer3]

    /// Returns the frames of all access units, for files whose container doesn't say it.
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
        // SBR without explicit signalling doubles the rate.
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

    /// Creates a format, with the usual layout if none is known.
    private static func format(_ description: AudioStreamBasicDescription, _ layout: ChannelLayout?) throws -> AVAudioFormat {
        var description = description
        let channels = description.mChannelsPerFrame
        let format = AVAudioFormat(
            streamDescription: &description, channelLayout: layout?.avAudioChannelLayout ?? .usual(channelCount: channels))
        guard let format else { throw NSError(avfaudio: kAudioFileUnsupportedDataFormatError, "\(channels) channels are not supported") }
        return format
    }
}

extension CodecConfiguration {
    /// The speakers in the order of the decoded channels, if they are known.
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
    /// Creates the description of a stream with this configuration.
    init(_ configuration: CodecConfiguration, sampleRate: Int, channelCount: Int) {
        self.init()
        // SBR without explicit signalling doubles the rate.
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

    /// Turns the description of decoded PCM into that of its coding.
    fileprivate mutating func setCoding(_ formatID: AudioFormatID) {
        self = AudioStreamBasicDescription(
            mSampleRate: mSampleRate, mFormatID: formatID, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0, mBytesPerFrame: 0,
            mChannelsPerFrame: mChannelsPerFrame, mBitsPerChannel: 0, mReserved: 0)
        fillPacketLength()
    }

    /// Creates the same description for Apple's types.
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
