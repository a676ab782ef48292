// SPDX-License-Identifier: Apache-2.0

/// The parameters of one frame (RFC 3951 Table 3.2).
package struct FrameParameters: Hashable, Sendable {
    /// The mode that the frame belongs to.
    let mode: ILBCMode

    /// The parameters in the order of the table, each in the low bits.
    package var values: [UInt8]

    /// Creates parameters that are all 0.
    package init(mode: ILBCMode) {
        self.mode = mode
        values = [UInt8](repeating: 0, count: BitAllocation.table(of: mode).count)
    }

    /// The position of the parameter after the sets of line spectral frequencies.
    private var startPosition: Int { 3 * mode.lsfSetCount }
    private var samplePosition: Int { startPosition + 3 }
    private var remainderPosition: Int { samplePosition + mode.stateLength }

    /// Returns or sets the index of a split of a set of line spectral frequencies.
    package subscript(lsfSet set: Int, split split: Int) -> Int {
        get { Int(values[3 * set + split]) }
        set { values[3 * set + split] = UInt8(newValue) }
    }

    /// The number of the pair of sub-blocks with the start state, from 1; 0 and numbers after the last pair are not valid (3.5.1).
    package var stateBlock: Int {
        get { Int(values[startPosition]) }
        set { values[startPosition] = UInt8(newValue) }
    }

    /// Whether the start state is at the beginning of its pair of sub-blocks (`state_first`).
    package var isStateFirst: Bool {
        get { values[startPosition + 1] != 0 }
        set { values[startPosition + 1] = newValue ? 1 : 0 }
    }

    /// The index of the largest magnitude in the start state (`idxForMax`).
    package var stateScale: Int {
        get { Int(values[startPosition + 2]) }
        set { values[startPosition + 2] = UInt8(newValue) }
    }

    /// Returns or sets the index of a sample of the start state.
    package subscript(stateSample index: Int) -> Int {
        get { Int(values[samplePosition + index]) }
        set { values[samplePosition + index] = UInt8(newValue) }
    }

    /// Returns or sets the codebook index of a stage of a segment; segment 0 is the remainder of the start state.
    package subscript(codebookIndex stage: Int, segment segment: Int) -> Int {
        get { Int(values[indexPosition(ofSegment: segment) + stage]) }
        set { values[indexPosition(ofSegment: segment) + stage] = UInt8(newValue) }
    }

    /// Returns or sets the gain index of a stage of a segment.
    package subscript(gainIndex stage: Int, segment segment: Int) -> Int {
        get { Int(values[gainPosition(ofSegment: segment) + stage]) }
        set { values[gainPosition(ofSegment: segment) + stage] = UInt8(newValue) }
    }

    /// Whether the frame stands for one that was lost (the empty frame indicator, 3.8).
    package var isEmpty: Bool {
        get { values[values.count - 1] != 0 }
        set { values[values.count - 1] = newValue ? 1 : 0 }
    }

    /// Whether the position of the start state is one of the block's.
    package var isValid: Bool { stateBlock >= 1 && stateBlock < mode.subblockCount }

    /// Returns the position of the codebook indices of a segment: the gains of segment 0 stand between its indices and the others.
    private func indexPosition(ofSegment segment: Int) -> Int {
        remainderPosition + (segment == 0 ? 0 : 6 + 3 * (segment - 1))
    }

    /// Returns the position of the gains of a segment.
    private func gainPosition(ofSegment segment: Int) -> Int {
        remainderPosition + (segment == 0 ? 3 : 6 + 3 * (mode.segmentCount - 1) + 3 * (segment - 1))
    }
}

extension FrameParameters {
    /// Replaces the parameters with those of a coded frame.
    ///
    /// - Parameter frame: The bytes; the caller has checked their number.
    package mutating func unpack(_ frame: [UInt8]) {
        let table = BitAllocation.table(of: mode)
        var position = 0
        for index in values.indices { values[index] = 0 }
        for sensitivity in 0..<3 {
            for (index, allocation) in table.enumerated() {
                for _ in 0..<allocation.bits(ofClass: sensitivity).count {
                    let bit = frame[position >> 3] >> UInt8(7 - position & 7) & 1
                    values[index] = values[index] << 1 | bit
                    position += 1
                }
            }
        }
    }

    /// Returns the coded frame: all bits of class 1 in the order of the table, then those of class 2 and 3 (RFC 3951 3.8).
    package func packed() -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: mode.bytesPerFrame)
        let table = BitAllocation.table(of: mode)
        var position = 0
        for sensitivity in 0..<3 {
            for (index, allocation) in table.enumerated() {
                let (count, below) = allocation.bits(ofClass: sensitivity)
                for bit in (below..<below + count).reversed() {
                    frame[position >> 3] |= (values[index] >> UInt8(bit) & 1) << UInt8(7 - position & 7)
                    position += 1
                }
            }
        }
        return frame
    }
}
