// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Measures the loudness and the true peaks of a stream (ITU-R BS.1770-5, EBU R 128).
///
/// A meter belongs to one thread at a time. A long signal can be measured in parts at the same time, each by a meter of its own that begins
/// `prerollBlocks` blocks early, and joined by `summary(of:)`.
public final class LoudnessMeter {
    /// The blocks of 100 ms by which the meter of a later part begins early, until its filters have the state of one meter for all.
    package static let prerollBlocks = 3

    /// The sample rate in hertz.
    public let sampleRate: Int
    /// The number of channels.
    public let channelCount: Int
    /// The loudness of the blocks so far.
    public private(set) var series = LoudnessSeries()

    /// The number of sample frames of a block of 100 ms.
    package var blockLength: Int { max(1, (sampleRate + 5) / 10) }

    private let weighting: KWeighting
    /// The channels that count, in pairs; the second weight of the last pair may be 0.
    private var pairs: [(channels: (Int, Int), weights: SIMD2<Double>, state: KWeighting.State)] = []
    /// The true peak of each channel; empty if they are not measured.
    private var peakMeters: [TruePeakMeter]
    /// The weighted sum of squares and the sample frames of the current block.
    private var pending = (energy: 0.0, count: 0)
    /// The blocks that were measured before the part, and are not in the series.
    private var blocksToSkip: Int

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate in hertz.
    ///   - channelCount: The number of channels.
    ///   - layout: The speakers of the channels, which decide their weight; nil for left, right, centre, LFE and the surrounds.
    ///   - prerollBlocks: The blocks that come before the measured part.
    ///   - measuresTruePeak: Whether true peaks are measured, else they are 0.
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

    /// Returns the weight of each channel (BS.1770-5, table 3): 1.41 for speakers at the side, 0 for low frequencies, else 1.
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
            // Without side channels they are the surrounds of 5.1.
            case .backLeft, .backRight: hasSides ? 1 : surround
            default: 1
            }
        }
    }

    /// Measures the sample frames of a buffer with the meter's channels; samples that are no finite numbers count as silence.
    public func add(_ buffer: PCMBuffer) {
        precondition(buffer.channelCount == channelCount, "the buffer has the meter's channels")
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

    /// Adds the block to the series.
    private func finishBlock() {
        if blocksToSkip > 0 {
            blocksToSkip -= 1
        } else {
            series.energies.append(Float(pending.energy / Double(pending.count)))
        }
        pending = (0, 0)
    }

    /// Returns the loudness of everything so far.
    public func summary() -> LoudnessSummary { Self.summary(of: [self]).summary }

    /// Returns the loudness of a signal that several meters have measured in parts.
    ///
    /// - Parameter meters: The meters in the order of the parts, all but the first with a preroll of `prerollBlocks` blocks.
    /// - Returns: The summary and the series of the whole signal.
    package static func summary(of meters: [LoudnessMeter]) -> (summary: LoudnessSummary, series: LoudnessSeries) {
        var series = LoudnessSeries()
        for meter in meters { series.energies += meter.series.energies }
        let truePeaks = (0..<(meters.first?.channelCount ?? 0)).map { channel in
            meters.map { $0.peakMeters.isEmpty ? 0 : Double($0.peakMeters[channel].peak) }.max() ?? 0
        }
        return (LoudnessSummary(series, truePeaks: truePeaks), series)
    }
}
