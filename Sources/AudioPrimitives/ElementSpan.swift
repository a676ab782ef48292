// SPDX-License-Identifier: Apache-2.0

/// The bits of a syntactic element in a raw data block, for the ADTS checksum (ISO/IEC 13818-7, 6.2.3).
///
/// An encoder or decoder reports one span per element, in bit stream order, because a container cannot find the boundaries itself.
public struct ElementSpan: Hashable, Sendable {
    /// The part of an element that the checksum covers.
    package enum Coverage: Hashable, Sendable {
        /// The first 192 bits: SCE, CCE and LFE.
        case singleChannel
        /// The first 192 bits, and the first 128 bits of the second channel stream, which starts at this bit: CPE.
        case channelPair(secondChannelBit: Int)
        /// All bits: PCE and DSE.
        case whole
        /// None: FIL.
        case none
    }

    /// The part of the element that the checksum covers.
    package var coverage: Coverage

    /// The bit range of the element in the raw data block, after the three bits of its ID.
    package var bits: Range<Int>

    package init(coverage: Coverage, bits: Range<Int>) {
        self.coverage = coverage
        self.bits = bits
    }
}
