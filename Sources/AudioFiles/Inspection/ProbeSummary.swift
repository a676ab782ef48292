// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec
public import AudioContainers
public import AudioPrimitives
public import MPEG4Audio

/// What a file of coded sound holds, found by reading all of it.
public struct ProbeSummary: Hashable, Sendable {
    /// The file's name; `standard input` for a pipe.
    public var path: String
    /// The container.
    public var format: ContainerFormat
    /// Bytes of the file.
    public var byteCount: Int
    /// Bytes of tracks other than the one with AAC, such as the video of a film.
    public var otherTracksByteCount = 0
    /// How the first access unit is coded.
    public var configuration: AudioSpecificConfig
    /// The usual name of what the stream holds, SBR and parametric stereo that only its units tell of included.
    public var profileName: String
    /// The rate of what the stream decodes to in hertz: with SBR twice the core's.
    public var outputSampleRate: Int
    /// Channels that it decodes to: with parametric stereo two for one; nil if only a decoder of all could tell.
    public var outputChannelCount: Int?
    /// How often the configuration changes after the first unit.
    public var configurationChangeCount: Int
    /// The header of the first unit, in ADTS.
    public var adtsHeader: ADTSHeader?
    /// Access units.
    public var unitCount: Int
    /// Bytes of all access units, without headers.
    public var payloadByteCount: Int
    /// Sample frames that the units decode to at ``outputSampleRate``, counted.
    public var frameCount: Int
    /// The time that the units decode to in seconds, counted.
    public var seconds: Double
    /// Bits a second of access units, on average.
    public var averageBitRate: Double
    /// Bits of access units in the largest second.
    public var peakBitRate: Double
    /// Sample rate of what was decoded in hertz; nil if nothing was.
    public var decodedSampleRate: Int?
    /// Encoder delay and padding, where the container tells; ADTS can't.
    public var gaplessInfo: GaplessInfo?
    /// Title, artist and so on, where the container has them.
    public var tags: AudioTags
    /// Bytes that are no sound and no damage.
    public var skippedTags: [SkippedBytes]
    /// Damage in the order of the file; at most ``damageLimit`` entries.
    public var damage: [ProbeDamage]
    /// All damaged places, listed or not.
    public var damageCount: Int
    /// Bytes in damaged places.
    public var damagedByteCount: Int

    /// How many damaged places are listed.
    public static let damageLimit = 1000

    /// Bits a second with everything in the file.
    public var totalBitRate: Double { seconds > 0 ? Double(byteCount - otherTracksByteCount) * 8 / seconds : 0 }

    /// Whether the units hold SBR.
    public var hasSBR: Bool { outputSampleRate != configuration.sampleRate || profileName != configuration.objectType.description }

    /// Whether nothing was found to be damaged.
    public var isIntact: Bool { damageCount == 0 }

    /// The container as people write it.
    public var containerName: String { format.name }
}

/// A damaged place in a file.
public struct ProbeDamage: Hashable, Sendable {
    /// What kind of damage it is.
    public enum Cause: Hashable, Sendable {
        /// Bytes that the container can't place.
        case skipped(SkippedBytes.Reason)
        /// An access unit that can't be decoded.
        case undecodable(AACError)
        /// An access unit that can be decoded, and whose checksum does not fit.
        case wrongChecksum
    }

    /// The bytes, counted from the start of the file.
    public var byteRange: Range<Int>
    /// The time at which it would be heard, in seconds.
    public var seconds: Double
    /// What is wrong.
    public var cause: Cause
}

extension ProbeDamage.Cause: CustomStringConvertible {
    /// What is wrong, in a few words.
    public var description: String {
        switch self {
        case .skipped(let reason): reason.description
        case .undecodable(let error): "undecodable: \(error)"
        case .wrongChecksum: "wrong checksum"
        }
    }
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
        case .unsupportedConfiguration(let error): "frame with a configuration that can't be used: \(error)"
        }
    }
}
