// SPDX-License-Identifier: Apache-2.0

/// The noise-to-mask ratio of a signal against its reference, over time and frequency.
///
/// This is the energy of the difference over the masking threshold of the reference. The difference is audible above 0 dB.
public struct NoiseToMaskRatio: Sendable {
    /// A measured signal: a channel, or the mid or side of a pair.
    package enum Signal: Hashable, Sendable {
        /// A channel, by index.
        case channel(Int)
        /// Half the sum of both channels.
        case mid
        /// Half the difference of both channels.
        case side
    }

    /// The ratios of one signal over time and frequency.
    package struct Map: Sendable {
        package let signal: Signal
        /// Noise-to-mask ratios in decibels, at least -30, by frame and band.
        package internal(set) var values: [Float] = []
        /// The ratio of each frame over all bands, from the bands' mean ratio.
        ///
        /// NaN where both signals are below the threshold in quiet.
        package internal(set) var totals: [Float] = []
    }

    /// The distribution of the ratios over frames, in decibels.
    public struct Summary: Hashable, Sendable {
        /// The mean over the frames.
        public let mean: Double
        /// The value that 5 % of the frames exceed.
        public let percentile95: Double
        /// The fraction of frames above 0 dB.
        public let audibleShare: Double
    }

    /// The lower limit of all ratios, in decibels.
    ///
    /// Smaller differences do not matter.
    package static let floor: Float = -30
    /// The ratio of energies for samples that are not finite.
    fileprivate static let invalid = 1e30

    /// Band edges in hertz, one more than bands.
    package let bandEdges: [Double]
    /// The maps of all channels.
    ///
    /// If there are two channels, mid and side follow.
    package private(set) var maps: [Map]
    /// The time between frames.
    package let interval: Duration

    package var bandCount: Int { bandEdges.count - 1 }

    private static let bandsPerBark = 2

    /// Measures a signal that has the sample rate, channel count and length of its reference.
    package init(reference: AudioSignal, test: AudioSignal) {
        let rate = reference.sampleRate
        let size = BarkBands.frameSize(sampleRate: rate)
        let bands = BarkBands(sampleRate: rate, size: size, perBark: Self.bandsPerBark)
        var signals = reference.channels.indices.map { Signal.channel($0) }
        if signals.count == 2 { signals += [.mid, .side] }
        bandEdges = bands.edges
        maps = signals.map { Map(signal: $0) }
        interval = .seconds(Double(size / 2) / Double(rate))
        let model = MaskingModel(bands: bands, size: size)
        var models = signals.map { _ in model }
        for frame in SpectrumPairs(reference, test, size: size) {
            Self.advance(&models, Self.withMidSide(frame.map { $0.first }))
            for (index, difference) in Self.withMidSide(frame.map { $0.second }).enumerated() {
                maps[index].append(noise: models[index].energies(of: difference), models[index])
            }
        }
    }

    /// Returns the spectra of all channels and, for two channels, of mid and side.
    private static func withMidSide(_ channels: [HalfSpectrum]) -> [HalfSpectrum] {
        channels.count == 2 ? channels + [1.0, -1.0].map { .mix(channels[0], channels[1], sign: $0) } : channels
    }

    /// Advances the models of all signals to the next frame.
    private static func advance(_ models: inout [MaskingModel], _ spectra: [HalfSpectrum]) {
        for index in spectra.indices { models[index].advance(spectra[index]) }
        guard spectra.count == 4 else { return }
        let thresholds = (models[2].thresholds, models[3].thresholds)
        models[2].raise(by: thresholds.1)
        models[3].raise(by: thresholds.0)
    }

    /// The summary of all channels and, for two channels, of mid.
    ///
    /// `nil` if all frames are silent.
    public var total: Summary? { Self.summary(of: [self]) }

    /// Returns the summary of the frames of several measures.
    package static func summary(of measures: [NoiseToMaskRatio]) -> Summary? {
        summary(measures.flatMap { $0.maps.filter { $0.signal != .side }.flatMap { $0.totals } })
    }

    /// Returns the summary of a map; `nil` if all its frames are silent.
    package func summary(of map: Map) -> Summary? { Self.summary(map.totals) }

    /// Returns the mean ratio of each band over the frames of a map that are not silent; `nil` if all are silent.
    package func bandMeans(_ map: Map) -> [Double]? {
        var sums = [Double](repeating: 0, count: bandCount)
        var count = 0
        for frame in map.totals.indices where !map.totals[frame].isNaN {
            for band in 0..<bandCount { sums[band] += Double(map.values[frame * bandCount + band]) }
            count += 1
        }
        return count > 0 ? sums.map { $0 / Double(count) } : nil
    }

    private static func summary(_ totals: [Float]) -> Summary? {
        let values = totals.filter { !$0.isNaN }
        guard let mean = mean(values), let high = percentile(0.95, of: values) else { return nil }
        let audible = values.reduce(0) { $0 + ($1 > 0 ? 1 : 0) }
        return Summary(mean: mean, percentile95: Double(high), audibleShare: Double(audible) / Double(values.count))
    }
}

extension NoiseToMaskRatio.Map {
    /// Appends a frame with the energies of its noise and the original's model.
    fileprivate mutating func append(noise: [Double], _ model: MaskingModel) {
        var sum = 0.0
        var isSilent = true
        for band in noise.indices {
            // With samples that are not finite, neither energies nor thresholds are.
            let ratio = (noise[band] / model.thresholds[band]).isFinite ? noise[band] / model.thresholds[band] : NoiseToMaskRatio.invalid
            sum += ratio
            values.append(max(NoiseToMaskRatio.floor, Float(Decibels.power(ratio))))
            isSilent = isSilent && noise[band] <= model.quiet[band] && model.energies[band] <= model.quiet[band]
        }
        totals.append(isSilent ? .nan : max(NoiseToMaskRatio.floor, Float(Decibels.power(sum / Double(noise.count)))))
    }
}

/// The former name of ``NoiseToMaskRatio``.
@available(*, deprecated, renamed: "NoiseToMaskRatio")
public typealias NoiseToMask = NoiseToMaskRatio
