// SPDX-License-Identifier: Apache-2.0

internal import AudioConversion
internal import AudioDevices
internal import AudioMetadata
internal import AudioPrimitives
internal import Synchronization

/// Processes captured audio: conversion or synchronization, level metering, and distribution to the recorded signals and streams.
///
/// Used by one thread at a time, except ``summary`` and ``bitRate``.
final class RecorderPipeline: @unchecked Sendable {
    struct Streams {
        let levels: LevelBroadcaster
        let speech: SpeechBroadcaster
        let accessUnits: EventBroadcaster<AccessUnit>
        let events: EventBroadcaster<RecorderEvent>
    }

    struct OpenSource {
        var name: String
        var format: CaptureFormat
        /// Whether the audio has a clock; otherwise it is available at any time.
        var hasClock: Bool
    }

    /// The conversion of captured audio to the recording's timeline.
    private enum Input {
        case single(PCMBufferConverter)
        case several(SourceSynchronizer)
    }

    /// The cancellation of recorded audio in microphones, if any.
    private var echo: EchoStage?
    private var hasReportedEchoFailure = false

    /// The format of the first signal.
    let format: RecordingFormat
    let summary: Mutex<RecordingSummary>
    let bitRate: AdjustableBitRate
    private let signals: [SignalPipeline]
    private let streams: Streams
    /// The channel count of each source in the recording.
    private let channelCounts: [Int]
    private let frameLimit: Int?
    private let sinkTimeout: Duration
    private let input: Input
    private var nextTime: MediaTime?
    private var frameCount = 0
    /// The frames of gaps that are not encoded.
    private var gapFrameCount = 0
    private var wasPaused = false
    private var clips: ClipCounter
    private var control: RecordingControl
    /// The host time of the next converted frame, in nanoseconds.
    private var hostTime: Int64 = 0
    /// Whether ``addMark(_:)`` is possible.
    ///
    /// Locked while a mark is passed to the sinks.
    private let acceptsMarks = Mutex(true)

    /// Creates a pipeline.
    ///
    /// - Parameters:
    ///   - sources: The sources, with their formats at the start.
    ///   - echoPlan: The microphones whose echo is cancelled.
    ///   - sinks: The sinks, not open yet, each with its signal.
    /// - Throws: ``/AudioDevices/DeviceError/encoding(_:)`` if the encoder does not support the settings;
    ///   ``/AudioDevices/DeviceError/unknownSource(_:available:)``.
    init(
        _ configuration: RecorderConfiguration, for sources: [OpenSource], echo echoPlan: EchoPlan,
        sinks: [(signal: RecordedSignal, runner: SinkRunner)], streams: Streams
    ) throws(DeviceError) {
        let plan = RecordingPlan(configuration, sources)
        signals = try plan.signals(sinks, accessUnits: streams.accessUnits)
        self.streams = streams
        format = signals[0].format
        bitRate = signals[0].bitRate
        if sources.count == 1 {
            let channels = ChannelMatrix.Channels(count: plan.channelCounts[0])
            input = .single(PCMBufferConverter(sampleRate: format.sampleRate, channels: channels))
        } else {
            let parts = zip(plan.channelCounts, sources).map { (channelCount: $0, hasClock: $1.hasClock) }
            input = .several(SourceSynchronizer(sampleRate: format.sampleRate, sources: parts))
        }
        echo = try EchoStage(echoPlan, sampleRate: format.sampleRate, channelCounts: plan.channelCounts)
        channelCounts = plan.channelCounts
        clips = ClipCounter(channelCount: plan.channelCounts.reduce(0, +))
        frameLimit = configuration.duration.map { [format] in $0.frameCount(atRate: format.sampleRate) }
        sinkTimeout = configuration.sinkTimeout
        control = RecordingControl(
            configuration, sampleRate: format.sampleRate, channelCount: plan.channelCounts.reduce(0, +),
            splits: signals.contains(where: \.splits))
        var summary = RecordingSummary()
        summary.sampleRate = format.sampleRate
        summary.framesPerAccessUnit = format.framesPerUnit
        summary.clippedSampleCounts = clips.sampleCounts
        summary.profile = signals[0].profile
        summary.sources = zip(sources, plan.channelCounts).map { SourceSummary(name: $0.name, channelCount: $1) }
        self.summary = Mutex(summary)
    }

    /// Opens all sinks.
    ///
    /// If one fails, closes the others and removes their files.
    ///
    /// - Throws: The first error of a sink.
    func open() async throws(DeviceError) {
        var opened: [SinkRunner] = []
        for signal in signals {
            do throws(DeviceError) {
                try await signal.open { opened.append($0) }
            } catch {
                await wait(for: opened.map { $0.discard(timeout: sinkTimeout) })
                throw error
            }
        }
        if control.isWaiting { reportWaiting(true) }
    }

    /// Whether the recording has reached its maximum duration or a stop condition, or all its sources with a clock have ended.
    var isComplete: Bool {
        if case .several(let synchronizer) = input, synchronizer.isComplete { return true }
        return hasReachedLimit
    }

    /// Whether no more audio is recorded.
    private var hasReachedLimit: Bool { control.isComplete || frameLimit.map { frameCount >= $0 } ?? false }

    // MARK: Audio

    /// Processes captured audio, or skips it while the recording is paused.
    ///
    /// - Throws: The error of the encoder or of the sample rate converter.
    func accept(_ audio: CapturedAudio, from source: Int, isPaused: Bool) throws {
        switch input {
        case .single(let converter):
            defer { nextTime = audio.time.advanced(byFrames: audio.frameCount) }
            guard !isPaused, !hasReachedLimit else { return control.skip(hostTime: audio.hostTime) }
            skipGap(before: audio)
            hostTime = audio.hostTime
            try process(converter.convert(audio.pcmBuffer()))
        case .several(let synchronizer):
            try synchronizer.accept(audio, from: source) { try process($0, isPaused: isPaused) }
        }
    }

    /// Returns how far one of several sources is ahead of the recording, in seconds.
    func lead(ofSource index: Int) -> Double {
        if case .several(let synchronizer) = input { synchronizer.lead(ofSource: index) } else { 0 }
    }

    /// Ends one of several sources.
    func end(source: Int, isPaused: Bool) throws {
        guard case .several(let synchronizer) = input else { return }
        try synchronizer.end(source: source) { try process($0, isPaused: isPaused) }
    }

    /// Encodes the remaining audio and completes all sinks.
    ///
    /// - Throws: The error of the encoder or of the sample rate converter, after the sinks are complete.
    func finish() async throws {
        let outcome = Result {
            if case .single(let converter) = input { try process(converter.finish()) }
            if !wasPaused, let rest = echo?.finish() { try process(PCMBuffer(joining: rest)) }
            for signal in signals { try signal.finishEncoding() }
        }
        updateSummary()
        acceptsMarks.withLock { $0 = false }
        await wait(for: signals.flatMap { $0.finishSinks(timeout: sinkTimeout) })
        try outcome.get()
    }

    /// Adds a mark at the current position, and sends it as an event.
    ///
    /// Does nothing after the end. May be called on any thread.
    func addMark(_ title: String?) {
        acceptsMarks.withLock { isPossible in
            guard isPossible else { return }
            let mark = summary.withLock { summary in
                let mark = AudioTags.Chapter(
                    start: summary.frameCount, timescale: summary.sampleRate, title: title ?? "Mark \(summary.marks.count + 1)")
                summary.marks.append(mark)
                return mark
            }
            for signal in signals { signal.mark(mark) }
            streams.events.send(.marked(mark))
        }
    }

    /// Waits until all sinks have ended.
    private func wait(for ends: [Promise<Void>]) async {
        for end in ends { await end.wait() }
    }

    /// Accounts for a gap that is not encoded.
    private func skipGap(before audio: CapturedAudio) {
        guard !control.isWaiting, let nextTime, nextTime < audio.time else { return }
        let gap = (audio.time.seconds - nextTime.seconds) * Double(format.sampleRate)
        // A sample rate change shifts the same time by less than one frame.
        guard gap >= 1 else { return }
        gapFrameCount += Int(gap.rounded())
        for signal in signals { signal.skip(frames: Int(gap.rounded())) }
    }

    /// Processes the audio of several sources.
    private func process(_ block: SynchronizedBlock, isPaused: Bool) throws {
        var block = block
        wasPaused = isPaused
        if let processed = echo?.process(block) { block = processed }
        reportEchoFailure()
        guard !isPaused, !hasReachedLimit else { return control.skip(hostTime: block.hostTime) }
        hostTime = block.hostTime
        try process(PCMBuffer(joining: block.buffers))
    }

    /// Reports once that a canceller has failed.
    private func reportEchoFailure() {
        guard !hasReportedEchoFailure, let failure = echo?.failure else { return }
        hasReportedEchoFailure = true
        let name = summary.withLock { $0.sources[failure.index].name }
        streams.events.send(.source(name: name, .echoCancellationUnavailable(failure.error)))
    }

    private func reportWaiting(_ isWaiting: Bool) {
        summary.withLock { $0.isWaitingForLevel = isWaiting }
        streams.events.send(.waitingForLevel(isWaiting))
    }

    /// Measures audio with the channels of all sources, and records it unless the recording waits for its start level.
    private func process(_ buffer: PCMBuffer) throws {
        guard buffer.frameCount > 0 else { return }
        let earlier = clips.sampleCounts
        defer { streams.levels.send(buffer, clippedSampleCounts: zip(clips.sampleCounts, earlier).map { $0 - $1 }) }
        let wasWaiting = control.isWaiting
        let blocks = control.admit(buffer, hostTime: hostTime)
        if wasWaiting, !control.isWaiting { reportWaiting(false) }
        for block in blocks {
            guard let step = control.plan(block, for: signals, limit: frameLimit.map { $0 - frameCount } ?? .max) else { break }
            try record(step, hostTime: block.hostTime)
        }
        updateSummary()
    }

    /// Distributes and encodes audio.
    private func record(_ step: RecordingControl.Step, hostTime: Int64) throws {
        let buffers = step.buffer.parts(channelCounts: channelCounts)
        streams.speech.send(buffers, at: Double(frameCount + gapFrameCount) / Double(format.sampleRate), hostTime: hostTime)
        frameCount += step.buffer.frameCount
        clips.accept(step.buffer)
        for signal in signals {
            signal.split(at: step.boundaries, decidedFrame: step.decidedFrame)
            if let rate = try signal.process(buffers), signal === signals[0] { streams.events.send(.bitRateChanged(rate)) }
        }
    }

    private func updateSummary() {
        summary.withLock { summary in
            summary.frameCount = frameCount
            summary.clippedSampleCounts = clips.sampleCounts
            summary.clippedPlaceCount = clips.placeCount
            summary.accessUnitCount = signals.map(\.accessUnitCount).max() ?? 0
            summary.byteCount = signals.reduce(0) { $0 + $1.byteCount }
            summary.gaplessInfo = signals.lazy.compactMap(\.gaplessInfo).first
            if case .several(let synchronizer) = input {
                for index in summary.sources.indices { summary.sources[index].drift = synchronizer.drift(ofSource: index) }
            }
        }
    }
}
