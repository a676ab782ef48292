// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers

/// The format that a converter is given.
public enum AudioConverterInput: Hashable, Sendable {
    /// Linear PCM.
    case pcm(PCMStreamFormat)
    /// Packets of a codec.
    case packets(CodecConfiguration)
}

/// The format that a converter makes.
public enum AudioConverterOutput: Hashable, Sendable {
    /// Linear PCM.
    case pcm(PCMStreamFormat)
    /// Packets of an encoder.
    case packets(AudioEncoderConfiguration)
}
