// SPDX-License-Identifier: Apache-2.0

public import AudioMetadata
public import AudioPrimitives
public import MPEG4Audio

/// The properties that a container stores beside its access units.
public struct ContainerMetadata: Hashable, Sendable {
    /// The priming and padding of the decoded stream; nil if the container doesn't tell.
    ///
    /// It counts sample frames of ``/MPEG4Audio/AudioSpecificConfig/outputSampleRate``. If a decoder finds SBR that the configuration
    /// doesn't signal, its output has twice as many.
    public var gaplessInfo: GaplessInfo?

    /// Ranges of decoded sample frames between the valid ones that an edit list leaves out, in order; counted as in ``gaplessInfo``.
    package var omittedRanges: [Range<Int>] = []

    /// The number of sample frames in ``omittedRanges``.
    package var omittedFrameCount: Int { omittedRanges.reduce(0) { $0 + $1.count } }

    /// Whether an edit list plays parts of the stream in another order or more than once.
    package var isRearranged = false

    /// Whether pages of Ogg state earlier positions than their packets reach; lengths and times are those of the packets.
    package var hasFalsePositions = false

    /// The number of access units; nil if the container doesn't tell.
    public var accessUnitCount: Int?

    #if !hasFeature(Embedded)
    /// The audio tracks in the order of the file; empty for containers with one.
    public var audioTracks: [AudioTrack] = []
    #endif

    /// The number of bytes of other tracks, such as video.
    package var otherTracksByteCount = 0

    /// The loudness that the container states; nil if it does not.
    public var loudness: LoudnessInfoSet?

    /// Title, artist and so on.
    public var tags = AudioTags()

    /// Creates empty metadata.
    package init() {}
}
