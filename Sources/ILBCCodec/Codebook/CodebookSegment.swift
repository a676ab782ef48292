// SPDX-License-Identifier: Apache-2.0

/// A segment of a block that the adaptive codebook codes, and the decoded samples that it is coded from (RFC 3951 3.6.1).
package struct CodebookSegment: Hashable, Sendable {
    /// The samples of the segment.
    package let target: Range<Int>

    /// The decoded samples next to the segment that fill the codebook memory.
    package let source: Range<Int>

    /// The length of the codebook memory (`lMem`): 85 for the remainder of the start state, 147 for a sub-block.
    package let memoryLength: Int

    /// Whether the segment stands before its source, so that both are reversed in time.
    package let isReversed: Bool

    /// Whether the segment is the first sub-block of 40 samples that is coded, whose later stages use fewer vectors (Table 3.1).
    package let isFirstSubblock: Bool

    /// The number of the sub-block that the filters of the segment belong to.
    var subblock: Int { target.lowerBound / ILBCMode.subblockLength }

    /// Returns the segments of a block in the order of their coding: the remainder of the start state, then the sub-blocks after the
    /// start state forward in time, then those before it backward.
    ///
    /// - Parameters:
    ///   - mode: The mode.
    ///   - position: The place of the start state.
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

    /// Returns the codebook memory: the source in the direction of the target, so that its latest samples stand next to the target, after
    /// zeros that fill it up.
    func memory(from residual: [Float]) -> [Float] {
        let zeros = [Float](repeating: 0, count: memoryLength - source.count)
        return isReversed ? zeros + residual[source].reversed() : zeros + residual[source]
    }

    /// Returns the samples of the target in the direction of coding.
    func targetSamples(of residual: [Float]) -> [Float] {
        isReversed ? residual[target].reversed() : Array(residual[target])
    }

    /// Stores decoded samples, which are in the direction of coding.
    func store(_ samples: [Float], in residual: inout [Float]) {
        for (offset, sample) in samples.enumerated() {
            residual[isReversed ? target.upperBound - 1 - offset : target.lowerBound + offset] = sample
        }
    }
}
