// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
public import MPEG4Audio

/// The header of an ADTS frame (ISO/IEC 14496-3:2009, 1.A.2.2; ISO/IEC 13818-7, 6.2).
public struct ADTSHeader: Hashable, Sendable {
    /// The value of `bufferFullness` that stands for a variable bit rate.
    public static let variableRate = 0x7FF
    /// The largest frame length in bytes, header included.
    package static let maximumFrameLength = 0x1FFF
    /// Bytes that are needed to parse a header.
    package static let fixedByteCount = 7

    /// Whether the stream calls itself MPEG-2 and not MPEG-4 (`ID`).
    public var isMPEG2 = false
    /// Whether a checksum follows; the inverse of `protection_absent`.
    public var hasCRC = false
    /// AAC Main, LC, SSR or LTP (`profile` + 1).
    public var objectType: AudioObjectType
    /// The sample rate of the core.
    package var samplingFrequencyIndex: SamplingFrequencyIndex
    /// 0 to 7; 0: the layout is in a PCE.
    public var channelConfiguration: Int
    /// `private_bit`.
    package var isPrivate = false
    /// `original_copy`.
    package var isOriginal = false
    /// `home`.
    package var isHome = false
    /// `copyright_identification_bit`.
    package var copyrightBit = false
    /// `copyright_identification_start`.
    package var copyrightStart = false
    /// Bytes of the frame with its header (`aac_frame_length`), up to 8191.
    public var frameLength: Int
    /// State of the bit reservoir in 32-bit words a channel (`adts_buffer_fullness`), or ``variableRate``.
    package var bufferFullness = ADTSHeader.variableRate
    /// 1 to 4 (`number_of_raw_data_blocks_in_frame` + 1).
    public var rawDataBlockCount = 1

    /// Creates a header for MPEG-4, one raw data block, variable rate and no checksum.
    package init(
        objectType: AudioObjectType = .aacLC, samplingFrequencyIndex: SamplingFrequencyIndex, channelConfiguration: Int,
        frameLength: Int
    ) {
        self.objectType = objectType
        self.samplingFrequencyIndex = samplingFrequencyIndex
        self.channelConfiguration = channelConfiguration
        self.frameLength = frameLength
    }

    /// Bytes before the first raw data block: 7, and with a checksum 2 more for it and for each further block's position.
    package var byteCount: Int { hasCRC ? Self.fixedByteCount + 2 * rawDataBlockCount : Self.fixedByteCount }

    /// Bytes of all raw data blocks.
    package var payloadByteCount: Int { frameLength - byteCount }

    /// The fields as a configuration for a decoder, without a PCE.
    ///
    /// The profile SSR stands for AAC LC: streams that name it in practice use no gain control and are coded as LC.
    public var audioSpecificConfig: AudioSpecificConfig {
        AudioSpecificConfig(
            objectType: objectType == .aacSSR ? .aacLC : objectType, sampleRate: samplingFrequencyIndex.hertz,
            channelConfiguration: ChannelConfiguration(rawValue: channelConfiguration))
    }

    /// Parses the header at the front of `bytes`; its length field is checked against the header only.
    public init(parsing bytes: [UInt8]) throws(ContainerError) {
        try self.init(parsing: bytes, at: 0)
    }

    /// Parses the header at an offset of `bytes`.
    init(parsing bytes: [UInt8], at offset: Int) throws(ContainerError) {
        guard bytes.count - offset >= Self.fixedByteCount else {
            throw .truncated(
                offset: offset, neededBytes: Self.fixedByteCount, availableBytes: max(0, bytes.count - offset))
        }
        // Twelve ones, and the two layer bits zero.
        guard bytes[offset] == 0xFF, bytes[offset + 1] & 0xF6 == 0xF0 else { throw .noSyncword(offset: offset) }
        let word = (1..<Self.fixedByteCount).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[offset + $1]) }
        /// Returns `count` bits from `lowestBit` on.
        func field(_ lowestBit: UInt64, _ count: UInt64) -> Int { Int(word >> lowestBit & (1 << count - 1)) }
        let frequencyCode = field(34, 4)
        guard let index = SamplingFrequencyIndex(rawValue: frequencyCode) else {
            throw .codec(.reservedSamplingFrequencyIndex(frequencyCode))
        }
        isMPEG2 = field(43, 1) != 0
        hasCRC = field(40, 1) == 0
        objectType = AudioObjectType(rawValue: field(38, 2) + 1)
        samplingFrequencyIndex = index
        isPrivate = field(33, 1) != 0
        channelConfiguration = field(30, 3)
        isOriginal = field(29, 1) != 0
        isHome = field(28, 1) != 0
        copyrightBit = field(27, 1) != 0
        copyrightStart = field(26, 1) != 0
        frameLength = field(13, 13)
        bufferFullness = field(2, 11)
        rawDataBlockCount = field(0, 2) + 1
        guard payloadByteCount > 0 else {
            throw .frameLengthTooShort(byteCount: frameLength, minimum: byteCount + 1)
        }
    }

    /// Appends the seven bytes of the fixed and variable header; all fields must be in their ranges.
    package func serialize(into bytes: inout [UInt8]) {
        var word = UInt64(0xFFF)
        /// Appends the low `count` bits of a value.
        func put(_ value: Int, _ count: Int) { word = word << UInt64(count) | UInt64(value) }
        /// Appends one bit.
        func put(_ flag: Bool) { put(flag ? 1 : 0, 1) }
        put(isMPEG2)
        put(0, 2)
        put(!hasCRC)
        put(objectType.rawValue - 1, 2)
        put(samplingFrequencyIndex.rawValue, 4)
        put(isPrivate)
        put(channelConfiguration, 3)
        put(isOriginal)
        put(isHome)
        put(copyrightBit)
        put(copyrightStart)
        put(frameLength, 13)
        put(bufferFullness, 11)
        put(rawDataBlockCount - 1, 2)
        for shift in stride(from: UInt64(48), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: word >> shift))
        }
    }

    /// Whether two headers can stand in one stream: all that says how to decode is the same.
    func isConsistent(with other: ADTSHeader) -> Bool {
        isMPEG2 == other.isMPEG2 && objectType == other.objectType && channelConfiguration == other.channelConfiguration
            && samplingFrequencyIndex == other.samplingFrequencyIndex
    }
}
