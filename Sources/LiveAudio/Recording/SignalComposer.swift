// SPDX-License-Identifier: Apache-2.0

internal import AudioConversion
internal import AudioDevices
internal import AudioLoudness
internal import AudioPrimitives

/// Composes a recorded signal from the audio of all sources.
struct SignalComposer {
    /// The limit of a mix, in dBFS: lossy encoders exceed the peaks of their input by up to a decibel.
    private static let mixLimit = -1.0

    /// The indices of the sources that the signal contains.
    private let indices: [Int]
    private let sampleRate: Int
    let channelCount: Int
    /// One converter per source, for its channels in the signal.
    private let converters: [PCMBufferConverter]
    /// The limiter of a mix.
    private let limiter: TruePeakLimiter?

    /// Creates a composer.
    ///
    /// - Parameters:
    ///   - sources: The name and the channel count of each source.
    ///   - mixChannelCount: The channel count of a mix; `nil` for the largest one of its sources.
    /// - Throws: ``/AudioDevices/DeviceError/unknownSource(_:available:)``.
    init(
        _ signal: RecordedSignal, of sources: [(name: String, channelCount: Int)], sampleRate: Int, mixChannelCount: Int?
    ) throws(DeviceError) {
        self.sampleRate = sampleRate
        let largest = sources.map(\.channelCount).max() ?? 1
        let parts: [Int]
        switch signal {
        case .source(let name):
            guard let index = sources.firstIndex(where: { $0.name == name }) else {
                throw .unknownSource(name, available: sources.map(\.name))
            }
            (indices, parts) = ([index], [sources[index].channelCount])
        case .mix:
            indices = Array(sources.indices)
            parts = sources.map { _ in mixChannelCount ?? largest }
        case .channels:
            indices = Array(sources.indices)
            parts = sources.count == 1 ? [largest] : sources.map { _ in 1 }
        }
        let isMix = signal == .mix && sources.count > 1
        channelCount = isMix ? parts[0] : parts.reduce(0, +)
        converters = parts.map { PCMBufferConverter(sampleRate: sampleRate, channels: ChannelMatrix.Channels(count: $0)) }
        let limit = TruePeakLimiter.Setting(gain: 0, limit: Self.mixLimit)
        limiter = isMix ? TruePeakLimiter(limit, sampleRate: sampleRate, channelCount: parts[0]) : nil
    }

    /// Returns the next audio of the signal.
    ///
    /// - Parameter buffers: One buffer per source, with the same frame count.
    func compose(_ buffers: [PCMBuffer]) throws(CodecError) -> PCMBuffer {
        if indices.count == 1 { return try converters[0].convert(buffers[indices[0]]) }
        var result = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: buffers[0].frameCount)
        var first = 0
        for (index, converter) in zip(indices, converters) {
            let part = try converter.convert(buffers[index])
            for channel in 0..<part.channelCount {
                let target = (first + channel) * result.frameCapacity
                let source = part.range(ofChannel: channel).lowerBound
                for frame in 0..<part.frameCount { result.samples[target + frame] += part.samples[source + frame] }
            }
            if limiter == nil { first += part.channelCount }
        }
        return limiter?.process(result) ?? result
    }

    /// Returns the audio that the limiter holds.
    func finish() -> PCMBuffer? { limiter?.finish() }
}
