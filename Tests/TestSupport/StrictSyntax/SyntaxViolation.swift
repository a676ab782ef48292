// SPDX-License-Identifier: Apache-2.0

/// A violation of ISO/IEC 14496-3:2009, subpart 4.
public enum SyntaxViolation: Error, Hashable, Sendable {
    /// The data end inside a field that starts at this position.
    case truncated(bitPosition: Int)
    /// No codeword has this prefix.
    case invalidCodeword(bitPosition: Int)
    /// The element differs from the channel configuration at this index.
    case unexpectedElement(index: Int, identifier: Int)
    /// The block ends before the last element of the channel configuration.
    case missingElements(expected: Int, found: Int)
    /// A previous element of the same kind has this tag.
    case repeatedTag(identifier: Int, tag: Int)
    /// Bits between END and the byte boundary are not zero, or bytes follow.
    case trailingData(bitPosition: Int)
    /// The bits exceed the decoder buffer.
    case tooManyBits(found: Int, limit: Int)
    /// The reserved bit of `ics_info` is set.
    case reservedBit
    /// `max_sfb` exceeds the number of bands.
    case maxSFB(found: Int, limit: Int)
    /// A tool that AAC-LC does not have: prediction or gain control.
    case toolOutsideProfile
    /// A window sequence that cannot follow the previous one.
    case windowSuccession(channel: Int, from: Int, to: Int)
    /// `ms_mask_present` is 3.
    case reservedMask
    /// A codebook that is reserved or not allowed in this channel.
    case codebook(Int)
    /// A section without bands.
    case emptySection
    /// A section that extends beyond `max_sfb`.
    case sectionTooLong(end: Int, maxSFB: Int)
    /// A scale factor, noise energy or intensity position out of range.
    case scaleFactor(Int, allowed: ClosedRange<Int>)
    /// Pulses in short windows or outside the spectrum.
    case pulse
    /// A TNS filter whose order is too high or that extends below band 0.
    case tnsOrder(found: Int, limit: Int)
    /// TNS filters that exceed the spectrum in total.
    case tnsLength(found: Int, limit: Int)
    /// An escape word longer than 13 bits.
    case escape(prefix: Int)
    /// A tool that LFE channels must not use.
    case lowFrequencyChannel
}
