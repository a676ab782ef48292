// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding

/// Concealment of lost and damaged units: repeats the spectrum of the last unit with random signs and a fade, then silence.
///
/// The standard leaves concealment to the decoder.
struct Concealment {
    /// The number of consecutive losses.
    private(set) var lossCount = 0

    /// The state of the generator of signs.
    private var random: UInt32 = 0x2545_F491

    /// The number of consecutive losses after which the output is silent.
    static let fadeLength = 6

    /// The gain of each lost unit over the one before: -3 dB.
    static let fade: Float = 0.70710678

    /// Creates a state without losses.
    init() {}

    /// Records that a unit was intact.
    mutating func recordIntactUnit() { lossCount = 0 }

    /// Records that a unit was lost.
    mutating func recordLoss() { lossCount += 1 }

    /// Fades lines and changes their signs at random, so that the repetition adds no pitch.
    mutating func fade(_ lines: inout MutableSpan<Float>, _ range: Range<Int>) {
        let factor = lossCount > Self.fadeLength ? 0 : Self.fade
        for line in range {
            random = random &* 1_664_525 &+ 1_013_904_223
            lines[line] *= random >> 31 == 0 ? factor : -factor
        }
    }

    /// Returns the window sequence that may follow `sequence` and keeps the arrangement of its lines.
    static func sequence(after sequence: WindowSequence) -> WindowSequence {
        switch sequence {
        case .onlyLong, .longStop: .onlyLong
        case .longStart: .longStop
        case .eightShort: .eightShort
        }
    }
}

extension DecoderState {
    /// Synthesises samples in place of a lost unit.
    ///
    /// The first intact unit after a loss overlaps with them; the second one is exact again.
    mutating func conceal() {
        concealment.recordLoss()
        for slot in layout.slots {
            for channel in slot.firstChannel..<slot.firstChannel &+ slot.element.channelCount {
                let range = lineRange(ofChannel: channel)
                do {
                    var lines = spectrum.mutableSpan
                    concealment.fade(&lines, range)
                }
                let sequence = Concealment.sequence(after: sequences[channel])
                sequences[channel] = sequence
                synthesizeChannel(channel, sequence: sequence, shape: overlaps[channel].previousShape)
            }
        }
        synthesizeSBR()
    }
}
