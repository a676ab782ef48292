// SPDX-License-Identifier: Apache-2.0

/// The description of an audio stream: the nine fields of Core Audio's `AudioStreamBasicDescription`.
///
/// A *frame* here is one sample of every channel, a *packet* the smallest run that can be decoded; zero means "varies" or
/// "does not apply". The description prints as one line a field.
public struct StreamDescription: Hashable, Sendable {
    /// Frames a second.
    public var sampleRate: Double
    /// The codec, such as `lpcm` or `aac `.
    public var formatID: FourCharCode
    /// Details of the format; read by the rules of ``formatID``.
    public var formatFlags: StreamFormatFlags
    /// Bytes a packet; 0 where they vary.
    public var bytesPerPacket: Int
    /// Frames a packet: 1 for PCM, 1024 for AAC-LC; 0 where they vary.
    public var framesPerPacket: Int
    /// Bytes a frame (of one channel where channels are not interleaved); 0 for compressed data.
    public var bytesPerFrame: Int
    /// Samples a frame.
    public var channelsPerFrame: Int
    /// Bits a sample; 0 for compressed data.
    public var bitsPerChannel: Int
    /// Always 0.
    public var reserved: UInt32

    /// Creates a description; every field that is not named is 0.
    public init(
        sampleRate: Double, formatID: FourCharCode, formatFlags: StreamFormatFlags = [], channelsPerFrame: Int, bitsPerChannel: Int = 0
    ) {
        self.sampleRate = sampleRate
        self.formatID = formatID
        self.formatFlags = formatFlags
        self.channelsPerFrame = channelsPerFrame
        self.bitsPerChannel = bitsPerChannel
        bytesPerPacket = 0
        framesPerPacket = 0
        bytesPerFrame = 0
        reserved = 0
    }

    /// The description of PCM in memory.
    public init(_ format: PCMFormat, sampleRate: Int) {
        var flags: StreamFormatFlags = [.isPacked, format.sampleFormat.isFloat ? .isFloat : .isSignedInteger]
        if format.isBigEndian { flags.insert(.isBigEndian) }
        if !format.isInterleaved { flags.insert(.isNonInterleaved) }
        self.init(
            sampleRate: Double(sampleRate), formatID: .linearPCM, formatFlags: flags, channelsPerFrame: format.channelCount,
            bitsPerChannel: format.sampleFormat.byteCount * 8)
        fillOut()
    }

    /// The description of a compressed format, filled out as far as the format id decides it.
    public init(formatID: FourCharCode, sampleRate: Int, channelCount: Int) {
        self.init(sampleRate: Double(sampleRate), formatID: formatID, channelsPerFrame: channelCount)
        fillOut()
    }
}

extension StreamDescription {
    /// Fills in every field that follows from the format id and the fields given, as `kAudioFormatProperty_FormatInfo` does.
    ///
    /// Fields that already have a value keep it, except the sizes of linear PCM, which have only one right value. Returns false,
    /// and changes nothing, for a format id that is not known.
    @discardableResult
    package mutating func fillOut() -> Bool {
        switch formatID {
        case .linearPCM:
            fillOutLinearPCM()
        case .muLaw, .aLaw:
            framesPerPacket = 1
            bitsPerChannel = 8
            bytesPerFrame = channelsPerFrame
            bytesPerPacket = bytesPerFrame
        default:
            guard let frames = Self.framesPerPacket(of: formatID) else { return false }
            if framesPerPacket == 0 { framesPerPacket = frames }
        }
        return true
    }

    /// Fills in the sizes of linear PCM.
    private mutating func fillOutLinearPCM() {
        let bytesPerSample = (bitsPerChannel + 7) / 8
        framesPerPacket = 1
        bytesPerFrame = bytesPerSample * (formatFlags.contains(.isNonInterleaved) ? 1 : channelsPerFrame)
        bytesPerPacket = bytesPerFrame
    }

    /// Returns the frames per packet of a compressed format; nil for unknown formats.
    private static func framesPerPacket(of formatID: FourCharCode) -> Int? {
        switch formatID {
        case .mpeg4AAC: 1024
        case .mpeg4HighEfficiencyAAC, .mpeg4HighEfficiencyAACv2: 2048
        case .mpeg4LowDelayAAC, .mpeg4EnhancedLowDelayAAC: 512
        case .appleLossless: 4096
        case .mpegLayer3: 1152
        case .flac, .opus: 0
        default: nil
        }
    }
}

extension FourCharCode {
    /// Linear PCM.
    package static let linearPCM: FourCharCode = "lpcm"
    /// AAC; low complexity unless the flags name another object type.
    public static let mpeg4AAC: FourCharCode = "aac "
    /// HE-AAC: AAC-LC with spectral band replication.
    package static let mpeg4HighEfficiencyAAC: FourCharCode = "aach"
    /// HE-AAC v2: HE-AAC with parametric stereo.
    package static let mpeg4HighEfficiencyAACv2: FourCharCode = "aacp"
    /// AAC-LD.
    package static let mpeg4LowDelayAAC: FourCharCode = "aacl"
    /// AAC-ELD.
    package static let mpeg4EnhancedLowDelayAAC: FourCharCode = "aace"
    /// Unified speech and audio coding, the codec of xHE-AAC.
    package static let mpegDUSAC: FourCharCode = "usac"
    /// Apple Lossless.
    package static let appleLossless: FourCharCode = "alac"
    /// MP3.
    package static let mpegLayer3: FourCharCode = ".mp3"
    /// FLAC.
    public static let flac: FourCharCode = "flac"
    /// Opus.
    public static let opus: FourCharCode = "opus"
    /// iLBC.
    public static let iLBC: FourCharCode = "ilbc"
    /// μ-law, 8 bits.
    package static let muLaw: FourCharCode = "ulaw"
    /// A-law, 8 bits.
    package static let aLaw: FourCharCode = "alaw"
}
