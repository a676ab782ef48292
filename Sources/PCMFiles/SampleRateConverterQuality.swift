// SPDX-License-Identifier: Apache-2.0

/// The quality of a sample rate conversion: the precision of its filter, against the time that it takes.
///
/// `Documentation/Guides/Conversion.md` in the package has the noise and aliasing that were measured for each.
public enum SampleRateConverterQuality: String, Hashable, Sendable, CaseIterable {
    /// The shortest filter; aliases.
    case minimum
    /// 16 bits, with a wide transition band.
    case low
    /// 16 bits.
    case medium
    /// 20 bits: more than a source of 16 bits has.
    case high
    /// 28 bits, for sources of 24 bits and more.
    case maximum
}
