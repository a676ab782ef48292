// SPDX-License-Identifier: Apache-2.0

public import AudioMetadata
public import AudioPrimitives
public import MPEG4Audio

/// Metadata of a container.
public struct ContainerMetadata: Hashable, Sendable {
    /// The priming and padding of the decoded stream, or `nil` if unspecified.
    ///
    /// It counts sample frames at ``/MPEG4Audio/AudioSpecificConfig/outputSampleRate``. If a decoder finds SBR that the configuration does
    /// not signal, double the values.
    public var gaplessInfo: GaplessInfo?

    /// Decoded sample frames between the valid ones that an edit list omits, in order and counted as in ``gaplessInfo``.
    package var omittedRanges: [Range<Int>] = []

    package var omittedFrameCount: Int { omittedRanges.reduce(0) { $0 + $1.count } }

    /// Whether an edit list reorders or repeats parts of the stream.
    package var isRearranged = false

    /// Whether Ogg granule positions or times of MP4 fragments are earlier than the durations of the access units imply.
    ///
    /// The durations then determine lengths and times.
    package var hasFalsePositions = false

    /// Whether the last page of an Ogg file is not marked as the last, as in a file that is cut off.
    package var isUnfinished = false

    /// The access unit count, or `nil` if unspecified.
    public var accessUnitCount: Int?

    /// The decoded sample frames of all access units, including missing ones, counted as in ``gaplessInfo``; `nil` if unspecified.
    package var frameCount: Int?

    #if !hasFeature(Embedded) || LINNET_FILES
    /// The audio tracks in file order, empty for containers with a single track.
    public var audioTracks: [AudioTrack] = []
    #endif

    /// The total size of other tracks, such as video, in bytes.
    package var otherTracksByteCount = 0

    /// The loudness metadata of the container, if any.
    public var loudness: LoudnessInfoSet?

    /// Title, artist and other tags.
    public var tags = AudioTags()

    package init() {}
}
