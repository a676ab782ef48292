// SPDX-License-Identifier: Apache-2.0

internal import AudioMeasures
internal import SystemLibrary

/// Attenuates the echo that a linear filter leaves, by its expected power in each bin.
///
/// The output is a block late.
struct ResidualEchoSuppressor {
    /// The minimum gain: -40 dB.
    private static let minimumGain = 0.01
    /// The factor of the expected power.
    ///
    /// The variances underestimate the error of correlated references.
    private static let excess = 4.0
    /// The weight of the last blocks in both powers.
    private static let smoothing = 0.5

    private let transform: BlockTransform
    /// A sine window; its square overlaps to one.
    private let window: [Double]
    private var previous: [Double]
    private var overlap: [Double]
    private var power: [Double]
    private var residualPower: [Double]

    init(_ transform: BlockTransform) {
        self.transform = transform
        let size = transform.size
        window = (0..<size).map { sin(Double.pi * (Double($0) + 0.5) / Double(size)) }
        previous = [Double](repeating: 0, count: size / 2)
        overlap = previous
        power = [Double](repeating: 0, count: transform.binCount)
        residualPower = power
    }

    /// Returns the block before `block`, attenuated.
    mutating func process(_ block: [Double], residual: [Double]) -> [Double] {
        let half = block.count
        var spectrum = transform.forward(zip(previous + block, window).map(*))
        previous = block
        for bin in power.indices {
            let current = spectrum.real[bin] * spectrum.real[bin] + spectrum.imaginary[bin] * spectrum.imaginary[bin]
            power[bin] += (1 - Self.smoothing) * (current - power[bin])
            residualPower[bin] += (1 - Self.smoothing) * (Self.excess * residual[bin] - residualPower[bin])
            let gain = residualPower[bin] > 0 ? max(Self.minimumGain, 1 - residualPower[bin] / max(power[bin], 1e-12)) : 1
            spectrum.real[bin] *= gain
            spectrum.imaginary[bin] *= gain
        }
        let signal = transform.inverse(spectrum)
        var output = overlap
        for index in 0..<half {
            output[index] += signal[index] * window[index]
            overlap[index] = signal[half + index] * window[half + index]
        }
        return output
    }
}
