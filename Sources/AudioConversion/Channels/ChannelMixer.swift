// SPDX-License-Identifier: Apache-2.0

/// Mixes the samples of one queue into another.
struct ChannelMixer<Sample: WorkingSample> {
    /// For each output channel, the input channels with nonzero gain.
    private let terms: [[(channel: Int, gain: Sample)]]

    init(_ matrix: ChannelMatrix) {
        terms = matrix.gains.map { row in
            row.indices.filter { row[$0] != 0 }.map { (channel: $0, gain: Sample(double: row[$0])) }
        }
    }

    /// Mixes all frames of a queue, removes them, and appends the result to another queue.
    func move(_ input: SampleQueue<Sample>, to output: SampleQueue<Sample>) {
        let count = input.count
        guard count > 0 else { return }
        output.append(count) { channel, target in
            guard let leading = terms[channel].first else { return target.update(repeating: 0) }
            input.read(leading.channel) { source in
                if leading.gain == 1 {
                    target.update(with: source) { $0 = $1 }
                } else {
                    target.update(with: source) { $0 = $1 * leading.gain }
                }
            }
            for term in terms[channel].dropFirst() {
                input.read(term.channel) { source in target.update(with: source) { $0 += $1 * term.gain } }
            }
        }
        input.removeAll()
    }
}
