// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Errors of the iLBC codec.
public enum ILBCError: Error, Hashable, Sendable {
    /// A frame to decode has another number of bytes than the frames of the mode.
    case wrongFrameLength(byteCount: Int, mode: ILBCMode)
    /// A block to encode has another number of samples than the blocks of the mode.
    case wrongBlockLength(sampleCount: Int, mode: ILBCMode)
}

extension ILBCError: DescribedError {
    /// One line for people: the step, the value and the way out.
    public var description: String {
        switch self {
        case .wrongFrameLength(let byteCount, let mode):
            "An iLBC frame has \(byteCount) bytes, but frames of \(mode.milliseconds) ms have \(mode.bytesPerFrame); choose the other "
                + "mode, or split the packet into frames."
        case .wrongBlockLength(let sampleCount, let mode):
            "A block to encode has \(sampleCount) samples, but blocks of \(mode.milliseconds) ms have \(mode.samplesPerFrame); fill the "
                + "last block with zeros."
        }
    }
}
