// SPDX-License-Identifier: Apache-2.0

/// A fading continuation of an excitation, with the same mix of periodic and noisy parts (RFC 3951, 4.5.2).
struct ExcitationSubstitute: Sendable {
    private let period: [Float]

    /// The excitation that provides the noise samples.
    private let source: [Float]

    /// The gains of period and noise, whose squares sum to 1 to preserve the energy.
    private let parts: (period: Float, noise: Float)

    /// The number of samples so far.
    private var count = 0

    private var phase = 0

    /// The random generator's state.
    private var random: UInt32 = 0x2545_F491

    /// The fade-out time in samples: 200 ms, about one syllable.
    ///
    /// Longer tones are heard as a buzz.
    private static let fade = 1600

    /// The range of correlations between pure noise and a purely periodic excitation.
    private static let voicingRange: ClosedRange<Float> = 0.3...0.7

    /// Continues an excitation of at least ``PeriodAnalysis/sampleCount`` samples.
    init(continuing excitation: [Float]) {
        let analysis = PeriodAnalysis(of: excitation)
        period = Array(excitation.suffix(analysis.lag))
        // The latest samples have the right level.
        source = Array(excitation.suffix(ILBCMode.stateBlockLength))
        let range = Self.voicingRange
        let share = max(0, min(1, (analysis.voicing - range.lowerBound) / (range.upperBound - range.lowerBound)))
        parts = (share.squareRoot(), (1 - share).squareRoot())
    }

    mutating func next(_ sampleCount: Int) -> [Float] {
        (0..<sampleCount).map { _ in
            let gain = max(0, 1 - Float(count) / Float(Self.fade))
            let sample = parts.period * period[phase] + parts.noise * noise()
            count = min(count + 1, Self.fade)
            phase = (phase + 1) % period.count
            return gain * sample
        }
    }

    /// Returns a random sample of the source with a random sign.
    private mutating func noise() -> Float {
        // Marsaglia's xorshift.
        random ^= random << 13
        random ^= random >> 17
        random ^= random << 5
        let sample = source[Int((random >> 8) % UInt32(source.count))]
        return random & 1 == 0 ? sample : -sample
    }

    /// Moves the phase to the best match of period and received excitation, unless the substitute is pure noise (4.5.3).
    mutating func alignPhase(with excitation: [Float]) {
        guard parts.period > 0 else { return }
        var best = (phase: phase, product: Float(0))
        for candidate in period.indices {
            var product: Float = 0
            for index in 0..<ILBCMode.stateBlockLength {
                product += excitation[index] * period[(candidate + index) % period.count]
            }
            if product > best.product { best = (candidate, product) }
        }
        phase = best.phase
    }
}
