// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The envelopes of a frame in time, worked out from an ``SBRGrid`` (ISO/IEC 14496-3:2009, 4.6.18.3.3).
struct EnvelopeBoundaries: Hashable, Sendable {
    /// The number of envelopes, `L_E`.
    var count = 1
    /// The boundaries, `t_E`, in time slots from the start of the frame: `count` + 1 rising values, 0 to 19.
    var boundaries = SIMD8<UInt8>(repeating: 0)
    /// The number of noise floors, `L_Q`, 1 or 2.
    var noiseCount = 1
    /// The envelope with which the second noise floor begins.
    var noiseStart = 0
    /// The envelope in which a transient starts, `l_A`; -1 for none, `count` for the first of the next frame.
    var transient = -1

    /// Where envelope `index` starts, and envelope `index` - 1 ends, in time slots.
    @inline(__always)
    subscript(index: Int) -> Int { Int(boundaries[index]) }

    /// Where the first envelope starts, in time slots.
    var start: Int { Int(boundaries[0]) }
    /// Where the last envelope ends, in time slots.
    var end: Int { Int(boundaries[count]) }

    /// The noise floor that holds in an envelope.
    func noiseFloor(of envelope: Int) -> Int { noiseCount == 2 && envelope >= noiseStart ? 1 : 0 }

    /// Makes one envelope between two time slots.
    init(from start: Int, to end: Int) {
        boundaries[0] = UInt8(start)
        boundaries[1] = UInt8(end)
    }

    /// Works out the boundaries; nil when they do not rise or the pointer points nowhere.
    ///
    /// - Parameter slotCount: Time slots of a frame, 16 or 15.
    init?(_ grid: SBRGrid, slotCount: Int) {
        count = grid.envelopeCount
        guard count >= 1, count <= SBRGrid.maximumEnvelopeCount else { return nil }
        switch grid.frameClass {
        case .fixFix:
            // 15 slots are cut as 16 are, but for the end: 8, or 4, 8 and 12.
            for index in 0..<count { boundaries[index] = UInt8(index * 16 / count) }
            boundaries[count] = UInt8(slotCount)
        case .fixVar, .varFix, .varVar:
            guard setVariableBoundaries(grid, slotCount: slotCount) else { return nil }
        }
        guard setPointer(grid) else { return nil }
        noiseCount = count == 1 ? 1 : 2
    }

    private mutating func setVariableBoundaries(_ grid: SBRGrid, slotCount: Int) -> Bool {
        var position = grid.frameClass == .fixVar ? 0 : grid.variableStart
        boundaries[0] = UInt8(position)
        for index in 0..<grid.leadingWidths.count {
            position += grid.leadingWidths[index]
            boundaries[index + 1] = UInt8(truncatingIfNeeded: position)
        }
        position = slotCount + (grid.frameClass == .varFix ? 0 : grid.variableEnd)
        boundaries[count] = UInt8(position)
        for index in 0..<grid.trailingWidths.count {
            position -= grid.trailingWidths[index]
            guard position > 0 else { return false }
            boundaries[count - 1 - index] = UInt8(position)
        }
        for index in 0..<count where boundaries[index] >= boundaries[index + 1] { return false }
        return true
    }

    private mutating func setPointer(_ grid: SBRGrid) -> Bool {
        let pointer = grid.pointer
        switch grid.frameClass {
        case .fixFix:
            noiseStart = count / 2
        case .varFix:
            guard pointer <= count else { return false }
            transient = pointer <= 1 ? -1 : pointer - 1
            noiseStart = pointer == 0 ? 1 : pointer == 1 ? count - 1 : pointer - 1
        case .fixVar, .varVar:
            guard pointer <= count + 1 else { return false }
            transient = pointer == 0 ? -1 : count + 1 - pointer
            noiseStart = pointer <= 1 ? count - 1 : count + 1 - pointer
        }
        return true
    }
}
