// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The low-pass filter of a sample rate conversion: a continuous-time windowed sinc.
///
/// Each output frame samples it at its own fractional position.
package struct RateFilterDesign: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        /// Constant delay of half the filter length, which the converter removes.
        case linear
        #if !hasFeature(Embedded)
        /// The minimum delay for the magnitude response, a few frames, which is not removed.
        case minimum
        #endif
    }

    /// The pass band edge relative to the lower Nyquist frequency, where the stop band starts.
    package var passBand: Double
    /// The stop band attenuation, in decibels.
    package var attenuation: Double
    package var phase: Phase

    package init(passBand: Double, attenuation: Double, phase: Phase = .linear) {
        self.passBand = passBand
        self.attenuation = attenuation
        self.phase = phase
    }

    /// Returns the number of taps, a multiple of 8.
    ///
    /// - Parameter cutoff: The ratio of the lower Nyquist frequency to the input's, at most 1.
    func tapCount(cutoff: Double) -> Int {
        // Kaiser's estimate.
        let count = (attenuation - 7.95) / (2.285 * Double.pi * (1 - passBand) * cutoff)
        return max(8, Int((count / 8).rounded(.up)) * 8)
    }

    /// Returns the number of rows, a power of two, for which the error of cubic interpolation is below the stop band.
    ///
    /// - Parameter cutoff: As in ``tapCount(cutoff:)``. The response of a lower cutoff varies more slowly.
    func interpolatedPhaseCount(cutoff: Double) -> Int {
        // The error of a third-order polynomial through four points of a sine at the Nyquist frequency, with a margin of 10 dB.
        let least = Double.pi * cutoff * PortableMath.power(3 / 128 * PortableMath.power(10, (attenuation + 10) / 20), 0.25)
        var count = 1
        while Double(count) < least { count *= 2 }
        return count
    }

    /// Returns the taps of equidistant phases, row by row.
    ///
    /// Row `r` is for an output frame at `(r + firstPhase) / phaseCount` input frames after its reference. The reference is tap `tapCount /
    /// 2 - 1` with linear phase and the last tap with minimum phase.
    func taps(cutoff: Double, tapCount: Int, phaseCount: Int, phases: Range<Int>) -> [Double] {
        let half = tapCount / 2
        var values: [Double]
        switch phase {
        case .linear:
            values = phases.flatMap { phase in
                (0..<tapCount).map { tap in
                    value(at: Double(tap - half + 1) - Double(phase) / Double(phaseCount), cutoff: cutoff, halfLength: Double(half))
                }
            }
        #if !hasFeature(Embedded)
        case .minimum:
            let times = (0..<tapCount * phaseCount).map { Double($0) / Double(phaseCount) - Double(half) }
            let response = minimumPhase(times.map { value(at: $0, cutoff: cutoff, halfLength: Double(half)) })
            values = phases.flatMap { phase in
                (0..<tapCount).map { tap in
                    let index = (tapCount - 1 - tap) * phaseCount + phase
                    return response.indices.contains(index) ? response[index] : 0
                }
            }
        #endif
        }
        // Normalize each phase to a gain of exactly 1 at 0 Hz.
        for row in 0..<phases.count {
            let range = row * tapCount..<(row + 1) * tapCount
            let sum = values[range].reduce(0, +)
            for index in range { values[index] /= sum }
        }
        return values
    }

    /// Returns the impulse response at a time in input frames: a Kaiser-windowed sinc.
    private func value(at time: Double, cutoff: Double, halfLength: Double) -> Double {
        // The center of the transition band.
        let frequency = cutoff * (1 + passBand) / 2
        let beta =
            attenuation > 50
            ? 0.1102 * (attenuation - 8.7) : 0.5842 * PortableMath.power(attenuation - 21, 0.4) + 0.07886 * (attenuation - 21)
        let position = time / halfLength
        guard abs(position) < 1 else { return 0 }
        let window = CircularFunctions.besselI0(beta * (1 - position * position).squareRoot()) / CircularFunctions.besselI0(beta)
        let halfTurns = frequency * time
        return window * frequency * (abs(halfTurns) < 1e-9 ? 1 : CircularFunctions.sinePi(halfTurns) / (Double.pi * halfTurns))
    }
}
