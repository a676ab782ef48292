// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// The filter bank of AAC-LD or AAC-ELD, with the history of its own.
///
/// Libraries without low delay, in browsers and on bare metal, leave it empty: their decoder refuses these object types.
struct LowDelayState: ~Copyable {
    /// The filter bank of AAC-LD.
    private var lowOverlap: LowOverlapFilterBank?
    /// The filter bank of AAC-ELD.
    private var bank: LowDelayFilterBank?
    /// The history of each channel in that of AAC-ELD; in that of AAC-LD the decoder has it.
    private var histories: FixedArray<LowDelayFilterBank.State>

    /// Makes the state at the beginning of a stream.
    ///
    /// - Parameters:
    ///   - isEnhanced: Whether the stream is AAC-ELD.
    ///   - frameLength: 512 or 480.
    init(isEnhanced: Bool, frameLength: Int, channelCount: Int) {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        if isEnhanced {
            bank = LowDelayFilterBank(frameLength: frameLength)
        } else {
            lowOverlap = LowOverlapFilterBank(frameLength: frameLength)
        }
        #endif
        histories = FixedArray(count: isEnhanced ? channelCount : 0) { _ in LowDelayFilterBank.State(frameLength: frameLength) }
    }

    /// Synthesises the samples of a unit of one channel.
    mutating func synthesize(
        _ lines: Span<Float>, shape: WindowShape, channel: Int, overlap: inout OverlapState, into output: inout MutableSpan<Float>
    ) {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        lowOverlap?.synthesize(lines, shape: shape, state: &overlap, into: &output)
        bank?.synthesize(lines, state: &histories[channel], into: &output)
        #endif
    }

    /// Discards all history.
    mutating func reset() {
        for channel in histories.indices { histories[channel].reset() }
    }
}

extension DecoderState {
    /// Reads a unit of AAC-LD or AAC-ELD: the elements of the channel configuration without identifiers (`er_raw_data_block`,
    /// ISO/IEC 14496-3:2009, 4.4.2.1 and 4.6.20).
    ///
    /// Extension payloads may follow, which have no length of their own; but for the parameters of AAC-ELD v2 what they hold is not needed.
    mutating func readLowDelayBlock() throws(AACError) {
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
