// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio

extension DecoderState {
    /// Synthesises the samples of all channels, and of independently switched coupling channels (ISO/IEC 14496-3:2009, 4.6.11).
    mutating func synthesizeSamples() {
        for index in 0..<layout.slotCount {
            let slot = layout.slots[index]
            for channel in slot.firstChannel..<slot.firstChannel &+ slot.element.channelCount {
                let isSecond = channel > slot.firstChannel
                let info = isSecond ? elements[index].pair.second.info : elements[index].pair.first.info
                sequences[channel] = info.windowSequence
                synthesizeChannel(channel, sequence: info.windowSequence, shape: info.windowShape)
            }
        }
        coupleSamples()
    }

    /// Synthesises the samples of one channel, and advances its filter bank state and prediction.
    mutating func synthesizeChannel(_ channel: Int, sequence: WindowSequence, shape: WindowShape) {
        let range = lineRange(ofChannel: channel)
        if needsLimit {
            var lines = spectrum.mutableSpan
            Self.limit(&lines, range)
        }
        var allSamples = samples.mutableSpan
        var output = allSamples._mutatingExtracting(range)
        filterBank.synthesize(
            spectrum.span.extracting(range), sequence: sequence, shape: shape, state: &overlaps[channel], into: &output)
        recordSamples(ofChannel: channel)
    }

    /// Sets lines to zero that are not a number or exceed 2^20 times full scale, so that they can't disturb the units after.
    private static func limit(_ lines: inout MutableSpan<Float>, _ range: Range<Int>) {
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            lines.store(lines.vector(at: line).zeroed(unlessBelow: 0x1p35), at: line)
        }
    }
}
