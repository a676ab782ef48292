// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The encoded time grid of a frame, `sbr_grid()` (ISO/IEC 14496-3:2009, 4.5.2.8 and 4.6.18.3.3).
package struct SBRGrid: Hashable, Sendable {
    /// `bs_frame_class`: whether the first and the last boundary are fixed or variable.
    package enum FrameClass: UInt8, Sendable {
        case fixFix = 0
        case fixVar = 1
        case varFix = 2
        case varVar = 3
        /// LD_TRAN, the only class in low delay SBR besides FIXFIX. Coded as 1.
        case lowDelayTransient = 4
    }

    /// The maximum number of envelopes per frame, as in enhanced SBR.
    ///
    /// AAC permits five.
    package static var maximumEnvelopeCount: Int { 8 }

    /// The frame class, which determines the other coded fields.
    package var frameClass = FrameClass.fixFix
    /// `L_E` of a FIXFIX or LD_TRAN frame.
    ///
    /// FIXFIX frames have 1, 2 or 4 envelopes, in enhanced and low delay SBR also 8. LD_TRAN frames have 2 or 3. In other classes, `L_E`
    /// is derived from the relative boundaries.
    package var fixedEnvelopeCount = 1
    /// `bs_var_bord_0`, 0 to 3: the first boundary, in time slots.
    package var variableStart = 0
    /// `bs_var_bord_1`, 0 to 3: the last boundary, in time slots after the end of the frame.
    package var variableEnd = 0
    /// `bs_rel_bord_0`: the widths of at most 3 envelopes from the first boundary, 2, 4, 6 or 8 time slots each.
    package var leadingWidths = EnvelopeWidths()
    /// `bs_rel_bord_1`: the widths of at most 3 envelopes backwards from the last boundary, 2, 4, 6 or 8 time slots each.
    package var trailingWidths = EnvelopeWidths()
    /// `bs_pointer`: the envelope with a transient.
    ///
    /// How it is counted depends on the class.
    package var pointer = 0
    /// `bs_transient_position` of an LD_TRAN frame, in time slots.
    package var transientPosition = 0
    /// `bs_amp_res` of a FIXFIX frame with one envelope in low delay SBR: whether steps are 3 dB; `nil` if the header determines it.
    package var usesCoarseAmplitudes: Bool?
    /// `bs_freq_res`: bit l is set if envelope l, in time order, has high frequency resolution.
    package var highResolution: UInt8 = 0

    /// A list of at most three widths.
    package struct EnvelopeWidths: Hashable, Sendable {
        /// The widths, valid below index ``count``.
        private var values = SIMD4<UInt8>(repeating: 0)
        package private(set) var count = 0

        package init() {}

        /// The width at an index below ``count``.
        package subscript(index: Int) -> Int { Int(values[index]) }

        package mutating func append(_ width: Int) {
            values[count] = UInt8(width)
            count += 1
        }
    }

    /// Creates a FIXFIX grid with one envelope of low frequency resolution.
    package init() {}

    /// `L_E`: the number of envelopes, 1 to 5 in a valid grid in AAC, 1 to 8 in enhanced SBR.
    package var envelopeCount: Int {
        switch frameClass {
        case .fixFix, .lowDelayTransient: fixedEnvelopeCount
        case .fixVar: trailingWidths.count + 1
        case .varFix: leadingWidths.count + 1
        case .varVar: leadingWidths.count + trailingWidths.count + 1
        }
    }

    /// Returns whether envelope `index` has high frequency resolution.
    package func isHighResolution(_ index: Int) -> Bool { highResolution >> UInt8(truncatingIfNeeded: index) & 1 != 0 }

    /// Returns the size of `bs_pointer` in bits: ceil(log2(`envelopeCount` + 1)).
    static func pointerBitCount(envelopeCount: Int) -> Int { Int.bitWidth - envelopeCount.leadingZeroBitCount }
}

extension SBRGrid {
    /// Reads a grid; `nil` if it has more envelopes than the SBR variant permits.
    package init?(reading reader: inout BitReader, variant: SBRVariant = .standard) {
        frameClass = FrameClass(rawValue: UInt8(reader.read(2))) ?? .fixFix
        if frameClass == .fixFix {
            fixedEnvelopeCount = 1 << Int(reader.read(2))
            highResolution = reader.readFlag() ? 0xFF : 0
            guard fixedEnvelopeCount <= variant.maximumEnvelopeCount else { return nil }
            return
        }
        if frameClass != .fixVar { variableStart = Int(reader.read(2)) }
        if frameClass != .varFix { variableEnd = Int(reader.read(2)) }
        let leadingCount = frameClass == .fixVar ? 0 : Int(reader.read(2))
        let trailingCount = frameClass == .varFix ? 0 : Int(reader.read(2))
        for _ in 0..<leadingCount { leadingWidths.append(Int(2 * reader.read(2) + 2)) }
        for _ in 0..<trailingCount { trailingWidths.append(Int(2 * reader.read(2) + 2)) }
        let count = envelopeCount
        guard count <= variant.maximumEnvelopeCount else { return nil }
        pointer = Int(reader.read(Self.pointerBitCount(envelopeCount: count)))
        for index in 0..<count where reader.readFlag() {
            highResolution |= 1 << UInt8(frameClass == .fixVar ? count - 1 - index : index)
        }
    }

    package func write(to sink: inout some BitSink) {
        sink.write(UInt32(frameClass.rawValue), count: 2)
        if frameClass == .fixFix {
            sink.write(UInt32(fixedEnvelopeCount.trailingZeroBitCount), count: 2)
            sink.write(isHighResolution(0))
            return
        }
        if frameClass != .fixVar { sink.write(UInt32(variableStart), count: 2) }
        if frameClass != .varFix { sink.write(UInt32(variableEnd), count: 2) }
        if frameClass != .fixVar { sink.write(UInt32(leadingWidths.count), count: 2) }
        if frameClass != .varFix { sink.write(UInt32(trailingWidths.count), count: 2) }
        for index in 0..<leadingWidths.count { sink.write(UInt32(leadingWidths[index] / 2 - 1), count: 2) }
        for index in 0..<trailingWidths.count { sink.write(UInt32(trailingWidths[index] / 2 - 1), count: 2) }
        let count = envelopeCount
        sink.write(UInt32(pointer), count: Self.pointerBitCount(envelopeCount: count))
        for index in 0..<count {
            sink.write(isHighResolution(frameClass == .fixVar ? count - 1 - index : index))
        }
    }
}

extension SBRGrid {
    /// Reads a low delay SBR grid (`ld_grid`, ISO/IEC 14496-3:2009, 4.6.19); `nil` if the transient is outside the frame.
    package init?(readingLowDelay reader: inout BitReader, slotCount: Int) {
        guard reader.readFlag() else {
            fixedEnvelopeCount = 1 << Int(reader.read(2))
            if fixedEnvelopeCount == 1 { usesCoarseAmplitudes = reader.readFlag() }
            highResolution = reader.readFlag() ? 0xFF : 0
            return
        }
        let position = Int(reader.read(4))
        guard position < slotCount else { return nil }
        setTransient(position, slotCount: slotCount)
        for index in 0..<fixedEnvelopeCount where reader.readFlag() { highResolution |= 1 << UInt8(index) }
    }

    /// Changes the grid to LD_TRAN with a transient at a time slot.
    package mutating func setTransient(_ position: Int, slotCount: Int) {
        frameClass = .lowDelayTransient
        transientPosition = position
        fixedEnvelopeCount = 2...slotCount - 6 ~= position ? 3 : 2
    }

    package func writeLowDelay(to sink: inout some BitSink) {
        let isTransient = frameClass == .lowDelayTransient
        sink.write(isTransient)
        guard isTransient else {
            sink.write(UInt32(fixedEnvelopeCount.trailingZeroBitCount), count: 2)
            if fixedEnvelopeCount == 1 { sink.write(usesCoarseAmplitudes == true) }
            return sink.write(isHighResolution(0))
        }
        sink.write(UInt32(transientPosition), count: 4)
        for index in 0..<fixedEnvelopeCount { sink.write(isHighResolution(index)) }
    }
}
