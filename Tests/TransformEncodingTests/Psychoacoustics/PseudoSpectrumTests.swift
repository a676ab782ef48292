// SPDX-License-Identifier: Apache-2.0

import Testing
import TransformCoding
import TransformEncoding

@Suite struct PseudoSpectrumTests {
    @Test("Equals x[k]² + (x[k+1] - x[k-1])², and the square in the first and last line", arguments: [128, 1024])
    func formula(count: Int) {
        // An irregular spectrum, generated with the golden ratio.
        let spectrum = (0..<count).map { line -> Float in
            let position = Float(line) * 0.618_034
            return (position - position.rounded(.down) - 0.5) * 1000
        }
        var found = [Float](repeating: -1, count: count)
        var span = found.mutableSpan
        PseudoSpectrum.measure(spectrum.span, into: &span)
        for line in 0..<count {
            let difference = line == 0 || line == count - 1 ? 0 : spectrum[line + 1] - spectrum[line - 1]
            let expected = spectrum[line] * spectrum[line] + difference * difference
            #expect((found[line] - expected).magnitude <= expected * 1e-6)
        }
    }
}
