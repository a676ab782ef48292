// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio

/// Removes a loudspeaker's signal from a microphone signal, in blocks of 10 ms.
///
/// Applies speexdsp's linear filter and then WebRTC's echo canceller, which estimates the delay itself; then noise suppression and gain
/// control. Without a reference it only applies these two. Must be used by one thread at a time.
package final class EchoCanceller {
    /// The number of sample frames per block (10 ms).
    package let blockFrames: Int
    /// The delay of the output, in frames: up to 20 ms, 0 without any processing.
    package let delay: Int

    private let library: UnsafePointer<LinnetEchoFunctions>
    private let engine: OpaquePointer
    private let channelCount: Int
    private let referenceChannelCount: Int
    private var microphone: PCMBuffer
    private var reference: PCMBuffer

    /// Creates a canceller.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate in hertz, a multiple of 100 from 8000 to 48 000.
    ///   - channelCount: The microphone's channel count, 1 or 2.
    ///   - referenceChannelCount: The reference's channel count, 1 or 2; 0 cancels no echo.
    /// - Throws: ``DeviceError/echoCancellerMissing`` or ``DeviceError/unsupportedEchoFormat(sampleRate:channelCount:)``.
    package init(
        _ options: EchoCancellationOptions, sampleRate: Int, channelCount: Int, referenceChannelCount: Int
    ) throws(DeviceError) {
        let library = try Self.library()
        guard (8_000...48_000).contains(sampleRate), sampleRate % 100 == 0, (1...2).contains(channelCount),
            (0...2).contains(referenceChannelCount),
            let engine = library.pointee.linnet_echo_canceller_create(
                Int32(sampleRate), Int32(channelCount), Int32(referenceChannelCount), Int32(options.noiseSuppression.rawValue),
                options.controlsGain ? 1 : 0)
        else { throw .unsupportedEchoFormat(sampleRate: sampleRate, channelCount: channelCount) }
        self.library = library
        self.engine = engine
        self.channelCount = channelCount
        self.referenceChannelCount = referenceChannelCount
        blockFrames = sampleRate / 100
        delay = Int(library.pointee.linnet_echo_canceller_delay(engine))
        microphone = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: blockFrames)
        reference = PCMBuffer(sampleRate: sampleRate, channelCount: max(referenceChannelCount, 1), frameCapacity: blockFrames)
    }

    deinit { library.pointee.linnet_echo_canceller_destroy(engine) }

    static func library() throws(DeviceError) -> UnsafePointer<LinnetEchoFunctions> {
        guard let library = linnet_echo_functions() else { throw .echoCancellerMissing }
        return library
    }

    /// Processes a block in place.
    ///
    /// - Parameters:
    ///   - block: The microphone signal: ``blockFrames`` interleaved frames.
    ///   - played: The far-end signal, as interleaved frames; empty for silence.
    /// - Throws: ``DeviceError/echoCanceller(code:)``.
    package func process(_ block: inout [Float], reference played: [Float]) throws(DeviceError) {
        precondition(
            block.count == blockFrames * channelCount && (played.isEmpty || played.count == blockFrames * referenceChannelCount),
            "blocks of 10 ms")
        microphone.deinterleave(block.map(\.orSilence), frameCount: blockFrames)
        if referenceChannelCount > 0 { try play(played) }
        let capturing = Self.withPlanes(&microphone.samples, frames: blockFrames) {
            library.pointee.linnet_echo_canceller_capture(engine, $0, 0)
        }
        guard capturing == 0 else { throw .echoCanceller(code: capturing) }
        microphone.forEachInterleaved { block[$0] = $1 }
    }

    /// Passes a far-end block to the engine.
    private func play(_ played: [Float]) throws(DeviceError) {
        if played.isEmpty {
            for index in reference.samples.indices { reference.samples[index] = 0 }
        } else {
            reference.deinterleave(played.map(\.orSilence), frameCount: blockFrames)
        }
        let code = Self.withPlanes(&reference.samples, frames: blockFrames) { library.pointee.linnet_echo_canceller_play(engine, $0) }
        guard code == 0 else { throw .echoCanceller(code: code) }
    }

    /// Calls `body` with one sample pointer per channel.
    private static func withPlanes(
        _ samples: inout ContiguousArray<Float>, frames: Int, _ body: (UnsafePointer<UnsafeMutablePointer<Float>?>?) -> Int32
    ) -> Int32 {
        samples.withUnsafeMutableBufferPointer { samples in
            let planes = stride(from: 0, to: samples.count, by: frames).map { samples.baseAddress?.advanced(by: $0) }
            return planes.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}
#endif
