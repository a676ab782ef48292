// SPDX-License-Identifier: Apache-2.0

/// Mixes the samples of one queue into another.
struct ChannelMixer<Sample: WorkingSample> {
    /// The channels of the input, and their gains, in each channel of the output; channels with gain 0 are left out.
    private let terms: [[(channel: Int, gain: Sample)]]

    /// Creates a mixer.
    init(_ matrix: ChannelMatrix) {
        terms = matrix.gains.map { row in
            row.indices.filter { row[$0] != 0 }.map { (channel: $0, gain: Sample(double: row[$0])) }
        }
    }

    /// Moves all frames of a queue, mixed, to the end of another.
    func move(_ input: SampleQueue<Sample>, to output: SampleQueue<Sample>) {
        let count = input.count
        guard count > 0 else { return }
        let first = unsafe output.room(for: count)
        for (channel, terms) in terms.enumerated() {
            let target = unsafe first + channel * output.planeLength
            guard let leading = terms.first else {
                unsafe target.update(repeating: 0, count: count)
                continue
            }
            let source = unsafe input.channel(leading.channel)
            if leading.gain == 1 {
                unsafe target.update(from: source, count: count)
            } else {
                for index in 0..<count { unsafe target[index] = source[index] * leading.gain }
            }
            for term in terms.dropFirst() {
                let source = unsafe input.channel(term.channel)
                for index in 0..<count { unsafe target[index] += source[index] * term.gain }
            }
        }
        output.advance(by: count)
        input.removeAll()
    }
}
