// SPDX-License-Identifier: Apache-2.0

/// Decoding of a frame's excitation (RFC 3951, 4.2 to 4.4).
enum ExcitationDecoding {
    /// Returns the excitation of a frame.
    ///
    /// - Parameters:
    ///   - frame: A frame with a valid start state position.
    ///   - filters: The quantised prediction filters of the sub-blocks.
    static func excitation(of frame: FrameParameters, filters: [[Float]]) -> [Float] {
        var residual = [Float](repeating: 0, count: frame.mode.samplesPerFrame)
        let position = StatePosition(of: frame)
        residual.replaceSubrange(position.samples, with: StateQuantizer.reconstruct(frame, with: filters[position.firstSubblock]))
        for (number, segment) in CodebookSegment.all(mode: frame.mode, position: position).enumerated() {
            decode(segment, number: number, of: frame, into: &residual)
        }
        return residual
    }

    /// Sets the samples of a segment to the sum of its three vectors, predicted from decoded samples.
    ///
    /// - Parameters:
    ///   - number: The index of the segment in coding order.
    ///   - residual: The excitation so far, in which the segment is set.
    static func decode(_ segment: CodebookSegment, number: Int, of frame: FrameParameters, into residual: inout [Float]) {
        let codebook = AdaptiveCodebook(memory: segment.memory(from: residual), vectorLength: segment.target.count)
        var sum = [Float](repeating: 0, count: segment.target.count)
        var vector = sum
        for (stage, gain) in GainQuantizer.gains(ofSegment: number, in: frame).enumerated() {
            let index = frame[codebookIndex: stage, segment: number]
            codebook.copyVector(AdaptiveCodebook.vector(forIndex: index, stage: stage, segment: segment), to: &vector)
            for position in sum.indices { sum[position] += gain * vector[position] }
        }
        segment.store(sum, in: &residual)
    }
}
