// SPDX-License-Identifier: Apache-2.0

/// Consecutive access units that have an exact number of bytes together, as a transport of a fixed rate demands of an encoder.
///
/// A transport makes it: `DABSubchannel.rateGroup` is that of a superframe of DAB+.
public struct RateGroup: Hashable, Sendable {
    /// The duration of the units of a group, in milliseconds.
    package let milliseconds: Int
    /// The bytes of a group, with those that are not part of its units.
    package let byteCount: Int
    /// The bits of a group beside its units and ``unitOverheadBitCount``.
    package let overheadBitCount: Int
    /// The bits of a group beside each unit.
    package let unitOverheadBitCount: Int
    /// The sample frames of the core in a unit.
    package let frameLength: Int
    /// The output sample rates, in hertz.
    package let sampleRates: [Int]
    /// The object types with one and with two channels, unless the encoder's settings have a profile: AAC-LC, SBR or parametric stereo.
    package let objectTypes: [AudioObjectType]

    /// Creates a group, whose units have a whole number of milliseconds at each sample rate.
    package init(
        milliseconds: Int, byteCount: Int, overheadBitCount: Int, unitOverheadBitCount: Int, frameLength: Int, sampleRates: [Int],
        objectTypes: [AudioObjectType]
    ) {
        self.milliseconds = milliseconds
        self.byteCount = byteCount
        self.overheadBitCount = overheadBitCount
        self.unitOverheadBitCount = unitOverheadBitCount
        self.frameLength = frameLength
        self.sampleRates = sampleRates
        self.objectTypes = objectTypes
    }

    /// Returns the number of units in a group at a sample rate of the core.
    package func unitCount(coreSampleRate: Int) -> Int { coreSampleRate / (1000 * frameLength / milliseconds) }

    /// Returns the bytes that all units of a group have together.
    package func unitsByteCount(_ unitCount: Int) -> Int {
        byteCount - (overheadBitCount + unitCount * unitOverheadBitCount + 7) / 8
    }
}
