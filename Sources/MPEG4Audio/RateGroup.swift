// SPDX-License-Identifier: Apache-2.0

/// A group of consecutive access units with a fixed total size, as required by transports with a fixed rate.
///
/// For example, `DABSubchannel.rateGroup` describes a DAB+ superframe.
public struct RateGroup: Hashable, Sendable {
    package let milliseconds: Int
    /// The size of a group in bytes, including overhead.
    package let byteCount: Int
    package let overheadBitCount: Int
    package let unitOverheadBitCount: Int
    /// Core sample frames per access unit.
    package let frameLength: Int
    /// The supported output sample rates, in hertz.
    package let sampleRates: [Int]
    /// The default object types for one and two channels, if the encoder settings have no profile: AAC-LC, SBR or parametric stereo.
    package let objectTypes: [AudioObjectType]

    /// Creates a group whose access units last whole milliseconds at each sample rate.
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

    package func accessUnitCount(coreSampleRate: Int) -> Int { coreSampleRate / (1000 * frameLength / milliseconds) }

    /// Returns the total size available to the access units of a group, in bytes.
    package func unitsByteCount(_ accessUnitCount: Int) -> Int {
        byteCount - (overheadBitCount + accessUnitCount * unitOverheadBitCount + 7) / 8
    }
}
