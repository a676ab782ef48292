// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The place of a syntactic element in a raw data block, as the checksum of ADTS needs it (ISO/IEC 13818-7, 6.2.3).
///
/// An encoder or decoder reports one an element, in their order; a container can't find the borders itself.
public struct ElementSpan: Hashable, Sendable {
    /// How much of an element the checksum covers.
    public enum Coverage: Hashable, Sendable {
        /// The first 192 bits: SCE, CCE and LFE.
        case singleChannel
        /// The first 192 bits, then the first 128 bits of the second channel stream, which begins at this bit: CPE.
        case channelPair(secondChannelBit: Int)
        /// All bits: PCE and DSE.
        case whole
        /// None: FIL.
        case none
    }

    /// What the checksum covers.
    public var coverage: Coverage

    /// The element's bits in the raw data block, behind the three bits of its id.
    public var bits: Range<Int>

    /// Makes a span.
    public init(coverage: Coverage, bits: Range<Int>) {
        self.coverage = coverage
        self.bits = bits
    }
}
