// SPDX-License-Identifier: Apache-2.0

public import AACCodec

/// The part of a file that an ``AudioFile`` decodes, and the format that it decodes to.
public struct FileDecoderConfiguration: Hashable, Sendable {
    /// Channel order and down-mix.
    public var decoder = AACDecoderOptions()
    /// Whether the encoder's priming and padding are kept.
    public var keepsDelay = false
    /// Whether all buffers are converted to the sample rate and channels of the first one.
    package var keepsFormat = false
    /// The time range to decode, counted from the first frame that would be decoded without it; nil for everything.
    ///
    /// It is exact to the sample frame. `.seconds(60) ..< .seconds(.max)` decodes all from 60 s on.
    public var range: Range<Duration>?
    /// The integrated loudness to give the signal, in LUFS, by the loudness that the file states; nil to leave it as it is.
    ///
    /// Peaks stay below full scale as far as the file states them. A file that states no loudness throws
    /// ``/PCMFiles/AudioFileError/Code/noStatedLoudness``.
    public var loudness: Double?

    /// Creates a configuration that decodes the whole file in the stream's own format.
    public init() {}
}
