// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import MPEG4Audio

/// What is wrong with a container, or stops one from being written.
public enum ContainerError: Error, Hashable, Sendable {
    // Reading

    /// The bytes end before the structure at this offset does.
    case truncated(offset: Int, neededBytes: Int, availableBytes: Int)
    /// There is no ADTS header at this offset.
    case noSyncword(offset: Int)
    /// A header has a frame length that doesn't even hold the header and one byte.
    case frameLengthTooShort(byteCount: Int, minimum: Int)
    /// The configuration of the codec is bad.
    case configuration(MPEG4AudioError)
    /// The multiplex is in the standard and not done.
    case unsupportedMultiplex(MultiplexFeature)
    /// A unit came before the configuration it needs.
    case missingConfiguration
    /// A box contradicts itself.
    case invalidBox(FourCharCode, offset: Int)
    /// A part that the file can't do without is missing.
    case missingPart(FourCharCode)
    /// No track or stream holds AAC; the code names what is there, if anything.
    case noAACAudio(found: FourCharCode?)
    /// A part is larger than any true one.
    case partTooLong(FourCharCode, byteCount: Int, limit: Int)
    /// The bytes can't be read; the code is the system's.
    case inputFailed(code: Int32)

    // Writing

    /// The bytes can't be written; the code is the system's.
    case outputFailed(code: Int32)
    /// The access unit of so many bytes is longer than the container can say.
    case accessUnitTooLong(byteCount: Int, limit: Int)
    /// The format can be identified but not written.
    case formatNotWritable(ContainerFormat)
    /// The layout of the file needs a sink that can be changed afterwards; a pipe can't.
    case sinkCannotOverwrite
    /// The stream has checksums, and the places of the elements that they cover are not given.
    case missingElementSpans
    /// The access unit has no bytes.
    case emptyAccessUnit
    /// The container can't carry the object type.
    case unsupportedObjectType(AudioObjectType, allowed: [AudioObjectType])
    /// The container can't say the sample rate in hertz.
    case unsupportedSampleRate(Int, allowed: [Int])
    /// The container can't say the channel configuration; 0 stands for a layout in a PCE.
    case unsupportedChannelConfiguration(Int, allowed: ClosedRange<Int>)
    /// The container can't say the frame length in samples.
    case unsupportedFrameLength(Int, allowed: [Int])
}

/// What a multiplex can ask for that is not done.
public enum MultiplexFeature: Hashable, Sendable {
    /// A version of LATM that no standard describes yet (`audioMuxVersionA` 1).
    case futureVersion
    /// Streams with timings of their own (`allStreamsSameTimeFraming` 0).
    case separateTiming
    /// More than one program or layer.
    case severalStreams(programs: Int, layers: Int)
    /// A way to give lengths that AAC does not use (`frameLengthType` 2 to 7).
    case frameLengthType(Int)
}
