// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Decides when a recording starts, where its files begin, and when it ends.
///
/// One control serves all outputs of a recording, so that their files are cut at the same frames.
struct RecordingControl {
    /// The part of a block to record, and the file boundaries that it reveals.
    struct Step {
        var buffer: PCMBuffer
        var boundaries: [FileBoundary]
        /// All boundaries before this frame are known.
        var decidedFrame: Int
    }

    /// Whether outputs receive boundaries.
    private let splits: Bool
    private var trigger: LevelTrigger?
    private var splitter: RecordingSplitter
    private var stopRules: StopRules
    /// The maximum size of all files, in bytes.
    private let byteLimit: Int?
    private var isFull = false

    /// Creates the control of a recording.
    ///
    /// - Parameters:
    ///   - rate: The sample rate, in hertz.
    ///   - channels: The channel count of all sources.
    ///   - splits: Whether outputs receive boundaries.
    init(_ configuration: RecorderConfiguration, sampleRate rate: Int, channelCount channels: Int, splits: Bool) {
        self.splits = splits
        trigger = configuration.startLevel.map { level in
            LevelTrigger(level: level, preRollFrames: configuration.preRoll.frameCount(atRate: rate))
        }
        splitter = RecordingSplitter(
            configuration.splitting, clock: configuration.wallClock, silenceLevel: configuration.silenceLevel, sampleRate: rate,
            channelCount: channels)
        stopRules = StopRules(
            configuration.stopConditions, clock: configuration.wallClock, silenceLevel: configuration.silenceLevel, sampleRate: rate,
            channelCount: channels)
        byteLimit = configuration.stopConditions.byteCount
    }

    /// Whether the recording waits for its start level.
    var isWaiting: Bool { trigger?.isWaiting ?? false }

    /// Whether the recording has ended by silence, time of day or size.
    var isComplete: Bool { stopRules.isComplete || isFull }

    /// Returns the audio to record after captured audio in the recording's format, in order.
    ///
    /// - Parameter hostTime: The host time of the first frame, in nanoseconds.
    mutating func admit(_ buffer: PCMBuffer, hostTime: Int64) -> [LevelTrigger.Block] {
        let count = stopRules.frames(before: buffer.frameCount, sampleRate: buffer.sampleRate, hostTime: hostTime)
        guard count > 0 else { return [] }
        let block = LevelTrigger.Block(buffer: buffer.frames(0..<count), hostTime: hostTime)
        return trigger?.accept(block) ?? [block]
    }

    /// Ends the recording if its time of day has come while no audio is recorded.
    mutating func skip(hostTime: Int64) { _ = stopRules.frames(before: 0, sampleRate: 1, hostTime: hostTime) }

    /// Returns the part of an admitted block to record, with its boundaries; `nil` for none.
    ///
    /// - Parameters:
    ///   - signals: The recorded signals, which count the sizes of their files.
    ///   - limit: The maximum number of frames.
    mutating func plan(_ block: LevelTrigger.Block, for signals: [SignalPipeline], limit: Int) -> Step? {
        var buffer = block.buffer
        buffer.frameCount = max(0, min(buffer.frameCount, limit))
        buffer.frameCount = stopRules.frames(in: buffer)
        let count = buffer.frameCount
        if let byteLimit, signals.reduce(0, { $0 + $1.sizes.totalByteCount(with: count) }) > byteLimit { isFull = true }
        guard count > 0, !isFull else { return nil }
        let isFileFull = signals.contains { $0.sizes.isFull(with: count) }
        let boundaries = splits ? splitter.accept(buffer, hostTime: block.hostTime, isFull: isFileFull) : []
        for signal in signals { signal.sizes.add(count, startsFile: !boundaries.isEmpty) }
        return Step(buffer: buffer, boundaries: boundaries, decidedFrame: splitter.decidedFrame)
    }
}
