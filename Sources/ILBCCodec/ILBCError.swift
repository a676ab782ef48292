// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Errors of the iLBC codec and of its storage format.
public enum ILBCError: Error, Hashable, Sendable {
    /// A frame to decode has another number of bytes than the frames of the mode.
    case wrongFrameLength(byteCount: Int, mode: ILBCMode)
    /// A block to encode has another number of samples than the blocks of the mode.
    case wrongBlockLength(sampleCount: Int, mode: ILBCMode)
    /// A file does not begin with `#!iLBC20` or `#!iLBC30` and a line feed (RFC 3952 4.1).
    case missingMagicNumber
    /// A file ends inside a frame, of which it has this number of bytes.
    case truncatedFrame(byteCount: Int, mode: ILBCMode)
    /// A Core Audio Format file can't be read as iLBC.
    case invalidCoreAudioFile(ILBCCAFFault)
}

extension ILBCError: CustomStringConvertible {
    /// One line for people: the step, the value and the way out.
    public var description: String {
        switch self {
        case .wrongFrameLength(let byteCount, let mode):
            "An iLBC frame has \(byteCount) bytes, but frames of \(mode.milliseconds) ms have \(mode.bytesPerFrame); choose the other "
                + "mode, or split the packet into frames."
        case .wrongBlockLength(let sampleCount, let mode):
            "A block to encode has \(sampleCount) samples, but blocks of \(mode.milliseconds) ms have \(mode.samplesPerFrame); fill the "
                + "last block with zeros."
        case .missingMagicNumber:
            "The file does not begin with #!iLBC20 or #!iLBC30, so that the length of its frames is unknown; give the mode with raw frames."
        case .truncatedFrame(let byteCount, let mode):
            "The file ends after \(byteCount) of the \(mode.bytesPerFrame) bytes of a frame; the frames before it are complete."
        case .invalidCoreAudioFile(let fault):
            "The CAF file can't be read as iLBC: \(fault.rawValue)."
        }
    }
}

/// Faults of a Core Audio Format file that is read as iLBC.
public enum ILBCCAFFault: String, Hashable, Sendable, CaseIterable {
    /// The file does not begin with `caff`.
    case notCAF = "it does not begin with caff"
    /// A chunk is longer than the rest of the file.
    case truncatedChunk = "a chunk is longer than the rest of the file"
    /// No chunk describes the audio.
    case missingDescription = "it has no desc chunk"
    /// The codec is not `ilbc`.
    case otherCodec = "its codec is not ilbc"
    /// The packets have not the size of those of one of the modes, or more than one channel.
    case otherPackets = "its packets are not 38 or 50 bytes of one channel"
    /// No chunk has the frames.
    case missingData = "it has no data chunk"
}
