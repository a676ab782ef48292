// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

#if !hasFeature(Embedded) || LINNET_LOW_DELAY
/// The filter bank of AAC-ELD, with its history.
struct LowDelayState: ~Copyable {
    /// The filter bank.
    private var bank: LowDelayFilterBank
    /// The history of each channel.
    private var histories: FixedArray<LowDelayFilterBank.State>

    /// Makes the state at the beginning of a stream, of blocks of 512 or 480 samples.
    init(frameLength: Int, channelCount: Int) {
        bank = LowDelayFilterBank(frameLength: frameLength)
        histories = FixedArray(count: channelCount) { _ in LowDelayFilterBank.State(frameLength: frameLength) }
    }

    /// Synthesises the samples of a unit of one channel.
    mutating func synthesize(_ lines: Span<Float>, channel: Int, into output: inout MutableSpan<Float>) {
        bank.synthesize(lines, state: &histories[channel], into: &output)
    }

    /// Discards all history.
    mutating func reset() {
        for channel in histories.indices { histories[channel].reset() }
    }
}
#endif

extension DecoderState {
    /// Reads a unit of AAC-LD or AAC-ELD: the elements of the channel configuration without identifiers (`er_raw_data_block`,
    /// ISO/IEC 14496-3:2009, 4.4.2.1 and 4.6.20).
    ///
    /// Extension payloads may follow, which have no length of their own; but for the parameters of AAC-ELD v2 what they hold is not needed.
    mutating func readLowDelayBlock() throws(CodecError) {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        coupling.count = 0
        spanCount = 0
        for index in layout.slots.indices { try readElement(at: index) }
        try sbr.readLowDelay(layout, from: &reader)
        surround?.surround.read(from: reader)
        reader.skip(reader.bitsRemaining)
        #endif
    }
}
