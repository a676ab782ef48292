// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding

/// Concealment of lost and damaged access units: repeats the last spectrum with random signs and fades it to silence.
///
/// The standard does not specify concealment.
struct Concealment {
    private(set) var lossCount = 0

    /// The state of the random sign generator.
    private var random: UInt32 = 0x2545_F491

    /// The number of consecutive losses after which the output is silent.
    static let fadeLength = 6

    /// The gain per lost access unit: -3 dB.
    static let fade: Float = 0.70710678

    init() {}

    mutating func recordIntactUnit() { lossCount = 0 }

    mutating func recordLoss() { lossCount += 1 }

    /// Fades lines and randomizes their signs, so that the repetition adds no pitch.
    mutating func fade(_ lines: inout MutableSpan<Float>, _ range: Range<Int>) {
        let factor = lossCount > Self.fadeLength ? 0 : Self.fade
        for line in range {
            random = random &* 1_664_525 &+ 1_013_904_223
            lines[line] *= random >> 31 == 0 ? factor : -factor
        }
    }

    /// Returns the window sequence that may follow `sequence` with the same arrangement of lines.
    static func sequence(after sequence: WindowSequence) -> WindowSequence {
        switch sequence {
        case .onlyLong, .longStop: .onlyLong
        case .longStart, .stopStart: .longStop
        case .eightShort: .eightShort
        }
    }
}

extension DecoderState {
    /// Synthesizes samples for a lost access unit.
    ///
    /// The first intact access unit after a loss overlaps with them. In AAC-LC and AAC-LD, the second access unit is exact again.
    mutating func conceal() {
        spanCount = 0
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
        controlSBR()
        synthesizeSBR()
    }
}
