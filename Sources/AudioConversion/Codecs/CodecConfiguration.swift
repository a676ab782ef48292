// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import MPEG4Audio

/// The codec of a stream, with the configuration that a decoder needs before the first packet.
public enum CodecConfiguration: Hashable, Sendable {
    /// AAC of MPEG-4.
    case aac(AudioSpecificConfig)
    /// iLBC.
    case ilbc(ILBCMode)
}
