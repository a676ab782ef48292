// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioPrimitives

/// The part of a file for an ``AudioFile`` to decode, and the output format.
public struct FileDecoderConfiguration: Hashable, Sendable {
    /// The audio track to decode, or `nil` for the default one.
    ///
    /// One that is missing or unsupported throws ``/PCMFiles/AudioFileError/Code/unavailableTrack(_:_:)``.
    public var audioTrack: AudioTrackChoice?
    /// The channel order, downmix and dynamic range control of AAC.
    public var decoder = AACDecoderOptions()
    /// Whether to keep the encoder's priming and padding.
    public var keepsDelay = false
    /// Whether to convert all buffers to the sample rate and channels of the first buffer.
    package var keepsFormat = false
    /// The time range to decode, relative to the first frame that is decoded without it, or `nil` for all.
    ///
    /// The range is exact to the sample frame. `.seconds(60) ..< .seconds(.max)` starts at 60 s.
    public var range: Range<Duration>?
    /// The integrated loudness to normalize to, in LUFS, by the file's loudness metadata, or `nil` to apply no gain.
    ///
    /// The container, the xHE-AAC configuration, ReplayGain tags or the program reference level of AAC state the loudness. Peaks stay
    /// below full scale if the file signals them. A file without loudness metadata throws
    /// ``/PCMFiles/AudioFileError/Code/noStatedLoudness``.
    public var loudness: Double?

    /// Creates a configuration that decodes the whole file in its own format.
    public init() {}

    /// Whether the whole track is decoded as the file's metadata describe.
    var isUsual: Bool {
        var other = self
        other.audioTrack = nil
        return other == FileDecoderConfiguration()
    }
}
