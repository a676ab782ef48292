// SPDX-License-Identifier: Apache-2.0

/// The layout flags of linear PCM samples, as in Core Audio.
///
/// They apply to `lpcm` only. Other formats use the same field differently.
public struct StreamFormatFlags: OptionSet, Hashable, Sendable {
    /// The bits as defined by Core Audio.
    public let rawValue: UInt32

    /// Creates flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Floating-point samples instead of integers.
    public static let isFloat = StreamFormatFlags(rawValue: 1 << 0)
    /// Most significant byte first.
    public static let isBigEndian = StreamFormatFlags(rawValue: 1 << 1)
    /// Signed integers, ignored with ``isFloat``.
    public static let isSignedInteger = StreamFormatFlags(rawValue: 1 << 2)
    /// Samples use all bits of their bytes.
    public static let isPacked = StreamFormatFlags(rawValue: 1 << 3)
    /// Samples are in the high bits of their bytes, ignored with ``isPacked``.
    package static let isAlignedHigh = StreamFormatFlags(rawValue: 1 << 4)
    /// One buffer per channel.
    public static let isNonInterleaved = StreamFormatFlags(rawValue: 1 << 5)
    /// The stream cannot be mixed.
    package static let isNonMixable = StreamFormatFlags(rawValue: 1 << 6)
    /// No flags, where zero means "any".
    package static let areAllClear = StreamFormatFlags(rawValue: 1 << 31)

    private static let fractionShift: UInt32 = 7
    private static let fractionMask: UInt32 = 0x3F << fractionShift

    /// The number of fraction bits of a fixed-point sample, 0 to 63.
    package var fractionBitCount: Int { Int((rawValue & Self.fractionMask) >> Self.fractionShift) }

    private static let names: [(flag: StreamFormatFlags, name: String)] = [
        (.isFloat, "kAudioFormatFlagIsFloat"),
        (.isBigEndian, "kAudioFormatFlagIsBigEndian"),
        (.isSignedInteger, "kAudioFormatFlagIsSignedInteger"),
        (.isPacked, "kAudioFormatFlagIsPacked"),
        (.isAlignedHigh, "kAudioFormatFlagIsAlignedHigh"),
        (.isNonInterleaved, "kAudioFormatFlagIsNonInterleaved"),
        (.isNonMixable, "kAudioFormatFlagIsNonMixable"),
        (.areAllClear, "kAudioFormatFlagsAreAllClear"),
    ]

    /// The Core Audio names of the set flags, the number of fraction bits, and unknown bits in hexadecimal.
    var linearPCMNames: [String] {
        var result = Self.names.filter { contains($0.flag) }.map { $0.name }
        if fractionBitCount > 0 { result.append("fraction bits \(fractionBitCount)") }
        let named = Self.names.reduce(Self.fractionMask) { $0 | $1.flag.rawValue }
        let rest = rawValue & ~named
        if rest != 0 { result.append("0x" + String(rest, radix: 16)) }
        return result
    }
}
