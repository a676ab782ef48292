// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// PCM that can be read from the first sample frame to the last, and perhaps from any other.
///
/// A source belongs to one thread at a time.
public protocol PlayableSource: AnyObject {
    /// The sample rate in hertz.
    var sampleRate: Int { get }
    /// The number of channels.
    var channelCount: Int { get }
    /// The speakers of the channels; nil if they are unknown, as by default.
    var channelLayout: ChannelLayout? { get }
    /// The number of sample frames, or nil if it is unknown.
    var frameCount: Int? { get }
    /// The index of the sample frame that is read next.
    var position: Int { get }

    /// Replaces the contents of `buffer`, which has the channel count of the source, by the next sample frames: none at the end.
    ///
    /// - Returns: False at the end.
    /// - Throws: ``AudioFileError`` if the audio can't be read or decoded.
    @discardableResult
    func read(into buffer: inout PCMBuffer) throws(AudioFileError) -> Bool

    /// Whether ``seek(toFrame:)`` is supported.
    var canSeek: Bool { get }

    /// Moves to a sample frame; requires ``canSeek``.
    ///
    /// - Throws: ``AudioFileError`` if the audio can't be read.
    func seek(toFrame frame: Int) throws(AudioFileError)
}

extension PlayableSource {
    /// Nil.
    public var channelLayout: ChannelLayout? { nil }
}
