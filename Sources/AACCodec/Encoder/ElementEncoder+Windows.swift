// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

/// The choice between a long window and eight short ones, with one frame of look-ahead.
///
/// It depends on the samples of the last three blocks alone, so that an encoder that starts in the middle of a stream chooses alike.
extension ElementEncoder {
    /// Returns the window sequence of the next frame; low-frequency channels, AAC-LD and AAC-ELD have long windows only.
    mutating func nextSequence(_ tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank) -> WindowSequence {
        kind == .lowFrequency || !tables.syntax.hasElementIDs
            ? .onlyLong : planner.advance(attackAhead: hasAttackAhead(tables, filterBank: &filterBank))
    }

    /// Returns whether the newest window should be short.
    ///
    /// The exposure of pulses that follow each other has to be worth the bits that short windows take for them; that of an isolated attack
    /// is. After an exposed window, the window also has to be exposed when it rises as steeply as a short one.
    private mutating func hasAttackAhead(_ tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank) -> Bool {
        let found = exposure(followsShort: false)
        var isExposed = false
        defer { followsAttack = isExposed }
        var limit = tables.rateDependent.exposureLimit
        guard found.total > limit else { return false }
        let exposurePerBit = tables.rateDependent.exposurePerBit
        if found.isolated <= limit && exposurePerBit > 0 {
            limit += exposurePerBit * max(excessOfShort(tables, filterBank: &filterBank), 0)
        }
        isExposed = found.total > limit
        return isExposed && (!followsAttack || exposure(followsShort: true).total > limit)
    }

    /// Returns the pre-echo exposure of the newest window, the larger one of the channels.
    private mutating func exposure(followsShort: Bool) -> TransientDetector.Exposure {
        let ofFirst = first.transients.preEchoExposure(followsShort: followsShort)
        guard kind == .pair else { return ofFirst }
        let ofSecond = second.transients.preEchoExposure(followsShort: followsShort)
        return .init(total: max(ofFirst.total, ofSecond.total), isolated: max(ofFirst.isolated, ofSecond.isolated))
    }

    /// Returns the bits that short windows take beyond those of a long one, as a mean of the channels.
    private mutating func excessOfShort(_ tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank) -> Float {
        let ofFirst = first.excessOfShort(tables, filterBank: &filterBank)
        return kind == .pair ? (ofFirst + second.excessOfShort(tables, filterBank: &filterBank)) / 2 : ofFirst
    }
}
