// SPDX-License-Identifier: Apache-2.0

internal import AudioMeasures

/// An adaptive filter that predicts the echo of a reference in a microphone.
///
/// A Kalman filter in the frequency domain, with a state per block of the impulse response and bin (G. Enzner and P. Vary,
/// "Frequency-domain adaptive Kalman filter for acoustic echo control in hands-free telephones", Signal Processing 86, 2006). It adapts
/// slowly when the near end speaks, because the near end counts as noise.
struct EchoFilter {
    /// The square of the state transition factor per block; the rest is the change of a room.
    private static let transition = 0.996
    /// The initial variance: an echo at -10 dB in each block.
    private static let initialVariance = 0.1
    /// The minimum power of a coefficient in the process noise, so that an echo that appears later is learned.
    private static let minimumPower = 1e-4
    /// The part of an update's certainty that counts.
    ///
    /// Bins and blocks of speech and music are correlated, which the diagonal covariance neglects. With 0.5, the value for white noise,
    /// ERLE of recorded speech in the first second is 3 dB instead of 44 dB.
    private static let certainty = 0.2
    /// The weight of the last blocks in the power of the near end.
    private static let smoothing = 0.8
    /// The minimum part of an error's power that is near-end signal.
    private static let minimumNearEnd = 0.1

    /// The weight of the last blocks in the powers that detect a wrong prediction.
    private static let detection = 0.97
    /// The power of the output, relative to the microphone, at which the filter starts again: a new room or volume.
    private static let worst = 1.25
    /// The minimum number of blocks between two starts.
    private static let minimumInterval = 50

    private let transform: BlockTransform
    /// The frequency responses, one list of blocks per reference channel.
    private var responses: [[HalfSpectrum]]
    private var variances: [[[Double]]]
    /// The power of the near end in each bin.
    private var nearPower: [Double]
    private var outputPower = 0.0
    private var microphonePower = 0.0
    private var blocksSinceStart = 0

    init(_ transform: BlockTransform, channelCount: Int, blockCount: Int) {
        self.transform = transform
        let (binCount, variance) = (transform.binCount, [Double](repeating: Self.initialVariance, count: transform.binCount))
        let response = [HalfSpectrum](repeating: HalfSpectrum(binCount: binCount), count: blockCount)
        responses = [[HalfSpectrum]](repeating: response, count: channelCount)
        variances = [[[Double]]](repeating: [[Double]](repeating: variance, count: blockCount), count: channelCount)
        nearPower = [Double](repeating: 1e-9, count: binCount)
    }

    /// Returns a microphone block without the predicted echo, and the expected power of the remaining echo in each bin.
    mutating func process(_ microphone: [Double], _ reference: ReferenceSpectra) -> (output: [Double], residual: [Double]) {
        let binCount = transform.binCount
        guard !reference.isSilent else { return (microphone, [Double](repeating: 0, count: binCount)) }
        let (echo, residual) = prediction(reference)
        let predicted = transform.inverse(echo)
        let half = microphone.count
        var padded = [Double](repeating: 0, count: 2 * half)
        for index in 0..<half { padded[half + index] = microphone[index] - predicted[half + index] }
        adapt(to: transform.forward(padded), reference, residual)
        return (isWorse(padded[half...], than: microphone) ? microphone : Array(padded[half...]), residual)
    }

    /// Whether an output block has more power than the microphone; starts again if many blocks have.
    private mutating func isWorse(_ output: ArraySlice<Double>, than microphone: [Double]) -> Bool {
        let (after, before) = (output.reduce(0) { $0 + $1 * $1 }, microphone.reduce(0) { $0 + $1 * $1 })
        outputPower = Self.detection * outputPower + after
        microphonePower = Self.detection * microphonePower + before
        blocksSinceStart += 1
        if blocksSinceStart >= Self.minimumInterval, outputPower > Self.worst * microphonePower {
            self = EchoFilter(transform, channelCount: responses.count, blockCount: responses[0].count)
        }
        return after > before
    }

    /// Returns the spectrum of the predicted echo, and the expected power of its error.
    private func prediction(_ reference: ReferenceSpectra) -> (echo: HalfSpectrum, residual: [Double]) {
        var echo = HalfSpectrum(binCount: transform.binCount)
        var residual = [Double](repeating: 0, count: transform.binCount)
        for channel in responses.indices {
            for block in responses[channel].indices {
                let x = reference.channels[channel][reference.slot(age: block)]
                let h = responses[channel][block]
                let variance = variances[channel][block]
                for bin in residual.indices {
                    let (xr, xi, hr, hi) = (x.real[bin], x.imaginary[bin], h.real[bin], h.imaginary[bin])
                    echo.real[bin] += xr * hr - xi * hi
                    echo.imaginary[bin] += xr * hi + xi * hr
                    // Half of the points are zero.
                    residual[bin] += 0.5 * variance[bin] * (xr * xr + xi * xi)
                }
            }
        }
        return (echo, residual)
    }

    private mutating func adapt(to error: HalfSpectrum, _ reference: ReferenceSpectra, _ residual: [Double]) {
        var scale = residual
        for bin in scale.indices {
            let power = error.real[bin] * error.real[bin] + error.imaginary[bin] * error.imaginary[bin]
            let near = max(power - residual[bin], Self.minimumNearEnd * power)
            nearPower[bin] = Self.smoothing * nearPower[bin] + (1 - Self.smoothing) * near
            scale[bin] = 1 / (residual[bin] + nearPower[bin] + 1e-10)
        }
        for channel in responses.indices {
            var pending: (block: Int, gradient: HalfSpectrum)?
            for block in responses[channel].indices {
                let x = reference.channels[channel][reference.slot(age: block)]
                let gradient = gradient(error, x, scale, channel, block)
                guard let first = pending else {
                    pending = (block, gradient)
                    continue
                }
                add(first.gradient, gradient, channel, first.block, block)
                pending = nil
            }
            if let last = pending { add(last.gradient, HalfSpectrum(binCount: scale.count), channel, last.block, last.block) }
        }
    }

    /// Returns the change of a block's response, and updates its variance.
    private mutating func gradient(
        _ error: HalfSpectrum, _ x: HalfSpectrum, _ scale: [Double], _ channel: Int, _ block: Int
    ) -> HalfSpectrum {
        var result = HalfSpectrum(binCount: scale.count)
        let h = responses[channel][block]
        for bin in scale.indices {
            let (xr, xi) = (x.real[bin], x.imaginary[bin])
            let variance = variances[channel][block][bin]
            let gain = variance * scale[bin]
            result.real[bin] = gain * (xr * error.real[bin] + xi * error.imaginary[bin])
            result.imaginary[bin] = gain * (xr * error.imaginary[bin] - xi * error.real[bin])
            let power = max(h.real[bin] * h.real[bin] + h.imaginary[bin] * h.imaginary[bin], Self.minimumPower)
            let remaining = variance * (1 - Self.certainty * gain * (xr * xr + xi * xi))
            variances[channel][block][bin] = Self.transition * remaining + (1 - Self.transition) * power
        }
        return result
    }

    /// Adds changes to two blocks, limited to impulse responses of one block each.
    private mutating func add(_ first: HalfSpectrum, _ second: HalfSpectrum, _ channel: Int, _ firstBlock: Int, _ secondBlock: Int) {
        var (one, other) = transform.inverse(first, second)
        for index in one.count / 2..<one.count {
            one[index] = 0
            other[index] = 0
        }
        let changes = transform.forward(one, other)
        for bin in 0..<transform.binCount {
            responses[channel][firstBlock].real[bin] += changes.0.real[bin]
            responses[channel][firstBlock].imaginary[bin] += changes.0.imaginary[bin]
            guard secondBlock != firstBlock else { continue }
            responses[channel][secondBlock].real[bin] += changes.1.real[bin]
            responses[channel][secondBlock].imaginary[bin] += changes.1.imaginary[bin]
        }
    }
}
