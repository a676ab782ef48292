// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
public import AudioPrimitives

/// Counts of access units that an ``AudioFile`` has decoded, concealed and skipped so far.
public struct DecodingStatistics: Hashable, Sendable {
    /// The number of decoded access units, including damaged ones.
    public var accessUnitCount = 0

    /// The former name of ``accessUnitCount``.
    @available(*, deprecated, renamed: "accessUnitCount")
    public var unitCount: Int { accessUnitCount }
    /// The number of damaged access units, which were concealed.
    public var damagedUnitCount = 0
    /// The number of access units with damaged or invalid SBR data.
    ///
    /// The core was decoded; the high band and parametric stereo were concealed or omitted.
    public var highBandLossCount = 0
    /// The number of access units with an invalid checksum, which were decoded nevertheless.
    public var checksumFailureCount = 0
    /// The error of the first damaged access unit.
    public var firstDamage: CodecError?
    /// The number of container bytes that should have been access units.
    public var lostByteCount = 0
    /// The number of access units that the index lists after the end of the audio: the file is truncated, or the index has a false size.
    public var missingUnitCount = 0
    /// The number of access units that were missing inside the stream and concealed to preserve the timing of later ones.
    ///
    /// The number comes from the container's timestamps, or is estimated from the size of the damaged bytes.
    public var concealedUnitCount = 0
    /// The number of runs of missing access units longer than 10 s.
    ///
    /// Only their first 10 s are concealed.
    public var gapCount = 0
    /// The total duration omitted from these runs, by the container's timestamps or estimated from the number of damaged bytes.
    public var gapDuration = Duration.zero
    /// The number of sample rate or channel count changes within the stream.
    public var formatChangeCount = 0
    /// The number of returned sample frames.
    public var frameCount = 0

    /// Whether no damage was found.
    public var isIntact: Bool {
        damagedUnitCount == 0 && lostByteCount == 0 && missingUnitCount == 0 && concealedUnitCount == 0 && checksumFailureCount == 0
            && highBandLossCount == 0
    }

    /// Counts the omitted part of a run of missing access units, if any.
    mutating func recordGap(_ duration: Duration) {
        guard duration > .zero else { return }
        gapCount += 1
        gapDuration += duration
    }

    /// Counts skipped bytes and missing access units if they are damage.
    mutating func record(_ skipped: SkippedBytes) {
        guard skipped.isDamage else { return }
        lostByteCount += skipped.byteRange.count
        missingUnitCount += skipped.unitCountAfterEnd
    }
}
