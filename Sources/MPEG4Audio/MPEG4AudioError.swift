// SPDX-License-Identifier: Apache-2.0

/// Errors of reading an MPEG-4 audio configuration.
public enum MPEG4AudioError: Error, Hashable, Sendable {
    /// The bytes end before the structure does; it needs at least `neededBits` of them.
    case truncated(availableBits: Int, neededBits: Int)
    /// The object type is 0 or reserved (ISO/IEC 14496-3:2009, Table 1.17).
    case reservedObjectType(Int)
    /// The object type is in the standard, but this reader does not support its configuration.
    case unsupportedObjectType(AudioObjectType)
    /// The sampling frequency index is 13 or 14.
    case reservedSamplingFrequencyIndex(Int)
    /// The explicit sample rate in hertz is 0 or above what the tools are defined for.
    case invalidSampleRate(Int, allowed: ClosedRange<Int>)
    /// The channel configuration has no layout, or none known here.
    case reservedChannelConfiguration(Int)
    /// The configuration asks for error protection (`epConfig` 1 to 3).
    case unsupportedErrorProtection(epConfig: Int)
    /// The configuration of AAC-ELD has more extensions than any stream has use for.
    case tooManyELDExtensions(maximum: Int)
    /// A configuration of USAC that no profile has, or that exceeds what this reader supports.
    case unsupportedUSACConfig(USACRefusal)

    /// The reason to refuse a configuration of USAC.
    public enum USACRefusal: Hashable, Sendable {
        /// A reserved `coreSbrFrameLengthIndex`.
        case frameLengthIndex(Int)
        /// No channel, or more than eight.
        case channelCount(Int)
        /// More elements than a stream of eight channels has use for.
        case elementCount(Int)
        /// The time-warped transform, which no profile has.
        case timeWarpedTransform
        /// A reserved value in the configuration of MPEG Surround.
        case surroundConfig
    }
}
