// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioPrimitives
public import PCMFiles

/// The treatment of the frames before and after the audio that filters and codecs need.
public enum PrimeMethod: Hashable, Sendable {
    /// The output begins with the first frame of the input, and silence is assumed before and after it. The default.
    ///
    /// The delay of rate conversion is removed, and the priming and padding of a codec where they are known
    /// (``AudioConverterOptions/inputGapless``).
    case normal
    /// As ``normal``, and the first frames of the input only prepare the filters: the output begins after them.
    case pre(leadingFrames: Int)
    /// Nothing of what a decoder gives is removed, so that the output of a codec begins with its delay.
    case none
}

/// The options of a converter.
public struct AudioConverterOptions: Hashable, Sendable {
    /// The quality of sample rate conversion.
    public var quality = SampleRateConverterQuality.high
    /// The way from the channels of the input to those of the output.
    public var channels = ChannelMapping.automatic
    /// The noise that is added where integers of the output have fewer bits.
    public var dither = Dither.none
    /// The seed of the noise: the same seed gives the same noise, whatever the size of buffers.
    public var ditherSeed: UInt64 = 0
    /// The treatment of frames before and after the audio.
    public var primeMethod = PrimeMethod.normal
    /// The frames of decoded packets that are valid, as a container tells; nil if unknown.
    public var inputGapless: GaplessInfo?
    /// The channels that AAC is decoded to.
    public var aacDecoder = AACDecoderOptions()

    /// Creates options for an exact and fast conversion without dither.
    public init() {}
}
