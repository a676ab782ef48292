// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers
public import MPEG4Audio

/// What a file of coded sound holds, found by reading all of it.
public struct ProbeReport: Hashable, Sendable {
    /// The file's name; `standard input` for a pipe.
    public var path: String
    /// The container, as people write it.
    public var containerName: String
    /// Bytes of the file.
    public var byteCount: Int
    /// How the first access unit is coded.
    public var configuration: AudioSpecificConfig
    /// How often the configuration changes after the first unit.
    public var configurationChangeCount: Int
    /// Whether ADTS headers call the stream MPEG-2.
    public var isMPEG2: Bool
    /// Whether ADTS frames carry checksums.
    public var hasCRC: Bool
    /// Access units.
    public var unitCount: Int
    /// Bytes of all access units, without headers.
    public var payloadByteCount: Int
    /// Sample frames that the units decode to, counted.
    public var frameCount: Int
    /// The time that the units decode to in seconds, counted.
    public var seconds: Double
    /// Bits a second of access units, on average.
    public var averageBitRate: Double
    /// Bits of access units in the largest second.
    public var peakBitRate: Double
    /// Sample frames of encoder delay, where the container tells; ADTS can't.
    public var encoderDelay: Int?
    /// Tags and other bytes that are no sound and no damage.
    public var tags: [SkippedBytes]
    /// Damage in the order of the file; at most ``damageLimit`` entries.
    public var damage: [SkippedBytes]
    /// All damaged places, listed or not.
    public var damageCount: Int
    /// Bytes in damaged places.
    public var damagedByteCount: Int

    /// How many damaged places are listed.
    public static let damageLimit = 1000

    /// Bits a second with everything in the file.
    public var totalBitRate: Double { seconds > 0 ? Double(byteCount) * 8 / seconds : 0 }

    /// Whether every byte was an access unit, a header or a tag.
    public var isSound: Bool { damageCount == 0 }
}

extension SkippedBytes.Reason: CustomStringConvertible {
    /// What was passed over, in a few words.
    public var description: String {
        switch self {
        case .id3v2Tag: "ID3v2 tag"
        case .id3v1Tag: "ID3v1 tag"
        case .apeTag: "APE tag"
        case .unrecognized: "no frame"
        case .truncatedFrame: "frame cut off by the end of the file"
        case .damagedBlockPositions: "frame with wrong block positions"
        case .missingConfiguration: "frame before its configuration"
        case .unsupportedConfiguration: "frame with an unsupported configuration"
        }
    }
}
