// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio

/// Errors of reading and writing containers.
public enum ContainerError: Error, Hashable, Sendable {
    // Reading

    /// The bytes end before the structure at this offset does.
    case truncated(offset: Int, neededBytes: Int, availableBytes: Int)
    /// There is no syncword or file signature at this offset.
    case noSyncword(offset: Int)
    /// The frame length in a header is too short for the header and one byte.
    case frameLengthTooShort(byteCount: Int, minimum: Int)
    /// The configuration of the codec, or a packet of Opus, is damaged or unsupported.
    case codec(CodecError)
    /// The stream uses a standard LATM feature that this reader does not support.
    case unsupportedMultiplex(MultiplexFeature)
    /// An access unit precedes the configuration that it needs.
    case missingConfiguration
    /// The fields of a box contradict each other.
    case invalidBox(FourCharCode, offset: Int)
    /// A required box or chunk is missing.
    case missingPart(FourCharCode)
    /// The file is intact but holds no audio of a supported codec: the code names that of its first audio track, nil stands for no audio.
    case unsupportedCodec(FourCharCode?)
    /// A box or chunk is larger than the limit for its kind.
    case partTooLong(FourCharCode, byteCount: Int, limit: Int)
    /// The container has no index to seek with.
    case notSeekable
    /// The format can be identified, but access units can't be read from it.
    case formatNotReadable(AudioFileFormat)
    /// The bytes can't be read; the code is the system's error number.
    case inputFailed(code: Int32)

    // Writing

    /// The bytes can't be written; the code is the system's error number.
    case outputFailed(code: Int32)
    /// The access unit is longer than the container supports.
    case accessUnitTooLong(byteCount: Int, limit: Int)
    /// The format can be identified but not written.
    case formatNotWritable(AudioFileFormat)
    /// The container has to be completed at its end, which the sink, such as a pipe, doesn't support.
    case sinkCannotOverwrite
    /// The checksum needs the spans of the access unit's elements, and there are none.
    case missingElementSpans
    /// The access unit has another number of bytes than all units of the stream have.
    case wrongUnitLength(byteCount: Int, expected: Int)
    /// The access unit has no bytes.
    case emptyAccessUnit
    /// The container can't hold the codec.
    case codecNotStorable(FourCharCode, in: AudioFileFormat)
    /// The container doesn't support the object type.
    case unsupportedObjectType(AudioObjectType, allowed: [AudioObjectType])
    /// The container doesn't support the sample rate in hertz.
    case unsupportedSampleRate(Int, allowed: [Int])
    /// The container doesn't support the channel configuration; 0 stands for a layout in a PCE.
    case unsupportedChannelConfiguration(Int, allowed: ClosedRange<Int>)
    /// The container doesn't support the frame length in samples.
    case unsupportedFrameLength(Int, allowed: [Int])
    /// The container has no such bit rate, in bits per second, or the data in each access unit leave no room for audio.
    case unsupportedBitRate(Int, dataByteCount: Int)
    /// The data in an access unit have no room for labels.
    case noRoomForLabels(dataByteCount: Int, minimum: Int)
    /// The access units that share a frame of the container are longer than it.
    case unitGroupTooLong(byteCount: Int, limit: Int)

    #if !hasFeature(Embedded)
    /// The error of another layer that caused this one; nil if there is none.
    public var underlyingError: (any Error)? {
        if case .codec(let error) = self { error } else { nil }
    }
    #endif
}

/// Standard features of LATM that the reader of LOAS does not support (ISO/IEC 14496-3:2009, 1.7.3).
public enum MultiplexFeature: Hashable, Sendable {
    /// A multiplex version that the standard reserves (`audioMuxVersionA` 1).
    case futureVersion
    /// Streams with different framing (`allStreamsSameTimeFraming` 0).
    case separateTiming
    /// More than one program or layer (`numProgram`, `numLayer`).
    case severalStreams(programs: Int, layers: Int)
    /// A frame length type for codecs other than AAC (`frameLengthType` 2 to 7).
    case frameLengthType(Int)
}
