// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
public import AudioPrimitives

/// Counts of what an ``AudioFile`` has decoded, concealed and skipped so far.
public struct DecodingStatistics: Hashable, Sendable {
    /// Access units decoded, including damaged ones.
    public var unitCount = 0
    /// Access units that were damaged and concealed.
    public var damagedUnitCount = 0
    /// Access units whose SBR data is damaged or invalid: the core was decoded, the high band and parametric stereo were concealed or left out.
    public var highBandLossCount = 0
    /// Access units with a wrong checksum; they were decoded nevertheless.
    public var checksumFailureCount = 0
    /// The error of the first damaged access unit.
    public var firstDamage: CodecError?
    /// Bytes of the container that should have held an access unit and did not.
    public var lostByteCount = 0
    /// Access units that begin after the end of the file, by its index: the file was cut off.
    public var missingUnitCount = 0
    /// Access units that are missing between others and were concealed, so that later ones keep their time: as many as the container tells, or
    /// as have room in the damaged bytes.
    public var concealedUnitCount = 0
    /// The number of runs of missing access units that are longer than 10 s: what follows their first 10 s is left out.
    public var gapCount = 0
    /// The duration that is left out of these runs, as far as the container tells it, or as the number of damaged bytes suggests.
    public var gapDuration = Duration.zero
    /// The number of times that the sample rate or the channel count changed within the stream.
    public var formatChangeCount = 0
    /// Sample frames returned.
    public var frameCount = 0

    /// Whether nothing was damaged.
    public var isIntact: Bool {
        damagedUnitCount == 0 && lostByteCount == 0 && missingUnitCount == 0 && concealedUnitCount == 0 && checksumFailureCount == 0
            && highBandLossCount == 0
    }

    /// Counts the rest of a run of missing access units, if it is left out.
    mutating func recordGap(_ duration: Duration) {
        guard duration > .zero else { return }
        gapCount += 1
        gapDuration += duration
    }

    /// Counts the bytes and access units of a part of the container that holds none, if it is damage.
    mutating func record(_ skipped: SkippedBytes) {
        guard skipped.isDamage else { return }
        lostByteCount += skipped.byteRange.count
        missingUnitCount += skipped.unitCountAfterEnd
    }
}
