// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

/// Block switching: the choice between one long window and eight short ones, with one frame of look-ahead.
///
/// It depends only on the samples of the last three blocks, so that an encoder that starts mid-stream makes the same choice.
extension ElementEncoder {
    /// Returns the next frame's window sequence.
    ///
    /// Low-frequency channels, AAC-LD and AAC-ELD use long windows only.
    mutating func nextSequence(_ tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank) -> WindowSequence {
        kind == .lowFrequency || tables.syntax.isLowDelay
            ? .onlyLong
            : planner.advance(attackAhead: hasAttackAhead(tables, filterBank: &filterBank))
    }

    /// Returns whether the newest window should be short.
    ///
    /// For an isolated attack, the pre-echo exposure must exceed a limit. For successive pulses, it must also justify the additional bits
    /// of short windows. After an exposed window, it must exceed the limit even if the previous window is short.
    private mutating func hasAttackAhead(_ tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank) -> Bool {
        let found = preEchoExcess(followsShort: false)
        var hasPreEcho = false
        defer { previousWindowHasPreEcho = hasPreEcho }
        var limit = tables.rateDependent.preEchoExcessLimit
        guard found.total > limit else { return false }
        let preEchoExcessPerBit = tables.rateDependent.preEchoExcessPerBit
        if found.isolated <= limit && preEchoExcessPerBit > 0 {
            limit += preEchoExcessPerBit * max(excessOfShort(tables, filterBank: &filterBank), 0)
        }
        hasPreEcho = found.total > limit
        return hasPreEcho && (!previousWindowHasPreEcho || preEchoExcess(followsShort: true).total > limit)
    }

    /// Returns the pre-echo exposure of the newest window; of a pair, the maximum of both channels.
    private mutating func preEchoExcess(followsShort: Bool) -> TransientDetector.PreEchoExcess {
        let ofFirst = first.transients.preEchoExcess(followsShort: followsShort)
        guard kind == .pair else { return ofFirst }
        let ofSecond = second.transients.preEchoExcess(followsShort: followsShort)
        return .init(total: max(ofFirst.total, ofSecond.total), isolated: max(ofFirst.isolated, ofSecond.isolated))
    }

    /// Returns how many more bits short windows need than a long one, averaged over the channels.
    private mutating func excessOfShort(_ tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank) -> Float {
        let ofFirst = first.excessOfShort(tables, filterBank: &filterBank)
        return kind == .pair ? (ofFirst + second.excessOfShort(tables, filterBank: &filterBank)) / 2 : ofFirst
    }
}
