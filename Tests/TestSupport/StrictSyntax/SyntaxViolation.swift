// SPDX-License-Identifier: Apache-2.0

/// A violation of ISO/IEC 14496-3:2009, subpart 4.
public enum SyntaxViolation: Error, Hashable, Sendable {
    /// The bits end inside a field; the position is that of the field's first bit.
    case truncated(bitPosition: Int)
    /// No codeword begins like this.
    case invalidCodeword(bitPosition: Int)
    /// The element is not the one that the channel configuration has at this index.
    case unexpectedElement(index: Int, identifier: Int)
    /// The block ends before the last element of the channel configuration.
    case missingElements(expected: Int, found: Int)
    /// Another element of the kind had this tag.
    case repeatedTag(identifier: Int, tag: Int)
    /// Bits between END and the byte boundary are not zero, or bytes follow.
    case trailingData(bitPosition: Int)
    /// More bits than the decoder's buffer holds.
    case tooManyBits(found: Int, limit: Int)
    /// The reserved bit of `ics_info` is set.
    case reservedBit
    /// `max_sfb` is above the number of bands.
    case maxSFB(found: Int, limit: Int)
    /// A tool that AAC-LC doesn't have: prediction or gain control.
    case toolOutsideProfile
    /// A window sequence that can't follow the previous one.
    case windowSuccession(channel: Int, from: Int, to: Int)
    /// `ms_mask_present` is 3.
    case reservedMask
    /// A codebook that is reserved or not allowed in this channel.
    case codebook(Int)
    /// A section of no band.
    case emptySection
    /// A section that reaches beyond `max_sfb`.
    case sectionTooLong(end: Int, maxSFB: Int)
    /// A scale factor, noise energy or intensity position outside its range.
    case scaleFactor(Int, allowed: ClosedRange<Int>)
    /// Pulses in short windows, or outside the spectrum.
    case pulse
    /// TNS filters of too high an order, or reaching below band 0.
    case tnsOrder(found: Int, limit: Int)
    /// TNS filters that together are longer than the spectrum.
    case tnsLength(found: Int, limit: Int)
    /// An escape word of more than 13 bits.
    case escape(prefix: Int)
    /// A tool that a low-frequency channel must not use.
    case lowFrequencyChannel
}
