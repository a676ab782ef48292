// SPDX-License-Identifier: Apache-2.0

internal import AudioDevices
internal import AudioPrimitives

/// The microphones whose echo is cancelled, and the recorded sources that they hear through loudspeakers.
struct EchoPlan {
    /// The microphones, by index, with the processing.
    var microphones: [Int: EchoCancellationOptions] = [:]
    /// The indices of the sources that this machine plays.
    var played: [Int] = []

    /// Plans the cancellation of recorded audio from all microphones with echo cancellation.
    init(_ sources: [RecorderSource]) {
        played = sources.indices.filter { CaptureSource.isPlayedAudio(sources[$0].capture.device) }
        guard !played.isEmpty else { return }
        for (index, source) in sources.enumerated() where !played.contains(index) {
            microphones[index] = Self.cancellation(of: source.source)?.options
        }
    }

    /// Returns the source to capture: a microphone without its own reference if the played audio is recorded.
    func captureSource(_ index: Int, of sources: [RecorderSource]) -> CaptureSource {
        let source = sources[index].source
        return microphones[index] == nil ? source : Self.cancellation(of: source)?.microphone ?? source
    }

    private static func cancellation(of source: CaptureSource) -> (microphone: CaptureSource, options: EchoCancellationOptions)? {
        switch source {
        case .cancellingEcho(let microphone, _, let options):
            #if !os(Linux)
            // Only the system's voice processing suppresses noise and controls the gain.
            guard options.noiseSuppression == .off, !options.controlsGain else { return nil }
            #endif
            return (microphone, options)
        #if os(macOS)
        case .coreAudio(cancelsEcho: true): return (.coreAudio(), EchoCancellationOptions())
        #endif
        default: return nil
        }
    }
}

/// Cancels the echo of recorded audio in recorded microphones, which are on the same clock.
///
/// All sources keep their time: those without echo are delayed as much as the canceller delays a microphone, and the delay is removed at the
/// start.
struct EchoStage {
    private let sampleRate: Int
    private let played: [Int]
    private let cancellers: [Int: KnownReferenceCanceller]
    /// The audio of each source that waits for the slowest canceller.
    private var waiting: [PCMQueue]
    /// The number of frames that are late.
    private let delay: Int
    /// The number of frames to remove at the start.
    private var excess: Int

    /// Creates a stage; `nil` without a microphone.
    ///
    /// - Throws: ``/AudioDevices/DeviceError/echoCancellerMissing`` or
    ///   ``/AudioDevices/DeviceError/unsupportedEchoFormat(sampleRate:channelCount:)``.
    init?(_ plan: EchoPlan, sampleRate: Int, channelCounts: [Int]) throws(DeviceError) {
        guard !plan.microphones.isEmpty else { return nil }
        self.sampleRate = sampleRate
        played = plan.played
        let playedCount = plan.played.reduce(0) { $0 + channelCounts[$1] }
        var cancellers: [Int: KnownReferenceCanceller] = [:]
        for (index, options) in plan.microphones {
            cancellers[index] = try KnownReferenceCanceller(
                options, sampleRate: sampleRate, channelCount: channelCounts[index], referenceChannelCount: playedCount)
        }
        self.cancellers = cancellers
        let delay = cancellers.values.map(\.delay).max() ?? 0
        self.delay = delay
        excess = delay
        waiting = channelCounts.enumerated().map { index, count in
            var queue = PCMQueue(channelCount: count)
            queue.appendSilence(frameCount: delay - (cancellers[index]?.delay ?? 0))
            return queue
        }
    }

    /// Returns the audio that a block completes, possibly none.
    mutating func process(_ block: SynchronizedBlock) -> SynchronizedBlock {
        let reference = PCMBuffer(joining: played.map { block.buffers[$0] })
        let count = block.buffers[0].frameCount
        let lag = Int64(Double(delay - excess) * 1e9 / Double(sampleRate))
        let removed = min(excess, count)
        excess -= removed
        var result = SynchronizedBlock(buffers: [], hostTime: block.hostTime == 0 ? 0 : block.hostTime - lag)
        for (index, buffer) in block.buffers.enumerated() {
            waiting[index].append(cancellers[index]?.process(buffer, reference: reference) ?? buffer)
            var start = PCMBuffer(sampleRate: sampleRate, channelCount: buffer.channelCount, frameCapacity: removed)
            waiting[index].dequeue(removed, into: &start)
            var output = PCMBuffer(sampleRate: sampleRate, channelCount: buffer.channelCount, frameCapacity: count - removed)
            waiting[index].dequeue(count - removed, into: &output)
            result.buffers.append(output)
        }
        return result
    }

    /// Returns the audio that is late.
    mutating func finish() -> [PCMBuffer] {
        let silence = waiting.map { PCMBuffer(sampleRate: sampleRate, channelCount: $0.channelCount, frameCapacity: delay) }
        return process(SynchronizedBlock(buffers: silence, hostTime: 0)).buffers
    }

    /// The first microphone with blocks that passed unchanged because the canceller failed, and the error.
    var failure: (index: Int, error: DeviceError)? {
        for (index, canceller) in cancellers { if let error = canceller.latestError { return (index, error) } }
        return nil
    }
}
