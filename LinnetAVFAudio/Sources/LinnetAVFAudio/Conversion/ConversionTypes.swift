// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
/// The handling of frames before and after the audio.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
    /// The first input frames only prime the filters; ``AVAudioConverterPrimeInfo/leadingFrames`` is their number.
    case pre = 0
    /// Assumes silence before and after the audio, and removes the delay of sample rate conversion.
    case normal = 1
    /// Like ``normal``, but keeps all decoded frames.
    case none = 2
}

/// The numbers of frames before and after the audio.
public struct AVAudioConverterPrimeInfo: Hashable, Sendable {
    /// The number of frames before the audio.
    public var leadingFrames: AVAudioFrameCount
    /// The number of frames after the audio.
    public var trailingFrames: AVAudioFrameCount

    /// Creates information with 0 frames.
    public init() { self.init(leadingFrames: 0, trailingFrames: 0) }

    /// Creates information with these numbers of frames.
    public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
        self.leadingFrames = leadingFrames
        self.trailingFrames = trailingFrames
    }
}

/// The result of an input block.
public enum AVAudioConverterInputStatus: Int, Sendable {
    /// The returned buffer contains audio.
    case haveData = 0
    /// There is no audio now. The next conversion calls the block again.
    case noDataNow = 1
    /// There is no more audio. The block is not called again before ``AVAudioConverter/reset()``.
    case endOfStream = 2
}

/// The outcome of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
    /// The output is full or contains the last audio of the stream.
    case haveData = 0
    /// The input was insufficient for a full output. The buffer contains the converted part.
    case inputRanDry = 1
    /// The stream has ended; the buffer is empty.
    case endOfStream = 2
    /// A failure, described by the error parameter.
    case error = 3
}

/// Returns input for a converter.
///
/// The argument is the number of packets or PCM frames needed; fewer or more are allowed.
///
/// The buffer may be reused when the block is called again.
public typealias AVAudioConverterInputBlock = (
    AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?
#endif
