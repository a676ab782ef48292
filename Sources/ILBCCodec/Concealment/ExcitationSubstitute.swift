// SPDX-License-Identifier: Apache-2.0

/// An excitation that continues another one, periodic and noisy as that was, and fades out (RFC 3951 4.5.2).
struct ExcitationSubstitute: Sendable {
    /// The last pitch period.
    private let period: [Float]

    /// The excitation that the noise takes its values from.
    private let source: [Float]

    /// The parts of the period and of the noise; their squares add to 1, so that the energy is that of the source.
    private let parts: (period: Float, noise: Float)

    /// The number of samples made so far.
    private var count = 0

    /// The position in the period.
    private var phase = 0

    /// The state of the random numbers.
    private var random: UInt32 = 0x2545_F491

    /// The number of samples after which the substitute is silent, 200 ms: about a syllable; a longer tone is heard as a buzz.
    private static let fade = 1600

    /// The correlations below which the excitation is all noise, and above which it is all periodic.
    private static let voicingRange: ClosedRange<Float> = 0.3...0.7

    /// Continues an excitation with at least ``PeriodAnalysis/sampleCount`` samples.
    init(continuing excitation: [Float]) {
        let analysis = PeriodAnalysis(of: excitation)
        period = Array(excitation.suffix(analysis.lag))
        // The latest samples have the level to go on with.
        source = Array(excitation.suffix(ILBCMode.stateBlockLength))
        let range = Self.voicingRange
        let share = max(0, min(1, (analysis.voicing - range.lowerBound) / (range.upperBound - range.lowerBound)))
        parts = (share.squareRoot(), (1 - share).squareRoot())
    }

    /// Returns the next samples.
    mutating func next(_ sampleCount: Int) -> [Float] {
        (0..<sampleCount).map { _ in
            let gain = max(0, 1 - Float(count) / Float(Self.fade))
            let sample = parts.period * period[phase] + parts.noise * noise()
            count = min(count + 1, Self.fade)
            phase = (phase + 1) % period.count
            return gain * sample
        }
    }

    /// Returns a sample of the source at a random position, with a random sign.
    private mutating func noise() -> Float {
        // The generator of Marsaglia with three shifts.
        random ^= random << 13
        random ^= random >> 17
        random ^= random << 5
        let sample = source[Int((random >> 8) % UInt32(source.count))]
        return random & 1 == 0 ? sample : -sample
    }

    /// Moves the phase to where the period matches the beginning of a received excitation best, if the period has a part (4.5.3).
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
