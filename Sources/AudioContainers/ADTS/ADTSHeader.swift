// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
public import MPEG4Audio

/// The header of an ADTS frame (ISO/IEC 14496-3:2009, 1.A.2.2; ISO/IEC 13818-7, 6.2).
public struct ADTSHeader: Hashable, Sendable {
    /// The `bufferFullness` value that signals a variable bit rate.
    public static let variableRate = 0x7FF
    /// The maximum frame length in bytes, including the header.
    package static let maximumFrameLength = 0x1FFF
    /// The size of a header without checksum, in bytes.
    package static let fixedByteCount = 7

    /// Whether the header signals MPEG-2 instead of MPEG-4 (`ID`).
    public var isMPEG2 = false
    /// Whether a checksum follows (inverse of `protection_absent`).
    public var hasCRC = false
    /// AAC Main, LC, SSR or LTP (`profile` + 1).
    public var objectType: AudioObjectType
    /// The core sample rate.
    package var samplingFrequencyIndex: SamplingFrequencyIndex
    /// The channel configuration, 0 to 7, where 0 means a layout in a PCE.
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
    /// The frame length in bytes, including the header, up to 8191 (`aac_frame_length`).
    public var frameLength: Int
    /// The bit reservoir state in 32-bit words per channel (`adts_buffer_fullness`), or ``variableRate``.
    package var bufferFullness = ADTSHeader.variableRate
    /// The number of raw data blocks, 1 to 4 (`number_of_raw_data_blocks_in_frame` + 1).
    public var rawDataBlockCount = 1

    /// Creates an MPEG-4 header with one raw data block, a variable rate and no checksum.
    package init(
        objectType: AudioObjectType = .aacLC, samplingFrequencyIndex: SamplingFrequencyIndex, channelConfiguration: Int,
        frameLength: Int
    ) {
        self.objectType = objectType
        self.samplingFrequencyIndex = samplingFrequencyIndex
        self.channelConfiguration = channelConfiguration
        self.frameLength = frameLength
    }

    /// The number of bytes before the first raw data block: 7, or 9 with a checksum, plus 2 for each further block's position.
    package var byteCount: Int { hasCRC ? Self.fixedByteCount + 2 * rawDataBlockCount : Self.fixedByteCount }

    /// The decoder configuration, without a PCE.
    ///
    /// Maps the SSR profile to AAC-LC, because existing SSR streams do not use gain control.
    public var audioSpecificConfig: AudioSpecificConfig {
        AudioSpecificConfig(
            objectType: objectType == .aacSSR ? .aacLC : objectType, sampleRate: samplingFrequencyIndex.hertz,
            channelConfiguration: ChannelConfiguration(rawValue: channelConfiguration))
    }

    /// Parses the header at the start of `bytes`, which need not contain the whole frame.
    ///
    /// - Throws: ``ContainerError`` if the header is truncated or invalid.
    public init(parsing bytes: [UInt8]) throws(ContainerError) {
        try self.init(parsing: bytes, at: 0)
    }

    init(parsing bytes: [UInt8], at offset: Int) throws(ContainerError) {
        guard bytes.count - offset >= Self.fixedByteCount else {
            throw .truncated(
                offset: offset, neededBytes: Self.fixedByteCount, availableBytes: max(0, bytes.count - offset))
        }
        // Twelve ones, any `ID`, two zero layer bits.
        guard bytes[offset] == 0xFF, bytes[offset + 1] & 0xF6 == 0xF0 else { throw .noSyncword(offset: offset) }
        let word = (1..<Self.fixedByteCount).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[offset + $1]) }
        /// Returns `count` bits, the lowest at `lowestBit`.
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
        guard frameLength > byteCount else {
            throw .frameLengthTooShort(byteCount: frameLength, minimum: byteCount + 1)
        }
    }

    /// Appends the seven bytes of the fixed and variable header, whose fields must be in range.
    package func serialize(into bytes: inout [UInt8]) {
        var word = UInt64(0xFFF)
        func put(_ value: Int, _ count: Int) { word = word << UInt64(count) | UInt64(value) }
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

    /// Whether both headers can belong to one stream: they signal the same decoder configuration.
    func isConsistent(with other: ADTSHeader) -> Bool {
        isMPEG2 == other.isMPEG2 && objectType == other.objectType && channelConfiguration == other.channelConfiguration
            && samplingFrequencyIndex == other.samplingFrequencyIndex
    }
}
