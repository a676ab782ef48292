// SPDX-License-Identifier: Apache-2.0

/// Noise before onsets.
///
/// Quantization noise spreads over a whole transform block and so precedes the onset that causes it.
public struct PreEcho: Hashable, Sendable {
    package struct Onset: Hashable, Sendable {
        /// The onset time in the compared part of the reference.
        package let time: Duration
        /// The noise in the 20 ms before the onset over the reference energy there, in decibels.
        package let toSignal: Double
        /// The noise in the 20 ms before the onset over the reference energy in the 20 ms after it, in decibels.
        package let toOnset: Double
    }

    package let onsets: [Onset]

    /// The mean of `Onset.toSignal`; `nil` without onsets.
    package var meanToSignal: Double? { mean(onsets.map { Float($0.toSignal) }) }
    /// The mean noise before onsets relative to the onset, in decibels; `nil` without onsets.
    public var meanToOnset: Double? { mean(onsets.map { Float($0.toOnset) }) }
    /// The onset with the largest `toOnset`.
    package var worst: Onset? { onsets.max { $0.toOnset < $1.toOnset } }

    /// The lower limit of all ratios, in decibels.
    package static let floor = -90.0

    /// In seconds: the search step, the measured time before an onset, the gap between that and the onset, and the minimum onset distance.
    private static let (step, before, gap, distance) = (0.0025, 0.02, 0.001, 0.05)
    /// The onset threshold: the energy of a step over the mean of the previous eight steps.
    private static let rise = 10.0
    /// Mean squares: the quietest onset, and the level that counts as silence before it.
    private static let (quietest, silence) = (1e-5, 1e-9)

    /// Measures two signals that have the same sample rate, channel count and length.
    init(reference: AudioSignal, test: AudioSignal) {
        let power = Self.powers(reference)
        let noise = Self.powers(test, less: reference)
        let rate = Double(reference.sampleRate)
        let (window, gap) = (Int(Self.before * rate), Int(Self.gap * rate))
        onsets = Self.positions(power, sampleRate: reference.sampleRate).compactMap { position in
            let range = max(0, position - gap - window)..<max(0, position - gap)
            guard range.count > window / 2 else { return nil }
            let error = Self.meanPower(noise, range)
            let signal = max(Self.silence, Self.meanPower(power, range))
            let onset = Self.meanPower(power, position..<min(power.count, position + window))
            return Onset(
                time: .seconds(Double(position) / rate), toSignal: max(Self.floor, Decibels.power(error / signal)),
                toOnset: max(Self.floor, Decibels.power(error / onset)))
        }
    }

    /// Returns the squares of a signal, or of its difference from `other`, averaged over the channels.
    private static func powers(_ signal: AudioSignal, less other: AudioSignal? = nil) -> [Float] {
        var result = [Float](repeating: 0, count: signal.frameCount)
        let factor = 1 / Float(signal.channels.count)
        for channel in signal.channels.indices {
            for frame in result.indices {
                let value = signal.channels[channel][frame] - (other?.channels[channel][frame] ?? 0)
                result[frame] += factor * value * value
            }
        }
        return result
    }

    private static func meanPower(_ values: [Float], _ range: Range<Int>) -> Double {
        range.isEmpty ? 0 : values[range].reduce(0.0) { $0 + Double($1) } / Double(range.count)
    }

    /// Returns the positions of onsets: steps with ten times the energy of the preceding steps.
    static func positions(_ power: [Float], sampleRate: Int) -> [Int] {
        let size = max(1, Int(step * Double(sampleRate)))
        let steps = (0..<power.count / size).map { meanPower(power, $0 * size..<($0 + 1) * size) }
        var result: [Int] = []
        for index in steps.indices.dropFirst(8) {
            let previous = steps[index - 8..<index].reduce(0, +) / 8
            guard steps[index] > quietest, steps[index] > rise * previous else { continue }
            let position = start(power, from: (index - 1) * size, to: (index + 1) * size, size: size)
            if let last = result.last, Double(position - last) < distance * Double(sampleRate) { continue }
            result.append(position)
        }
        return result
    }

    /// Returns the first frame within 17 dB of the peak and 3 dB above all of the previous eight steps.
    private static func start(_ power: [Float], from first: Int, to end: Int, size: Int) -> Int {
        let peak = power[first..<end].max() ?? 0
        let previous = power[max(0, first - 8 * size)..<first].max() ?? 0
        let limit = min(peak, max(0.02 * peak, 2 * previous))
        return power[first..<end].firstIndex { $0 >= limit } ?? first
    }
}
