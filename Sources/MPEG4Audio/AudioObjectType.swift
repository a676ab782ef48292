// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The codec of a stream (`audioObjectType`, ISO/IEC 14496-3:2009, Table 1.17).
public struct AudioObjectType: RawRepresentable, Hashable, Sendable {
    /// The number, 0 to 95.
    ///
    /// Zero and many others are reserved.
    public let rawValue: Int

    /// Creates an object type from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// AAC Main.
    public static let aacMain = AudioObjectType(rawValue: 1)
    /// AAC Low Complexity.
    public static let aacLC = AudioObjectType(rawValue: 2)
    /// AAC Scalable Sample Rate.
    package static let aacSSR = AudioObjectType(rawValue: 3)
    /// AAC Long-Term Prediction.
    public static let aacLTP = AudioObjectType(rawValue: 4)
    /// Spectral band replication with another core type: HE-AAC.
    public static let sbr = AudioObjectType(rawValue: 5)
    /// Error-resilient BSAC.
    package static let erBSAC = AudioObjectType(rawValue: 22)
    /// AAC Low Delay (error-resilient).
    public static let aacLD = AudioObjectType(rawValue: 23)
    /// Parametric stereo with another core type: HE-AAC v2.
    public static let parametricStereo = AudioObjectType(rawValue: 29)
    /// AAC Enhanced Low Delay (error-resilient).
    public static let aacELD = AudioObjectType(rawValue: 39)
    /// Unified Speech and Audio Coding: xHE-AAC.
    public static let usac = AudioObjectType(rawValue: 42)

    /// The former name of ``aacLD``.
    @available(*, deprecated, renamed: "aacLD")
    public static let errorResilientAACLD = aacLD
    /// The former name of ``aacELD``.
    @available(*, deprecated, renamed: "aacELD")
    public static let errorResilientAACELD = aacELD

    private static let escape: UInt32 = 31
    private static let firstEscaped = 32

    /// Reads a type of 5 bits or, from 32, of 11 bits (`GetAudioObjectType`).
    package init(reading reader: inout BitReader) {
        let short = reader.read(5)
        rawValue = short == Self.escape ? Self.firstEscaped + Int(reader.read(6)) : Int(short)
    }

    package func write(to sink: inout some BitSink) {
        guard rawValue >= Self.firstEscaped else { return sink.write(UInt32(rawValue), count: 5) }
        sink.write(Self.escape, count: 5)
        sink.write(UInt32(rawValue - Self.firstEscaped), count: 6)
    }

    package var isLowDelay: Bool { self == .aacLD || self == .aacELD }

    /// Whether a `GASpecificConfig` follows in the configuration.
    var hasGASpecificConfig: Bool { [1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23].contains(rawValue) }

    /// Whether the configuration ends with `epConfig`.
    var isErrorResilient: Bool { rawValue == 17 || (19...27).contains(rawValue) || rawValue == 39 }

    /// Whether the standard defines the type.
    var isKnown: Bool { Self.names.indices.contains(rawValue) && !Self.names[rawValue].isEmpty }
}

extension AudioObjectType: CustomStringConvertible {
    /// The name of each type, empty for reserved types.
    ///
    /// A dictionary would cost each run a search of all conformances in the program.
    private static let names = [
        "", "AAC Main", "AAC LC", "AAC SSR", "AAC LTP", "SBR", "AAC Scalable", "TwinVQ", "CELP", "HVXC", "", "", "TTSI",
        "Main Synthetic", "Wavetable Synthesis", "General MIDI", "Algorithmic Synthesis", "ER AAC LC", "", "ER AAC LTP",
        "ER AAC Scalable", "ER TwinVQ", "ER BSAC", "ER AAC LD", "ER CELP", "ER HVXC", "ER HILN", "ER Parametric", "SSC", "PS",
        "MPEG Surround", "", "Layer-1", "Layer-2", "Layer-3", "DST", "ALS", "SLS", "SLS non-core", "ER AAC ELD", "SMR Simple",
        "SMR Main", "USAC",
    ]

    /// The common name, such as "AAC LC", or else the number.
    public var description: String { isKnown ? Self.names[rawValue] : "object type \(rawValue)" }
}
