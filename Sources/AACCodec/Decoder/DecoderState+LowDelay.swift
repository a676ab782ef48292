// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

#if !hasFeature(Embedded) || LINNET_LOW_DELAY
/// The filter bank of AAC-ELD, with its history.
struct LowDelayState: ~Copyable {
    private var bank: LowDelayFilterBank
    private var histories: FixedArray<LowDelayFilterBank.State>

    /// Creates the state at the start of a stream, for blocks of 512 or 480 samples.
    init(frameLength: Int, channelCount: Int) {
        bank = LowDelayFilterBank(frameLength: frameLength)
        histories = FixedArray(count: channelCount) { _ in LowDelayFilterBank.State(frameLength: frameLength) }
    }

    /// Synthesizes one channel's samples of an access unit.
    mutating func synthesize(_ lines: Span<Float>, channel: Int, into output: inout MutableSpan<Float>) {
        bank.synthesize(lines, state: &histories[channel], into: &output)
    }

    mutating func reset() {
        for channel in histories.indices { histories[channel].reset() }
    }
}
#endif

extension DecoderState {
    /// Reads an access unit of AAC-LD or AAC-ELD: the elements of the channel configuration, without identifiers (`er_raw_data_block`,
    /// ISO/IEC 14496-3:2009, 4.4.2.1 and 4.6.20).
    ///
    /// Extension payloads without an explicit length may follow. Only the parameters of AAC-ELD v2 are used.
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
