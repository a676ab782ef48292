// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The two filters before the energy measurement: a shelf that models the head, and a high-pass filter (ITU-R BS.1770-5, annex 1).
struct KWeighting {
    /// A second-order filter section, `a0` = 1.
    private struct Section {
        var b0, b1, b2, a1, a2: Double
    }

    /// The coefficients at 48 kHz (tables 1 and 2).
    private static let shelfAt48kHz = Section(
        b0: 1.53512485958697, b1: -2.69169618940638, b2: 1.19839281085285, a1: -1.69065929318241, a2: 0.73248077421585)
    private static let highPassAt48kHz = Section(b0: 1, b1: -2, b2: 1, a1: -1.99004745483398, a2: 0.99007225036621)

    private let shelf: Section
    private let highPass: Section

    /// Computes the coefficients for a sample rate, in hertz.
    init(sampleRate: Int) {
        shelf = Self.section(Self.shelfAt48kHz, sampleRate: sampleRate)
        var highPass = Self.section(Self.highPassAt48kHz, sampleRate: sampleRate)
        // The numerator of table 2 applies at all rates, as in libebur128 and FFmpeg. The gain differs by 0.2 dB at 8 kHz.
        (highPass.b0, highPass.b1, highPass.b2) = (1, -2, 1)
        self.highPass = highPass
    }

    /// Returns the section at another sample rate with the same response.
    ///
    /// Inverts the bilinear transform of the 48 kHz section, and applies it again at the new rate with the same corner frequency.
    private static func section(_ old: Section, sampleRate: Int) -> Section {
        // Polynomials in the frequency variable of the bilinear transform.
        let zeros = (old.b0 + old.b1 + old.b2, 2 * (old.b0 - old.b2), old.b0 - old.b1 + old.b2)
        let poles = (1 + old.a1 + old.a2, 2 * (1 - old.a2), 1 - old.a1 + old.a2)
        let corner = (poles.0 / poles.2).squareRoot()
        let frequency = atan(corner) * 48_000 / Double.pi
        let scale = corner / tan(Double.pi * min(frequency / Double(sampleRate), 0.49))
        let (b, a) = ((zeros.0, zeros.1 * scale, zeros.2 * scale * scale), (poles.0, poles.1 * scale, poles.2 * scale * scale))
        let a0 = a.0 + a.1 + a.2
        return Section(
            b0: (b.0 + b.1 + b.2) / a0, b1: 2 * (b.0 - b.2) / a0, b2: (b.0 - b.1 + b.2) / a0, a1: 2 * (a.0 - a.2) / a0,
            a2: (a.0 - a.1 + a.2) / a0)
    }

    /// The filter states of two channels.
    struct State {
        fileprivate var shelf = (SIMD2<Double>.zero, SIMD2<Double>.zero)
        fileprivate var highPass = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    }

    /// Filters samples of two channels and returns the sums of squares.
    ///
    /// Non-finite samples count as silence.
    func energies(_ first: Span<Float>, _ second: Span<Float>, _ state: inout State) -> SIMD2<Double> {
        precondition(first.count == second.count)
        var (memory, sums) = (state, SIMD2<Double>.zero)
        for index in 0..<first.count {
            var input = SIMD2(Double(first[index]), Double(second[index]))
            // A finite number minus itself is 0; NaN otherwise.
            input.replace(with: 0, where: (input - input) .!= 0)
            let middle = input * shelf.b0 + memory.shelf.0
            memory.shelf.0 = memory.shelf.1 + input * shelf.b1 - middle * shelf.a1
            memory.shelf.1 = input * shelf.b2 - middle * shelf.a2
            let output = middle + memory.highPass.0
            memory.highPass.0 = memory.highPass.1 - 2 * middle - output * highPass.a1
            memory.highPass.1 = middle - output * highPass.a2
            sums += output * output
        }
        // Avoids denormals in silence, which slow down processors.
        let smallest = 1e-30
        memory.shelf.0.replace(with: 0, where: memory.shelf.0 * memory.shelf.0 .< smallest)
        memory.shelf.1.replace(with: 0, where: memory.shelf.1 * memory.shelf.1 .< smallest)
        memory.highPass.0.replace(with: 0, where: memory.highPass.0 * memory.highPass.0 .< smallest)
        memory.highPass.1.replace(with: 0, where: memory.highPass.1 * memory.highPass.1 .< smallest)
        state = memory
        return sums
    }
}
