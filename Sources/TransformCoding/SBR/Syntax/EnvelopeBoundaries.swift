// SPDX-License-Identifier: Apache-2.0

/// The time boundaries of a frame's envelopes, derived from an ``SBRGrid`` (ISO/IEC 14496-3:2009, 4.6.18.3.3).
package struct EnvelopeBoundaries: Hashable, Sendable {
    /// `L_E`: the number of envelopes.
    package var count = 1
    /// `t_E`: the boundaries in time slots from the start of the frame: `count` + 1 ascending values, 0 to 19.
    package var boundaries = SIMD16<UInt8>(repeating: 0)
    /// `L_Q`: the number of noise floors, 1 or 2.
    package var noiseCount = 1
    /// The envelope at which the second noise floor starts: the index in `t_E` of the middle boundary of `t_Q`.
    var noiseStart = 0
    /// `l_A`: the envelope in which a transient starts; -1 for no transient, `count` for the first envelope of the next frame.
    package var transient = -1

    /// The time slot in which envelope `index` starts and envelope `index` - 1 ends.
    package subscript(index: Int) -> Int { Int(boundaries[index]) }

    /// The first time slot of the first envelope.
    package var start: Int { Int(boundaries[0]) }
    /// The end of the last envelope, in time slots.
    package var end: Int { Int(boundaries[count]) }

    package func noiseFloor(of envelope: Int) -> Int { noiseCount == 2 && envelope >= noiseStart ? 1 : 0 }

    /// Creates one envelope between two time slots.
    package init(from start: Int, to end: Int) {
        boundaries[0] = UInt8(start)
        boundaries[1] = UInt8(end)
    }

    /// Creates one envelope, or two with a boundary inside the frame, without a transient, for predictive vector coding.
    ///
    /// ISO/IEC 23003-3, 7.5.6.
    ///
    /// - Parameter middle: The time slot of the inner boundary; 0 for one envelope.
    package init(from start: Int, middle: Int, to end: Int) {
        count = middle > 0 ? 2 : 1
        boundaries[0] = UInt8(start)
        boundaries[1] = UInt8(middle > 0 ? middle : end)
        if middle > 0 { boundaries[2] = UInt8(end) }
        noiseCount = count
        noiseStart = 1
    }

    /// Derives the boundaries of a grid; `nil` if they are not strictly ascending or the pointer is out of range.
    ///
    /// - Parameter slotCount: The number of time slots per frame, 16 or 15.
    package init?(_ grid: SBRGrid, slotCount: Int) {
        count = grid.envelopeCount
        guard count >= 1, count <= SBRGrid.maximumEnvelopeCount else { return nil }
        switch grid.frameClass {
        case .fixFix:
            // NINT(numTimeSlots / L_E) time slots each. With 15 time slots, the last envelope is one slot shorter.
            let width = (2 * slotCount + count) / (2 * count)
            for index in 0..<count { boundaries[index] = UInt8(index * width) }
            boundaries[count] = UInt8(slotCount)
        case .lowDelayTransient:
            setTransient(grid.transientPosition, slotCount: slotCount)
            return
        case .fixVar, .varFix, .varVar:
            guard setVariableBoundaries(grid, slotCount: slotCount) else { return nil }
        }
        guard setPointer(grid) else { return nil }
        noiseCount = count == 1 ? 1 : 2
    }

    /// Sets all values for a transient in a low delay SBR frame.
    private mutating func setTransient(_ position: Int, slotCount: Int) {
        let isEarly = position < 2
        boundaries[1] = UInt8(isEarly ? position + 4 : position)
        if count == 3 { boundaries[2] = UInt8(position + 4) }
        boundaries[count] = UInt8(slotCount)
        transient = isEarly ? 0 : 1
        noiseCount = 2
        noiseStart = 1
    }

    /// Sets the boundaries of classes other than FIXFIX.
    ///
    /// - Returns: Whether they are strictly ascending.
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

    /// Sets ``transient`` and ``noiseStart`` from `bs_pointer`.
    ///
    /// - Returns: Whether the pointer is in range.
    private mutating func setPointer(_ grid: SBRGrid) -> Bool {
        let pointer = grid.pointer
        switch grid.frameClass {
        case .fixFix, .lowDelayTransient:
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
