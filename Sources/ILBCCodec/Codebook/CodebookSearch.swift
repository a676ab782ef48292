// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The search for the three vectors and gains of a segment (RFC 3951 3.6.2 to 3.7).
struct CodebookSearch {
    /// The vectors of the weighted codebook, one after another.
    private let vectors: [Float]

    /// The energy of each vector.
    private let energies: [Float]

    /// The weighted target.
    private let target: [Float]

    private let segment: CodebookSegment

    /// The largest magnitude of a gain before it is quantised (`CB_MAXGAIN`).
    private static let maximumGain: Float = 1.3

    /// Weights the memory and the target together, and makes the codebook.
    ///
    /// - Parameters:
    ///   - segment: The segment.
    ///   - residual: The residual of the block.
    ///   - coded: The excitation decoded so far.
    ///   - weighting: The denominator of the weighting filter of the sub-block of the segment.
    init(_ segment: CodebookSegment, residual: [Float], coded: [Float], weighting: [Float]) {
        self.segment = segment
        var signal = segment.memory(from: coded) + segment.targetSamples(of: residual)
        var filter = PredictionFilter()
        filter.synthesize(&signal, 0..<signal.count, with: weighting)
        target = Array(signal[segment.memoryLength...])
        let codebook = AdaptiveCodebook(memory: Array(signal[..<segment.memoryLength]), vectorLength: target.count)
        var vectors: [Float] = []
        vectors.reserveCapacity(codebook.vectorCount * target.count)
        var vector = target
        energies = (0..<codebook.vectorCount).map { number in
            codebook.copyVector(number, to: &vector)
            vectors += vector
            return vector.reduce(0) { $0 + $1 * $1 }
        }
        self.vectors = vectors
    }

    /// Writes the indices and gains of the segment into a frame.
    ///
    /// - Parameters:
    ///   - number: The number of the segment in the order of coding.
    ///   - frame: The frame.
    func encode(number: Int, into frame: inout FrameParameters) {
        var rest = target
        var coded = [Float](repeating: 0, count: target.count)
        var previous: Float = 0
        var gains: [Float] = []
        for stage in 0..<GainQuantizer.stageCount {
            let best = bestVector(for: rest, stage: stage)
            let scale = GainQuantizer.scale(ofStage: stage, after: previous)
            let table = GainQuantizer.table(ofStage: stage)
            let gainIndex = QuantizerTables.nearest(to: best.gain / scale, in: table)
            previous = scale * table[gainIndex]
            gains.append(previous)
            frame[codebookIndex: stage, segment: number] = best.index
            frame[gainIndex: stage, segment: number] = gainIndex
            for position in target.indices {
                let part = previous * vectors[best.vector * target.count + position]
                rest[position] -= part
                coded[position] += part
            }
        }
        correctGain(of: coded, number: number, into: &frame)
    }

    /// Returns the vector with the largest (target * vector)^2 / ||vector||^2, and its gain (3.6.4.1).
    private func bestVector(for rest: [Float], stage: Int) -> (index: Int, vector: Int, gain: Float) {
        var best = (index: 0, vector: 0, gain: Float(0))
        var largest: Float = 0
        for vector in energies.indices where energies[vector] > 0 {
            guard let index = AdaptiveCodebook.index(forVector: vector, stage: stage, segment: segment) else { continue }
            var product: Float = 0
            let start = vector * rest.count
            for position in 0..<rest.count { product += rest[position] * vectors[start + position] }
            let gain = product / energies[vector]
            let measure = product * gain
            // The gain of the first stage has no sign.
            guard measure > largest, abs(gain) < Self.maximumGain, stage > 0 || product > 0 else { continue }
            largest = measure
            best = (index, vector, gain)
        }
        return best
    }

    /// Raises the gain of the first stage, and with it those of the others, while the segment has less energy than the target (3.7).
    ///
    /// - Parameters:
    ///   - coded: The weighted sum of the three vectors.
    ///   - number: The number of the segment.
    ///   - frame: The frame.
    private func correctGain(of coded: [Float], number: Int, into frame: inout FrameParameters) {
        let wanted = target.reduce(0) { $0 + $1 * $1 }
        let found = coded.reduce(0) { $0 + $1 * $1 }
        let table = QuantizerTables.firstGain
        let first = frame[gainIndex: 0, segment: number]
        for index in first..<table.count {
            let ratio = table[index] / table[first]
            guard ratio < 2, found * ratio * ratio < wanted else { break }
            frame[gainIndex: 0, segment: number] = index
        }
    }
}
