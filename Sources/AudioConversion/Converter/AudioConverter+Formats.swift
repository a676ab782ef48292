// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers
public import AudioPrimitives

extension AudioConverter {
    /// The format that a converter is given.
    public enum Input: Hashable, Sendable {
        /// Linear PCM.
        case pcm(AudioFormat)
        /// Packets of a codec.
        case packets(CodecConfiguration)
    }

    /// The format that a converter makes.
    public enum Output: Hashable, Sendable {
        /// Linear PCM.
        case pcm(AudioFormat)
        /// Packets of an encoder.
        case packets(AudioEncoderConfiguration)
    }
}
