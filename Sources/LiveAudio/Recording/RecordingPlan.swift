// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioConversion
internal import AudioDevices
internal import AudioPrimitives

/// The channels of a recording's sources, and its signals.
struct RecordingPlan {
    private let configuration: RecorderConfiguration
    private let sources: [RecorderPipeline.OpenSource]

    /// The channel count of each source in the recording.
    let channelCounts: [Int]

    init(_ configuration: RecorderConfiguration, _ sources: [RecorderPipeline.OpenSource]) {
        self.configuration = configuration
        self.sources = sources
        if sources.count == 1 {
            channelCounts = [configuration.channelCount(for: sources[0].format)]
        } else {
            channelCounts = sources.map { min($0.format.pcm.channelCount, configuration.channelCount(for: $0.format)) }
        }
    }

    /// Creates the pipelines of all signals that the sinks receive, at least one.
    ///
    /// All have the sample rate of the first one.
    ///
    /// - Throws: ``/AudioDevices/DeviceError/encoding(_:)``; ``/AudioDevices/DeviceError/unknownSource(_:available:)``.
    func signals(
        _ sinks: [(signal: RecordedSignal, runner: SinkRunner)], accessUnits: EventBroadcaster<AccessUnit>
    ) throws(DeviceError) -> [SignalPipeline] {
        var order: [RecordedSignal] = []
        for sink in sinks where !order.contains(sink.signal) { order.append(sink.signal) }
        if order.isEmpty { order = [.channels] }
        var result: [SignalPipeline] = []
        for signal in order {
            let runners = sinks.filter { $0.signal == signal }.map(\.runner)
            let stream = result.isEmpty ? accessUnits : nil
            result.append(try pipeline(signal, sampleRate: result.first?.format.sampleRate, runners, stream))
        }
        return result
    }

    private func pipeline(
        _ signal: RecordedSignal, sampleRate: Int?, _ sinks: [SinkRunner], _ accessUnits: EventBroadcaster<AccessUnit>?
    ) throws(DeviceError) -> SignalPipeline {
        var configuration = configuration
        configuration.sampleRate = sampleRate ?? configuration.sampleRate
        let parts = zip(sources, channelCounts).map { (name: $0.name, channelCount: $1) }
        let rate = configuration.encoderConfiguration(for: sources[0].format).sampleRate
        let composer = try SignalComposer(signal, of: parts, sampleRate: rate, mixChannelCount: configuration.channelCount)
        if sources.count > 1 { configuration.channelCount = composer.channelCount }
        let intervals = sinks.compactMap { $0.accessPointInterval?.inSeconds }
        configuration.settings.accessPointInterval = intervals.reduce(configuration.settings.accessPointInterval, min)
        let encoding = configuration.encoderConfiguration(for: sources[0].format)
        return try SignalPipeline(
            composer, encoding, sinks: sinks, fileLimit: configuration.splitting?.byteCount, accessUnits: accessUnits)
    }
}
