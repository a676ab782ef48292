// SPDX-License-Identifier: Apache-2.0

/// The parameters of one frame (RFC 3951, Table 3.2).
package struct FrameParameters: Hashable, Sendable {
    let mode: ILBCMode

    /// The parameters in table order, right-aligned.
    package var values: [UInt8]

    /// Creates parameters that are all zero.
    package init(mode: ILBCMode) {
        self.mode = mode
        values = [UInt8](repeating: 0, count: BitAllocation.table(of: mode).count)
    }

    /// The position of the first parameter after the line spectral frequencies.
    private var startPosition: Int { 3 * mode.lsfSetCount }
    private var samplePosition: Int { startPosition + 3 }
    private var remainderPosition: Int { samplePosition + mode.stateLength }

    /// The codebook index of a split of a set of line spectral frequencies.
    package subscript(lsfSet set: Int, split split: Int) -> Int {
        get { Int(values[3 * set + split]) }
        set { values[3 * set + split] = UInt8(newValue) }
    }

    /// The index of the sub-block pair with the start state, counted from 1.
    ///
    /// Other values are invalid (3.5.1).
    package var stateBlock: Int {
        get { Int(values[startPosition]) }
        set { values[startPosition] = UInt8(newValue) }
    }

    /// Whether the start state is at the beginning of its sub-block pair (`state_first`).
    package var isStateFirst: Bool {
        get { values[startPosition + 1] != 0 }
        set { values[startPosition + 1] = newValue ? 1 : 0 }
    }

    /// The index of the start state's peak magnitude (`idxForMax`).
    package var stateScale: Int {
        get { Int(values[startPosition + 2]) }
        set { values[startPosition + 2] = UInt8(newValue) }
    }

    package subscript(stateSample index: Int) -> Int {
        get { Int(values[samplePosition + index]) }
        set { values[samplePosition + index] = UInt8(newValue) }
    }

    /// The codebook index of a segment's stage.
    ///
    /// Segment 0 is the remainder of the start state's sub-blocks.
    package subscript(codebookIndex stage: Int, segment segment: Int) -> Int {
        get { Int(values[indexPosition(ofSegment: segment) + stage]) }
        set { values[indexPosition(ofSegment: segment) + stage] = UInt8(newValue) }
    }

    package subscript(gainIndex stage: Int, segment segment: Int) -> Int {
        get { Int(values[gainPosition(ofSegment: segment) + stage]) }
        set { values[gainPosition(ofSegment: segment) + stage] = UInt8(newValue) }
    }

    /// Whether the frame represents a lost one (empty frame indicator, 3.8).
    package var isEmpty: Bool {
        get { values[values.count - 1] != 0 }
        set { values[values.count - 1] = newValue ? 1 : 0 }
    }

    /// Whether the start state's position is valid.
    package var isValid: Bool { stateBlock >= 1 && stateBlock < mode.subblockCount }

    /// Returns the position of a segment's codebook indices.
    ///
    /// The gains of segment 0 are between its indices and the other segments' indices.
    private func indexPosition(ofSegment segment: Int) -> Int {
        remainderPosition + (segment == 0 ? 0 : 6 + 3 * (segment - 1))
    }

    private func gainPosition(ofSegment segment: Int) -> Int {
        remainderPosition + (segment == 0 ? 3 : 6 + 3 * (mode.segmentCount - 1) + 3 * (segment - 1))
    }
}

extension FrameParameters {
    /// Reads the parameters from a coded frame.
    ///
    /// - Parameter frame: The frame, whose size the caller must check.
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

    /// Returns the coded frame: all class 1 bits in table order, then class 2 and class 3 (RFC 3951, 3.8).
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
