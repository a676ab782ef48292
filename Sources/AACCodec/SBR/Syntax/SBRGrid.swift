// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// How a frame is cut into envelopes, as coded: `sbr_grid()` (ISO/IEC 14496-3:2009, 4.5.2.8 and 4.6.18.3.3).
struct SBRGrid: Hashable, Sendable {
    /// `bs_frame_class`: whether the start and the end of the frame are fixed or variable.
    enum FrameClass: UInt8, Sendable {
        case fixFix = 0
        case fixVar = 1
        case varFix = 2
        case varVar = 3
    }

    /// The most envelopes of a frame.
    static let maximumEnvelopeCount = 5

    /// The class, which says what of the rest is coded.
    var frameClass = FrameClass.fixFix
    /// Envelopes of a fixFix frame, `L_E`: 1, 2 or 4.
    ///
    /// In other classes it follows from the relative boundaries.
    var fixedEnvelopeCount = 1
    /// `bs_var_bord_0`, 0 to 3: the start, in time slots.
    var variableStart = 0
    /// `bs_var_bord_1`, 0 to 3: the end, in time slots after that of the frame.
    var variableEnd = 0
    /// Widths of envelopes counted from the start, in time slots: 2, 4, 6 or 8 each; at most 3.
    var leadingWidths = Widths()
    /// Widths of envelopes counted backwards from the end.
    var trailingWidths = Widths()
    /// `bs_pointer`: which envelope holds a transient, in a form that depends on the class.
    var pointer = 0
    /// `bs_freq_res` of each envelope in order of time; bit l is envelope l.
    var highResolution: UInt8 = 0

    /// At most three widths.
    struct Widths: Hashable, Sendable {
        private var values = SIMD4<UInt8>(repeating: 0)
        private(set) var count = 0

        subscript(index: Int) -> Int { Int(values[index]) }

        mutating func append(_ width: Int) {
            values[count] = UInt8(width)
            count += 1
        }
    }

    /// Makes a fixFix grid of one envelope with low resolution.
    init() {}

    /// The number of envelopes, `L_E`, 1 to 5 in a valid grid.
    var envelopeCount: Int {
        switch frameClass {
        case .fixFix: fixedEnvelopeCount
        case .fixVar: trailingWidths.count + 1
        case .varFix: leadingWidths.count + 1
        case .varVar: leadingWidths.count + trailingWidths.count + 1
        }
    }

    /// Whether envelope `index` has the high frequency resolution.
    func isHighResolution(_ index: Int) -> Bool { highResolution >> UInt8(truncatingIfNeeded: index) & 1 != 0 }

    /// The size of `bs_pointer` for so many envelopes: ceil(log2(count + 1)).
    static func pointerBitCount(envelopeCount: Int) -> Int { Int.bitWidth - envelopeCount.leadingZeroBitCount }
}

extension SBRGrid {
    /// Reads a grid; nil when it has too many envelopes.
    init?(reading reader: inout BitReader) {
        frameClass = FrameClass(rawValue: UInt8(reader.read(2))) ?? .fixFix
        if frameClass == .fixFix {
            fixedEnvelopeCount = 1 << Int(reader.read(2))
            highResolution = reader.readFlag() ? 0xFF : 0
            guard fixedEnvelopeCount <= 4 else { return nil }
            return
        }
        if frameClass != .fixVar { variableStart = Int(reader.read(2)) }
        if frameClass != .varFix { variableEnd = Int(reader.read(2)) }
        let leadingCount = frameClass == .fixVar ? 0 : Int(reader.read(2))
        let trailingCount = frameClass == .varFix ? 0 : Int(reader.read(2))
        for _ in 0..<leadingCount { leadingWidths.append(Int(2 * reader.read(2) + 2)) }
        for _ in 0..<trailingCount { trailingWidths.append(Int(2 * reader.read(2) + 2)) }
        let count = envelopeCount
        guard count <= Self.maximumEnvelopeCount else { return nil }
        pointer = Int(reader.read(Self.pointerBitCount(envelopeCount: count)))
        for index in 0..<count where reader.readFlag() {
            highResolution |= 1 << UInt8(frameClass == .fixVar ? count - 1 - index : index)
        }
    }

    /// Writes the grid.
    func write(to sink: inout some BitSink) {
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
