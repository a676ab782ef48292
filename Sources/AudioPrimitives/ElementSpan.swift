// SPDX-License-Identifier: Apache-2.0

/// The bits of one syntactic element in a raw data block, which the checksum of ADTS needs (ISO/IEC 13818-7, 6.2.3).
///
/// An encoder or decoder reports one span for each element, in their order; a container can't find the boundaries itself.
public struct ElementSpan: Hashable, Sendable {
    /// Parts of an element that the checksum covers.
    package enum Coverage: Hashable, Sendable {
        /// The first 192 bits: SCE, CCE and LFE.
        case singleChannel
        /// The first 192 bits, then the first 128 bits of the second channel stream, which begins at this bit: CPE.
        case channelPair(secondChannelBit: Int)
        /// All bits: PCE and DSE.
        case whole
        /// None: FIL.
        case none
    }

    /// The part of the element that the checksum covers.
    package var coverage: Coverage

    /// The bits of the element in the raw data block, after the three bits of its id.
    package var bits: Range<Int>

    /// Creates a span.
    package init(coverage: Coverage, bits: Range<Int>) {
        self.coverage = coverage
        self.bits = bits
    }
}
