// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// PCM that can be read sequentially, and possibly from any position.
///
/// Use a source from one thread at a time.
public protocol PlayableSource: AnyObject {
    /// The sample rate, in hertz.
    var sampleRate: Int { get }
    /// The channel count.
    var channelCount: Int { get }
    /// The channel layout; `nil`, the default, if unknown.
    var channelLayout: ChannelLayout? { get }
    /// The number of sample frames, or `nil` if unknown.
    var frameCount: Int? { get }
    /// The index of the next sample frame to read.
    var position: Int { get }

    /// Reads the next sample frames into `buffer`, which must have the source's channel count. It is empty at the end.
    ///
    /// - Returns: False at the end.
    /// - Throws: ``AudioFileError`` if the audio cannot be read or decoded.
    @discardableResult
    func read(into buffer: inout PCMBuffer) throws(AudioFileError) -> Bool

    /// Whether ``seek(toFrame:)`` is supported.
    var canSeek: Bool { get }

    /// Moves to a sample frame. Requires ``canSeek``.
    ///
    /// - Throws: ``AudioFileError`` if the audio cannot be read.
    func seek(toFrame frame: Int) throws(AudioFileError)
}

extension PlayableSource {
    /// The default implementation returns `nil`.
    public var channelLayout: ChannelLayout? { nil }
}
