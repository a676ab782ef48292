// SPDX-License-Identifier: Apache-2.0

/// The description of an audio stream, with the nine fields of Core Audio's `AudioStreamBasicDescription`.
///
/// A *frame* is one sample of each channel, and a *packet* is the smallest unit that can be decoded. Zero means "varies" or "not
/// applicable". The textual description has one line per field.
public struct StreamDescription: Hashable, Sendable {
    /// The number of frames per second.
    public var sampleRate: Double
    /// The codec, such as `lpcm` or `aac `.
    public var formatID: FourCharCode
    /// Details of the format, which depend on ``formatID``.
    public var formatFlags: StreamFormatFlags
    /// The number of bytes per packet, or 0 if it varies.
    public var bytesPerPacket: Int
    /// The number of frames per packet: 1 for PCM, 1024 for AAC-LC, or 0 if it varies.
    public var framesPerPacket: Int
    /// The number of bytes per frame (of one channel if not interleaved), or 0 for compressed data.
    public var bytesPerFrame: Int
    /// The number of channels.
    public var channelsPerFrame: Int
    /// The number of bits per sample, or 0 for compressed data.
    public var bitsPerChannel: Int
    /// Always 0.
    public var reserved: UInt32

    /// Creates a description, in which all other fields are 0.
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

    /// Creates the description of PCM in memory.
    public init(_ format: PCMFormat, sampleRate: Int) {
        var flags: StreamFormatFlags = [.isPacked, format.sampleFormat.isFloat ? .isFloat : .isSignedInteger]
        if format.isBigEndian { flags.insert(.isBigEndian) }
        if !format.isInterleaved { flags.insert(.isNonInterleaved) }
        self.init(
            sampleRate: Double(sampleRate), formatID: .linearPCM, formatFlags: flags, channelsPerFrame: format.channelCount,
            bitsPerChannel: format.sampleFormat.byteCount * 8)
        fillOut()
    }

    /// Creates the description of a compressed format, with the fields that follow from the format ID.
    public init(formatID: FourCharCode, sampleRate: Int, channelCount: Int) {
        self.init(sampleRate: Double(sampleRate), formatID: formatID, channelsPerFrame: channelCount)
        fillOut()
    }
}

extension StreamDescription {
    /// Fills in all fields that follow from the format ID and other fields, like `kAudioFormatProperty_FormatInfo`.
    ///
    /// Existing values are kept, except for the sizes of linear PCM, which have only one valid value. Returns false for an unknown format
    /// ID, without changing anything.
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

    private mutating func fillOutLinearPCM() {
        let bytesPerSample = (bitsPerChannel + 7) / 8
        framesPerPacket = 1
        bytesPerFrame = bytesPerSample * (formatFlags.contains(.isNonInterleaved) ? 1 : channelsPerFrame)
        bytesPerPacket = bytesPerFrame
    }

    /// Returns the frames per packet of a compressed format, or `nil` if unknown.
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
    package static let linearPCM: FourCharCode = "lpcm"
    /// AAC: AAC-LC unless the flags specify another object type.
    public static let mpeg4AAC: FourCharCode = "aac "
    /// HE-AAC: AAC-LC with spectral band replication.
    package static let mpeg4HighEfficiencyAAC: FourCharCode = "aach"
    /// HE-AAC v2: HE-AAC with parametric stereo.
    package static let mpeg4HighEfficiencyAACv2: FourCharCode = "aacp"
    /// AAC-LD.
    package static let mpeg4LowDelayAAC: FourCharCode = "aacl"
    /// AAC-ELD.
    package static let mpeg4EnhancedLowDelayAAC: FourCharCode = "aace"
    /// Unified speech and audio coding (USAC), the codec of xHE-AAC.
    package static let mpegDUSAC: FourCharCode = "usac"
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
