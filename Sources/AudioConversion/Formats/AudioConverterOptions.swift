// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioPrimitives
public import PCMFiles

/// The handling of filter and codec delay at the start and end of the audio.
public enum PrimeMethod: Hashable, Sendable {
    /// The output starts with the first input frame, with silence assumed before and after the input. The default.
    ///
    /// The delay of sample rate conversion is removed, and so are a codec's priming and padding if known
    /// (``AudioConverterOptions/inputGapless``).
    case normal
    /// The first input frames only fill the filters: the output starts after them. Otherwise equal to ``normal``.
    case pre(leadingFrames: Int)
    /// A decoder's output is not trimmed, so it starts with the codec's delay.
    case none
}

/// The options of an ``AudioConverter``.
public struct AudioConverterOptions: Hashable, Sendable {
    /// The quality of sample rate conversion.
    public var quality = SampleRateConverterQuality.high
    /// The mapping of input channels to output channels.
    public var channels = ChannelMapping.automatic
    /// The dither for integer output with fewer bits than the source.
    public var dither = Dither.none
    /// The seed of the dither.
    ///
    /// Equal seeds produce equal noise, independent of buffer sizes.
    public var ditherSeed: UInt64 = 0
    /// The handling of frames before and after the audio.
    public var primeMethod = PrimeMethod.normal
    /// The valid frames of decoded packets, from the container, or `nil` if unknown.
    public var inputGapless: GaplessInfo?
    /// The AAC channel order and downmix.
    public var aacDecoder = AACDecoderOptions()

    /// Creates options for an exact and fast conversion without dither.
    public init() {}
}
