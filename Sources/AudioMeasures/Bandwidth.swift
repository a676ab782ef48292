// SPDX-License-Identifier: Apache-2.0

enum Bandwidth {
    private static let size = 2048
    /// The maximum number of measured frames, evenly spaced.
    private static let frameLimit = 3000

    /// Returns the bandwidth of a signal, in hertz; 0 for silence.
    ///
    /// This is the highest frequency at which the loudest tenth of the frames is within 90 dB of the spectral peak and above 16-bit
    /// rounding noise. For encoded audio it is the cutoff of the encoder's low-pass filter, if it has one.
    static func measure(_ signal: AudioSignal) -> Double {
        let count = max(1, signal.frameCount / size)
        let step = max(1, count / frameLimit)
        let transform = FourierTransform(size: size)
        let window = FourierTransform.hann(size)
        var powers = [[Float]](repeating: [], count: size / 2 + 1)
        for frame in stride(from: 0, to: count, by: step) {
            var loudest = [Double](repeating: 0, count: size / 2 + 1)
            for channel in signal.channels {
                var real = [Double](repeating: 0, count: size)
                var imaginary = real
                for index in 0..<min(size, signal.frameCount - frame * size) {
                    real[index] = window[index] * Double(channel[frame * size + index])
                }
                transform.forward(&real, &imaginary)
                for point in loudest.indices {
                    loudest[point] = max(loudest[point], real[point] * real[point] + imaginary[point] * imaginary[point])
                }
            }
            for point in loudest.indices { powers[point].append(Float(loudest[point])) }
        }
        let levels = powers.map { Double(percentile(0.9, of: $0) ?? 0) }
        // The variance of 16-bit rounding noise is step²/12. The threshold is eight times its power.
        let rounding = (1.0 / 32_768) * (1.0 / 32_768) / 12 * 0.375 * Double(size)
        let limit = max((levels.max() ?? 0) * 1e-9, 8 * rounding)
        guard let highest = levels.lastIndex(where: { $0 > limit }) else { return 0 }
        return Double(highest) * Double(signal.sampleRate) / Double(size)
    }
}
