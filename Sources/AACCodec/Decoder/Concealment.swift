// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio

/// How a lost or damaged unit is made up for: the lines of the last one again, with random signs and fading, then silence.
struct Concealment {
    /// Units lost in a row.
    private(set) var lossCount = 0

    private var random: UInt32 = 0x2545_F491

    /// Losses in a row after which there is silence.
    static let fadeLength = 6

    /// The factor for each lost unit: 3 dB down.
    static let fade: Float = 0.70710678

    /// Makes an account without losses.
    init() {}

    /// Notes that a unit was sound.
    mutating func noteSound() { lossCount = 0 }

    /// Notes that a unit was lost.
    mutating func noteLoss() { lossCount += 1 }

    /// Fades lines and changes signs at random, so that the repetition has no pitch of its own.
    mutating func fade(_ lines: inout MutableSpan<Float>, _ range: Range<Int>) {
        let factor = lossCount > Self.fadeLength ? 0 : Self.fade
        for line in range {
            random = random &* 1_664_525 &+ 1_013_904_223
            lines[line] *= random >> 31 == 0 ? factor : -factor
        }
    }

    /// The window sequence that fits behind `sequence` and keeps the arrangement of its lines.
    static func sequence(after sequence: WindowSequence) -> WindowSequence {
        switch sequence {
        case .onlyLong, .longStop: .onlyLong
        case .longStart: .longStop
        case .eightShort: .eightShort
        }
    }
}

extension DecoderState {
    /// Makes samples in place of a lost unit; the next sound one needs one more to be exact again, for the overlap.
    mutating func conceal() {
        concealment.noteLoss()
        for place in 0..<layout.slotCount {
            let slot = layout.slots[place]
            for channel in slot.firstChannel..<slot.firstChannel &+ slot.element.channelCount {
                do {
                    var lines = spectrum.mutableSpan
                    let first = channel &* Self.channelStride
                    concealment.fade(&lines, first..<first &+ bands.frameLength)
                }
                let sequence = Concealment.sequence(after: sequences[channel])
                sequences[channel] = sequence
                synthesizeChannel(channel, sequence: sequence, shape: overlaps[channel].previousShape)
            }
        }
        replicate()
    }
}
