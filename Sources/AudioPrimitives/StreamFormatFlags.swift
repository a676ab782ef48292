// SPDX-License-Identifier: Apache-2.0

/// The layout of linear PCM samples: the format flags of Core Audio, bit by bit.
///
/// These bits mean something for `lpcm` only; other formats use the same number in their own way.
public struct StreamFormatFlags: OptionSet, Hashable, Sendable {
    /// The bits as Core Audio numbers them.
    public let rawValue: UInt32

    /// Creates flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Floating point; else integer.
    public static let isFloat = StreamFormatFlags(rawValue: 1 << 0)
    /// Most significant byte first.
    public static let isBigEndian = StreamFormatFlags(rawValue: 1 << 1)
    /// Signed integer; means nothing beside ``isFloat``.
    public static let isSignedInteger = StreamFormatFlags(rawValue: 1 << 2)
    /// Every bit of a sample's bytes is used.
    public static let isPacked = StreamFormatFlags(rawValue: 1 << 3)
    /// The sample lies in the high bits of its bytes; means nothing beside ``isPacked``.
    package static let isAlignedHigh = StreamFormatFlags(rawValue: 1 << 4)
    /// One buffer a channel.
    public static let isNonInterleaved = StreamFormatFlags(rawValue: 1 << 5)
    /// Can't be mixed.
    package static let isNonMixable = StreamFormatFlags(rawValue: 1 << 6)
    /// Stands for "no flag", where zero means "any".
    package static let areAllClear = StreamFormatFlags(rawValue: 1 << 31)

    private static let fractionShift: UInt32 = 7
    private static let fractionMask: UInt32 = 0x3F << fractionShift

    /// Bits after the binary point of a fixed-point sample, 0 to 63.
    package var fractionBitCount: Int { Int((rawValue & Self.fractionMask) >> Self.fractionShift) }

    /// The flags with another number of bits after the binary point (0 to 63).
    package func withFractionBitCount(_ count: Int) -> StreamFormatFlags {
        precondition((0...63).contains(count), "a fixed-point sample has 0 to 63 fraction bits")
        return StreamFormatFlags(rawValue: rawValue & ~Self.fractionMask | UInt32(count) << Self.fractionShift)
    }

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

    /// Core Audio's names of the flags that are set, the fraction bits as a number, and bits without a name in hexadecimal.
    var linearPCMNames: [String] {
        var result = Self.names.filter { contains($0.flag) }.map { $0.name }
        if fractionBitCount > 0 { result.append("fraction bits \(fractionBitCount)") }
        let named = Self.names.reduce(Self.fractionMask) { $0 | $1.flag.rawValue }
        let rest = rawValue & ~named
        if rest != 0 { result.append("0x" + String(rest, radix: 16)) }
        return result
    }
}
