// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
package import AudioPrimitives

/// Removes from a microphone the echo of audio that is recorded with it, on the same clock.
///
/// The output is ``delay`` frames late: it starts with as many frames of silence, and ``flush()`` returns the last frames. Must be used by
/// one thread at a time.
package final class KnownReferenceCanceller {
    /// The delay of the output, in frames: a block of 10 ms and up to 20 ms of the engines.
    package let delay: Int
    /// The number of blocks that passed unchanged because an engine failed.
    package var failureCount: Int { echo.failureCount + (voice?.failureCount ?? 0) }
    /// The error of the latest unchanged block.
    package var latestError: DeviceError? { echo.latestError ?? voice?.latestError }

    private let sampleRate: Int
    private let channelCount: Int
    private var echo: ReferenceBlocks
    /// Noise suppression and gain control; `nil` if both are off.
    private var voice: EchoBlocks?
    /// The interleaved microphone samples of an incomplete block.
    private var near: [Float] = []
    /// The reference of ``near``, with one or two channels.
    private var far: [Float] = []
    /// The processed samples that have not been returned.
    private var processed: [Float]

    /// Creates a canceller.
    ///
    /// - Parameters:
    ///   - options: The processing. The reference's name is ignored.
    ///   - sampleRate: The sample rate in hertz, a multiple of 100 from 8000 to 48 000.
    ///   - channelCount: The microphone's channel count, 1 or 2.
    ///   - referenceChannelCount: The reference's channel count, at least 1.
    /// - Throws: ``DeviceError/echoCancellerMissing`` or ``DeviceError/unsupportedEchoFormat(sampleRate:channelCount:)``.
    package init(
        _ options: EchoCancellationOptions, sampleRate: Int, channelCount: Int, referenceChannelCount: Int
    ) throws(DeviceError) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        echo = try ReferenceBlocks(sampleRate: sampleRate, channelCount: channelCount, referenceChannelCount: referenceChannelCount)
        if options.noiseSuppression != .off || options.controlsGain {
            let engine = try EchoCanceller(options, sampleRate: sampleRate, channelCount: channelCount, referenceChannelCount: 0)
            voice = EchoBlocks(engine, channelCount: channelCount)
        }
        processed = [Float](repeating: 0, count: echo.size)
        delay = (echo.size + echo.delay + (voice?.delay ?? 0)) / channelCount
    }

    /// Returns as many frames of output as the microphone has.
    ///
    /// - Parameters:
    ///   - microphone: Any number of frames.
    ///   - reference: The far end of the same time, with the same number of frames.
    package func process(_ microphone: PCMBuffer, reference: PCMBuffer) -> PCMBuffer {
        precondition(microphone.channelCount == channelCount && reference.channelCount == echo.sourceChannelCount)
        precondition(reference.frameCount == microphone.frameCount, "microphone and reference have the same time")
        near += microphone.interleaved
        far += echo.mixed(reference)
        while near.count >= echo.size {
            let farCount = echo.size / channelCount * echo.referenceChannelCount
            let block = echo.process(Array(near[..<echo.size]), reference: Array(far[..<farCount]))
            processed += voice?.process(block, reference: []) ?? block
            near.removeFirst(echo.size)
            far.removeFirst(farCount)
        }
        var result = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: microphone.frameCount)
        let count = microphone.frameCount * channelCount
        result.deinterleave(Array(processed[..<count]), frameCount: microphone.frameCount)
        processed.removeFirst(count)
        return result
    }

    /// Returns the last ``delay`` frames, before an end or a gap.
    ///
    /// The output of further audio starts with silence again.
    package func flush() -> PCMBuffer {
        let result = process(
            PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: delay),
            reference: PCMBuffer(sampleRate: sampleRate, channelCount: echo.sourceChannelCount, frameCapacity: delay))
        near = []
        far = []
        processed = [Float](repeating: 0, count: echo.size)
        return result
    }
}
#endif
