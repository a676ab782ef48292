// SPDX-License-Identifier: Apache-2.0

/// A block segment coded with the adaptive codebook, and the decoded samples that predict it (RFC 3951, 3.6.1).
package struct CodebookSegment: Hashable, Sendable {
    package let target: Range<Int>

    /// The decoded samples next to the segment, which fill the codebook memory.
    package let source: Range<Int>

    /// The codebook memory length (`lMem`): 85 for the remainder of the start state's sub-blocks, 147 for a sub-block.
    package let memoryLength: Int

    /// Whether the segment precedes its source, so that both are time-reversed.
    package let isReversed: Bool

    /// Whether the segment is the first coded sub-block of 40 samples, whose later stages use fewer vectors (Table 3.1).
    package let isFirstSubblock: Bool

    /// The sub-block whose filters apply to the segment.
    var subblock: Int { target.lowerBound / ILBCMode.subblockLength }

    /// Returns the segments of a block in coding order.
    ///
    /// The remainder of the start state's sub-blocks comes first, then the later sub-blocks forward in time, then the earlier ones
    /// backward.
    package static func all(mode: ILBCMode, position: StatePosition) -> [CodebookSegment] {
        var segments = [
            CodebookSegment(
                target: position.remainder, source: position.samples, memoryLength: 85, isReversed: !position.isStateFirst,
                isFirstSubblock: false)
        ]
        let length = ILBCMode.subblockLength
        let memory = 147
        let stateEnd = position.blockStart + ILBCMode.stateBlockLength
        for start in stride(from: stateEnd, to: mode.samplesPerFrame, by: length) {
            segments.append(
                CodebookSegment(
                    target: start..<start + length, source: max(position.blockStart, start - memory)..<start, memoryLength: memory,
                    isReversed: false, isFirstSubblock: segments.count == 1))
        }
        for end in stride(from: position.blockStart, to: 0, by: -length) {
            segments.append(
                CodebookSegment(
                    target: end - length..<end, source: end..<min(mode.samplesPerFrame, end + memory), memoryLength: memory,
                    isReversed: true, isFirstSubblock: segments.count == 1))
        }
        return segments
    }

    /// Returns the codebook memory, which is the zero-padded source in coding direction, ending next to the target.
    func memory(from residual: [Float]) -> [Float] {
        let zeros = [Float](repeating: 0, count: memoryLength - source.count)
        return isReversed ? zeros + residual[source].reversed() : zeros + residual[source]
    }

    /// Returns the samples of the target in coding direction.
    func targetSamples(of residual: [Float]) -> [Float] {
        isReversed ? residual[target].reversed() : Array(residual[target])
    }

    /// Stores decoded samples, given in coding direction.
    func store(_ samples: [Float], in residual: inout [Float]) {
        for (offset, sample) in samples.enumerated() {
            residual[isReversed ? target.upperBound - 1 - offset : target.lowerBound + offset] = sample
        }
    }
}
