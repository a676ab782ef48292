// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Measures the loudness and true peaks of a stream (ITU-R BS.1770-5, EBU R 128).
///
/// A meter belongs to one thread at a time. Several meters can measure parts of a long signal in parallel: each later meter starts
/// `prerollBlocks` blocks early, and `summary(of:)` joins them.
public final class LoudnessMeter {
    /// The number of 100 ms blocks by which a later part's meter starts early, so that its filters settle.
    package static let prerollBlocks = 3

    /// The sample rate, in hertz.
    public let sampleRate: Int
    /// The number of channels.
    public let channelCount: Int
    /// The loudness of all completed blocks.
    public private(set) var series = LoudnessSeries()

    /// Sample frames per 100 ms block.
    package var blockLength: Int { max(1, (sampleRate + 5) / 10) }

    private let weighting: KWeighting
    /// The channels with non-zero weight, in pairs.
    ///
    /// The second weight of the last pair may be 0.
    private var pairs: [(channels: (Int, Int), weights: SIMD2<Double>, state: KWeighting.State)] = []
    /// The true peak meter of each channel; empty if true peaks are not measured.
    private var peakMeters: [TruePeakMeter]
    /// The weighted sum of squares and the frame count of the current block.
    private var pending = (energy: 0.0, count: 0)
    /// Remaining preroll blocks, which the series omits.
    private var blocksToSkip: Int

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The channel count of the buffers.
    ///   - layout: The channel layout, which determines weights. `nil` means left, right, center, LFE and surrounds.
    ///   - prerollBlocks: The number of blocks before the measured part.
    ///   - measuresTruePeak: Whether to measure true peaks; otherwise they are 0.
    public init(
        sampleRate: Int, channelCount: Int, layout: ChannelLayout? = nil, prerollBlocks: Int = 0, measuresTruePeak: Bool = true
    ) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        blocksToSkip = prerollBlocks
        weighting = KWeighting(sampleRate: sampleRate)
        let interpolator = PeakInterpolator()
        peakMeters = measuresTruePeak ? (0..<channelCount).map { _ in TruePeakMeter(interpolator) } : []
        let weights = Self.weights(layout, channelCount: channelCount)
        let counted = weights.indices.filter { weights[$0] > 0 }
        for index in stride(from: 0, to: counted.count, by: 2) {
            let (first, second) = (counted[index], index + 1 < counted.count ? counted[index + 1] : nil)
            pairs.append(((first, second ?? first), SIMD2(weights[first], second.map { weights[$0] } ?? 0), .init()))
        }
    }

    /// Returns channel weights (BS.1770-5, table 3): 1.41 for side speakers, 0 for LFE, otherwise 1.
    private static func weights(_ layout: ChannelLayout?, channelCount: Int) -> [Double] {
        let surround = 1.41
        guard let layout, layout.channelCount == channelCount, channelCount > 1 else {
            switch channelCount {
            case ...3: return Array(repeating: 1, count: channelCount)
            case 4: return [1, 1, surround, surround]
            case 5: return [1, 1, 1, surround, surround]
            default: return [1, 1, 1, 0, surround, surround] + Array(repeating: 0, count: channelCount - 6)
            }
        }
        let hasSides = layout.speakers.contains(.sideLeft)
        return layout.speakers.map { speaker in
            switch speaker {
            case .lowFrequency: 0
            case .sideLeft, .sideRight: surround
            // Without side channels, these are the surrounds of 5.1.
            case .backLeft, .backRight: hasSides ? 1 : surround
            default: 1
            }
        }
    }

    /// Measures a buffer, which must have the meter's channel count.
    ///
    /// Non-finite samples count as silence.
    public func add(_ buffer: PCMBuffer) {
        precondition(buffer.channelCount == channelCount, "the buffer must have the meter's channel count")
        for channel in peakMeters.indices { peakMeters[channel].add(buffer.samples[buffer.range(ofChannel: channel)]) }
        var start = 0
        while start < buffer.frameCount {
            let end = min(buffer.frameCount, start + blockLength - pending.count)
            for index in pairs.indices {
                let channels = pairs[index].channels
                let energies = weighting.energies(
                    buffer[channel: channels.0].extracting(start..<end), buffer[channel: channels.1].extracting(start..<end),
                    &pairs[index].state)
                pending.energy += (energies * pairs[index].weights).sum()
            }
            pending.count += end - start
            start = end
            if pending.count == blockLength { finishBlock() }
        }
    }

    private func finishBlock() {
        if blocksToSkip > 0 {
            blocksToSkip -= 1
        } else {
            series.energies.append(Float(pending.energy / Double(pending.count)))
        }
        pending = (0, 0)
    }

    /// Returns the loudness of all samples so far.
    public func summary() -> LoudnessSummary { Self.summary(of: [self]).summary }

    /// Returns the loudness of a signal that several meters measured in parts.
    ///
    /// - Parameter meters: The meters in order. All but the first have a preroll of `prerollBlocks` blocks.
    /// - Returns: The summary and series of the whole signal.
    package static func summary(of meters: [LoudnessMeter]) -> (summary: LoudnessSummary, series: LoudnessSeries) {
        var series = LoudnessSeries()
        for meter in meters { series.energies += meter.series.energies }
        // Files of an album can have different channel counts.
        let truePeaks = (0..<(meters.map(\.channelCount).max() ?? 0)).map { channel in
            meters.map { channel < $0.peakMeters.count ? Double($0.peakMeters[channel].peak) : 0 }.max() ?? 0
        }
        return (LoudnessSummary(series, truePeaks: truePeaks), series)
    }
}
