// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec

/// The parts of a file that a ``FileDecoder`` decodes, and the format that it decodes to.
public struct FileDecoderConfiguration: Hashable, Sendable {
    /// Channel order and down-mix.
    public var decoder = AACDecoderOptions()
    /// Whether the encoder's priming and padding are kept.
    public var keepsDelay = false
    /// Whether all buffers are converted to the sample rate and channels of the first one.
    public var keepsFormat = false
    /// The seconds of sound to decode; nil for all.
    public var seconds: Range<Double>?

    /// Creates a configuration that decodes the whole file in the stream's own format.
    public init() {}
}
