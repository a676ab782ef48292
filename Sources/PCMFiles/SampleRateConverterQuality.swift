// SPDX-License-Identifier: Apache-2.0

/// The quality of sample rate conversion, a trade-off between filter precision and speed.
///
/// `Documentation/Guides/Conversion.md` in the package lists the measured noise and aliasing of each.
public enum SampleRateConverterQuality: String, Hashable, Sendable, CaseIterable {
    /// The shortest filter, with aliasing.
    case minimum
    /// 16 bits, with a wide transition band.
    case low
    /// 16 bits, with a narrow transition band.
    case medium
    /// 20 bits, more precise than 16-bit sources.
    case high
    /// 28 bits, for sources with 24 bits and more.
    case maximum
}
