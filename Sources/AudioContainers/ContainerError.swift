// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio

/// Errors of container readers and writers.
public enum ContainerError: Error, Hashable, Sendable {
    // Reading

    /// The input ends inside the structure at this offset.
    case truncated(offset: Int, neededBytes: Int, availableBytes: Int)
    /// There is no syncword or file signature at this offset.
    case noSyncword(offset: Int)
    /// The frame length in a header is too short for the header and one byte.
    case frameLengthTooShort(byteCount: Int, minimum: Int)
    /// The codec configuration, or an Opus packet, is invalid or unsupported.
    case codec(CodecError)
    /// The stream uses a standard LATM feature that this reader does not support.
    case unsupportedMultiplex(MultiplexFeature)
    /// An access unit precedes the configuration that it needs.
    case missingConfiguration
    /// The fields of a box contradict each other.
    case invalidBox(FourCharCode, offset: Int)
    /// A required box or chunk is missing.
    case missingPart(FourCharCode)
    /// The file is valid but has no audio of a supported codec. The code is the first audio track's codec, `nil` without audio.
    case unsupportedCodec(FourCharCode?)
    /// A box or chunk is larger than the limit for its kind.
    case partTooLong(FourCharCode, byteCount: Int, limit: Int)
    /// The container has no index to seek with.
    case notSeekable
    /// The format can be identified, but its access units cannot be read.
    case formatNotReadable(AudioFileFormat)
    /// Reading failed. The code is the system's error number.
    case inputFailed(code: Int32)

    // Writing

    /// Writing failed. The code is the system's error number.
    case outputFailed(code: Int32)
    /// The access unit exceeds the container's size limit.
    case accessUnitTooLong(byteCount: Int, limit: Int)
    /// The format can be identified but not written.
    case formatNotWritable(AudioFileFormat)
    /// The container is completed by overwriting, which the sink (for example a pipe) does not support.
    case sinkCannotOverwrite
    /// The checksum requires the access unit's element spans, which are missing.
    case missingElementSpans
    /// The access unit's size differs from the stream's constant size.
    case wrongUnitLength(byteCount: Int, expected: Int)
    /// The access unit has no bytes.
    case emptyAccessUnit
    /// The container does not support the codec.
    case codecNotStorable(FourCharCode, in: AudioFileFormat)
    /// The container has no place for the output gain of Opus, in 1/256 dB.
    case outputGainNotStorable(Int16, in: AudioFileFormat)
    /// The container does not support the object type.
    case unsupportedObjectType(AudioObjectType, allowed: [AudioObjectType])
    /// The container does not support the sample rate, in hertz.
    case unsupportedSampleRate(Int, allowed: [Int])
    /// The container does not support the channel configuration. 0 means a layout in a PCE.
    case unsupportedChannelConfiguration(Int, allowed: ClosedRange<Int>)
    /// The container does not support the frame length, in samples.
    case unsupportedFrameLength(Int, allowed: [Int])
    /// The container does not support the bit rate, in bits per second, or the data in each access unit leave no bytes for audio.
    case unsupportedBitRate(Int, dataByteCount: Int)
    /// The data bytes per access unit are too few for labels.
    case noRoomForLabels(dataByteCount: Int, minimum: Int)
    /// The access units that share a container frame exceed its size.
    case unitGroupTooLong(byteCount: Int, limit: Int)

    #if !hasFeature(Embedded)
    /// The codec error that caused this one, if any.
    public var underlyingError: (any Error)? {
        if case .codec(let error) = self { error } else { nil }
    }
    #endif
}

/// LATM features that the LOAS reader does not support (ISO/IEC 14496-3:2009, 1.7.3).
public enum MultiplexFeature: Hashable, Sendable {
    /// A `StreamMuxConfig` version that the standard reserves (`audioMuxVersionA` 1).
    case futureVersion
    /// Streams with different framing (`allStreamsSameTimeFraming` 0).
    case separateTiming
    /// More than one program or layer (`numProgram`, `numLayer`).
    case severalStreams(programs: Int, layers: Int)
    /// A frame length type for codecs other than AAC (`frameLengthType` 2 to 7).
    case frameLengthType(Int)
}
