// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Removes from a microphone the echo of audio that is recorded with it, on the same clock.
///
/// The output is ``delay`` frames late: it starts with as many frames of silence. Must be used by one thread at a time.
package final class KnownReferenceCanceller {
    /// The longest echo in seconds: delay and reverberation.
    private static let length = 0.3

    /// The delay of the output, in frames: 32 to 62 ms, and up to 30 ms for noise suppression or gain control.
    package let delay: Int
    /// The error of the latest block that passed without noise suppression and gain control because the engine failed.
    package private(set) var latestError: DeviceError?

    #if os(Linux)
    /// Noise suppression and gain control; `nil` if both are off.
    private var voice: EchoBlocks?
    /// The interleaved samples of an incomplete block of ``voice``.
    private var unprocessed: [Float] = []
    #endif

    private let sampleRate: Int
    private let channelCount: Int
    private let referenceChannelCount: Int
    private let blockFrames: Int
    private var reference: ReferenceSpectra
    private var filters: [(echo: EchoFilter, residual: ResidualEchoSuppressor)]
    /// The microphone's channels in an incomplete block.
    private var near: [[Double]]
    /// The reference of ``near``, with one or two channels.
    private var far: [[Double]]
    /// The interleaved samples that have not been returned.
    private var processed: [Float]

    /// Creates a canceller.
    ///
    /// - Parameters:
    ///   - options: The processing. The reference's name is ignored. Only Linux has noise suppression and gain control.
    ///   - sampleRate: The sample rate in hertz, at least 8000; for noise suppression and gain control, a multiple of 100 up to 48 000.
    ///   - channelCount: The microphone's channel count; for noise suppression and gain control, 1 or 2.
    ///   - referenceChannelCount: The reference's channel count, at least 1.
    /// - Throws: ``DeviceError/echoCancellerMissing`` or ``DeviceError/unsupportedEchoFormat(sampleRate:channelCount:)`` of noise
    ///   suppression and gain control.
    package init(
        _ options: EchoCancellationOptions, sampleRate: Int, channelCount: Int, referenceChannelCount: Int
    ) throws(DeviceError) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.referenceChannelCount = referenceChannelCount
        var frames = 64
        while frames < sampleRate / 64 { frames *= 2 }
        blockFrames = frames
        let transform = BlockTransform(size: 2 * frames)
        let blockCount = Int((Self.length * Double(sampleRate) / Double(frames)).rounded(.up))
        // More channels would converge slowly.
        let farCount = min(referenceChannelCount, 2)
        reference = ReferenceSpectra(transform, channelCount: farCount, blockCount: blockCount)
        filters = (0..<channelCount).map { _ in
            (EchoFilter(transform, channelCount: farCount, blockCount: blockCount), ResidualEchoSuppressor(transform))
        }
        near = [[Double]](repeating: [], count: channelCount)
        far = [[Double]](repeating: [], count: farCount)
        var delay = 2 * frames
        #if os(Linux)
        if options.noiseSuppression != .off || options.controlsGain {
            let engine = try EchoCanceller(options, sampleRate: sampleRate, channelCount: channelCount, referenceChannelCount: 0)
            voice = EchoBlocks(engine, channelCount: channelCount)
            delay += engine.blockFrames + engine.delay
        }
        processed = [Float](repeating: 0, count: (frames + (voice?.size ?? 0) / channelCount) * channelCount)
        #else
        processed = [Float](repeating: 0, count: frames * channelCount)
        #endif
        self.delay = delay
    }

    /// Returns as many frames of output as the microphone has.
    ///
    /// - Parameters:
    ///   - microphone: Any number of frames.
    ///   - reference: The far end of the same time, with the same number of frames.
    package func process(_ microphone: PCMBuffer, reference: PCMBuffer) -> PCMBuffer {
        precondition(microphone.channelCount == channelCount && reference.channelCount == referenceChannelCount)
        precondition(reference.frameCount == microphone.frameCount, "microphone and reference have the same time")
        for channel in 0..<channelCount {
            near[channel] += microphone.samples[microphone.range(ofChannel: channel)].lazy.map { Double($0.orSilence) }
        }
        appendReference(reference)
        while near[0].count >= blockFrames { processBlock() }
        var result = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: microphone.frameCount)
        let count = microphone.frameCount * channelCount
        result.deinterleave(Array(processed[..<count]), frameCount: microphone.frameCount)
        processed.removeFirst(count)
        return result
    }

    /// Appends a reference; each channel of the filters is the mean of every second source channel.
    private func appendReference(_ reference: PCMBuffer) {
        for target in far.indices {
            var mean = [Double](repeating: 0, count: reference.frameCount)
            let sources = stride(from: target, to: referenceChannelCount, by: 2)
            let gain = 1 / Double(Array(sources).count)
            for channel in sources {
                let samples = reference[channel: channel]
                for index in samples.indices { mean[index] += gain * Double(samples[index].orSilence) }
            }
            far[target] += mean
        }
    }

    private func processBlock() {
        reference.append(far.map { Array($0[..<blockFrames]) })
        var block = [Float](repeating: 0, count: blockFrames * channelCount)
        for channel in 0..<channelCount {
            let (output, residual) = filters[channel].echo.process(Array(near[channel][..<blockFrames]), reference)
            let samples = filters[channel].residual.process(output, residual: residual)
            for frame in 0..<blockFrames { block[frame * channelCount + channel] = Float(samples[frame]) }
            near[channel].removeFirst(blockFrames)
        }
        for channel in far.indices { far[channel].removeFirst(blockFrames) }
        #if os(Linux)
        guard let size = voice?.size else { return processed += block }
        unprocessed += block
        while unprocessed.count >= size {
            processed += voice?.process(Array(unprocessed[..<size]), reference: []) ?? []
            unprocessed.removeFirst(size)
        }
        latestError = voice?.latestError
        #else
        processed += block
        #endif
    }
}

extension Float {
    /// The sample; 0 if it is infinite or NaN, which a filter would keep in its state.
    var orSilence: Float { isFinite ? self : 0 }
}
