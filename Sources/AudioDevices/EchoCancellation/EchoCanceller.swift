// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)
internal import CEchoCanceller

/// Takes out of what a microphone hears what a loudspeaker plays, 10 ms at a time.
///
/// The engines are speexdsp's and, behind it, WebRTC's, which needs no knowledge of the delay. One thread at a time.
public final class EchoCanceller {
    /// What stops it.
    public enum Failure: Error, Hashable, Sendable {
        /// The engine takes no such rate or channels.
        case unsupportedFormat(sampleRate: Int, channelCount: Int)
        /// The engine refused a block with its code.
        case failed(code: Int32)
    }

    /// Sample frames of a block.
    public let blockFrames: Int

    private let engine: OpaquePointer
    private let channelCount: Int
    private let referenceChannelCount: Int
    // One run of samples a channel.
    private var heard: [Float]
    private var played: [Float]

    /// Makes a canceller; the rate is a whole number of hundreds of hertz, from 8 to 48 kHz.
    public init(
        _ options: EchoCancellationOptions, sampleRate: Int, channelCount: Int, referenceChannelCount: Int
    ) throws(Failure) {
        guard (8_000...48_000).contains(sampleRate), sampleRate % 100 == 0, (1...2).contains(channelCount),
            (1...2).contains(referenceChannelCount),
            let engine = linnet_echo_canceller_create(
                Int32(sampleRate), Int32(channelCount), Int32(referenceChannelCount), Int32(options.noiseSuppression.rawValue),
                options.controlsGain ? 1 : 0)
        else { throw .unsupportedFormat(sampleRate: sampleRate, channelCount: channelCount) }
        self.engine = engine
        self.channelCount = channelCount
        self.referenceChannelCount = referenceChannelCount
        blockFrames = sampleRate / 100
        heard = [Float](repeating: 0, count: blockFrames * channelCount)
        played = [Float](repeating: 0, count: blockFrames * referenceChannelCount)
    }

    deinit { linnet_echo_canceller_destroy(engine) }

    /// Takes a block of what was played about `delay` milliseconds earlier out of a block of what was heard.
    ///
    /// Both are interleaved; `reference` may be empty for silence.
    public func process(_ block: inout [Float], reference: [Float], delay: Int = 0) throws(Failure) {
        precondition(block.count == heard.count && (reference.isEmpty || reference.count == played.count), "blocks of 10 ms")
        Self.separate(reference, channels: referenceChannelCount, into: &played)
        Self.separate(block, channels: channelCount, into: &heard)
        let playing = Self.withPlanes(&played, frames: blockFrames) { linnet_echo_canceller_play(engine, $0) }
        guard playing == 0 else { throw .failed(code: playing) }
        let hearing = Self.withPlanes(&heard, frames: blockFrames) { linnet_echo_canceller_hear(engine, $0, Int32(clamping: delay)) }
        guard hearing == 0 else { throw .failed(code: hearing) }
        for channel in 0..<channelCount {
            for frame in 0..<blockFrames { block[frame * channelCount + channel] = heard[channel * blockFrames + frame] }
        }
    }

    private static func separate(_ block: [Float], channels: Int, into planes: inout [Float]) {
        let frames = planes.count / channels
        for channel in 0..<channels {
            for frame in 0..<frames { planes[channel * frames + frame] = block.isEmpty ? 0 : block[frame * channels + channel] }
        }
    }

    private static func withPlanes(
        _ samples: inout [Float], frames: Int, _ body: (UnsafePointer<UnsafeMutablePointer<Float>?>?) -> Int32
    ) -> Int32 {
        samples.withUnsafeMutableBufferPointer { samples in
            let planes = stride(from: 0, to: samples.count, by: frames).map { samples.baseAddress?.advanced(by: $0) }
            return planes.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}
#endif
