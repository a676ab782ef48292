// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
/// The frames before and after the audio that a converter assumes or makes.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
    /// The first frames of the input, as many as ``AVAudioConverterPrimeInfo/leadingFrames``, only prepare the filters.
    case pre = 0
    /// Silence is assumed before and after the audio; the delay of rate conversion is removed.
    case normal = 1
    /// As ``normal``, and nothing of what a decoder gives is removed.
    case none = 2
}

/// The numbers of frames before and after the audio.
public struct AVAudioConverterPrimeInfo: Hashable, Sendable {
    /// The frames before the first one of the audio.
    public var leadingFrames: AVAudioFrameCount
    /// The frames after the last one of the audio.
    public var trailingFrames: AVAudioFrameCount

    /// Creates information without any frames.
    public init() { self.init(leadingFrames: 0, trailingFrames: 0) }

    /// Creates information.
    public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
        self.leadingFrames = leadingFrames
        self.trailingFrames = trailingFrames
    }
}

/// The answer of a block that is asked for input.
public enum AVAudioConverterInputStatus: Int, Sendable {
    /// The returned buffer has audio.
    case haveData = 0
    /// There is no audio now; the block is asked again by the next conversion.
    case noDataNow = 1
    /// There is no more audio; the block isn't asked again before ``AVAudioConverter/reset()``.
    case endOfStream = 2
}

/// The outcome of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
    /// The output is full, or has the last audio of the stream.
    case haveData = 0
    /// The input had not enough for a full output; the buffer has as much as could be converted.
    case inputRanDry = 1
    /// The stream has ended; the buffer is empty.
    case endOfStream = 2
    /// An error, which the error parameter describes.
    case error = 3
}

/// Gives input to a converter: at least so many packets, or frames of PCM, are needed; fewer and more are allowed.
///
/// The buffer may be used again when the block is called again.
public typealias AVAudioConverterInputBlock = (
    AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?
#endif
