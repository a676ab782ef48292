// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioMetadata
public import AudioPrimitives
public import MPEG4Audio

/// The contents of a file of coded audio, found by reading all of it.
public struct ProbeSummary: Hashable, Sendable {
    /// The file's name; `standard input` for a pipe.
    public var path: String
    /// The container.
    public var format: AudioFileFormat
    /// The size of the file in bytes.
    public var byteCount: Int
    /// Bytes of tracks other than the one that is read, such as the video of a film.
    package var otherTracksByteCount = 0
    /// The audio tracks in the order of the file; empty for containers with one.
    public var audioTracks: [AudioTrack] = []
    /// The configuration of the first access unit.
    public var configuration: CodecConfiguration
    /// The usual name of the codec and its profile, including SBR and parametric stereo that only the access units reveal.
    public var profileName: String
    /// The sample rate of the decoded stream in hertz: with SBR twice that of the core.
    public var outputSampleRate: Int
    /// The channels of the decoded stream: with parametric stereo two; nil if only decoding could reveal them.
    public var outputChannelCount: Int?
    /// The number of configuration changes after the first access unit.
    public var configurationChangeCount: Int
    /// The reason for which the stream can't be decoded although it is intact; nil if it can.
    public var refusal: CodecError?
    /// The header of the first unit, in ADTS.
    package var adtsHeader: ADTSHeader?
    /// The number of access units.
    public var unitCount: Int
    /// The size of all access units in bytes, without headers.
    public var payloadByteCount: Int
    /// The sample frames that the access units decode to at ``outputSampleRate``.
    public var frameCount: Int
    /// The duration that the access units decode to.
    public var duration: Duration
    /// The average bit rate of the access units, in bit/s.
    public var averageBitRate: Double
    /// The bits of access units in the largest second.
    public var peakBitRate: Double
    /// The sample rate that was decoded, in hertz; nil if nothing was.
    package var decodedSampleRate: Int?
    /// Priming and padding, if the container stores them; ADTS does not.
    public var gaplessInfo: GaplessInfo?
    /// Sample frames between the valid ones that an edit list leaves out, or that lie between chained streams.
    package var omittedFrameCount = 0
    /// Whether an edit list plays parts in another order or more than once.
    package var isRearranged = false
    /// The superframes and the programme-associated data of DAB+; nil in other containers.
    public var superframes: SuperframeSummary?
    /// The loudness that the container or the configuration states; nil if none does.
    public var statedLoudness: LoudnessInfoSet?
    /// Title, artist and other metadata.
    public var tags: AudioTags
    /// Byte ranges that are neither audio nor damage.
    package var skippedTags: [SkippedBytes]
    /// Damage in the order of the file; at most 1000 entries.
    public var damage: [ProbeDamage]
    /// The number of all damaged byte ranges, listed or not.
    public var damageCount: Int
    /// The number of damaged bytes.
    public var damagedByteCount: Int
    /// Access units whose SBR data can't be decoded, so that they lack their high band, and parametric stereo; only found by decoding.
    public var highBandLossCount = 0

    /// The most damaged byte ranges that are listed.
    package static let damageLimit = 1000

    /// The size of the file without other tracks divided by its duration, in bit/s.
    public var totalBitRate: Double { duration > .zero ? Double(byteCount - otherTracksByteCount) * 8 / duration.inSeconds : 0 }

    /// Whether the access units hold SBR.
    public var hasSBR: Bool {
        guard let config = configuration.audioSpecificConfig else { return false }
        // The profiles of low delay have other names than their object types.
        if config.objectType == .aacLD || config.objectType == .aacELD {
            return config.enhancedLowDelay?.sbr != nil
        }
        return outputSampleRate != config.sampleRate || profileName != config.objectType.description
    }

    /// Whether no damage was found.
    public var isIntact: Bool { damageCount == 0 }

    /// The usual name of the container.
    public var containerName: String { format.name }
}

/// A damaged byte range of a file.
public struct ProbeDamage: Hashable, Sendable {
    /// The kind of damage.
    public enum Cause: Hashable, Sendable {
        /// Bytes that belong to no part of the container.
        case skipped(SkippedBytes.Reason)
        /// An access unit that can't be decoded.
        case undecodable(CodecError)
        /// An access unit of which only the core can be decoded: its SBR data is damaged or invalid.
        case lostHighBand
        /// An access unit with a wrong checksum that can be decoded.
        case wrongChecksum
    }

    /// The bytes, counted from the start of the file.
    public var byteRange: Range<Int>
    /// The playing time at which it lies.
    public var time: Duration
    /// The kind of damage.
    public var cause: Cause
}

extension ProbeDamage.Cause: CustomStringConvertible {
    /// The kind of damage, in a few words.
    public var description: String {
        switch self {
        case .skipped(let reason): reason.description
        case .undecodable(let error): "undecodable: \(error)"
        case .lostHighBand: "SBR that can't be decoded: no high band"
        case .wrongChecksum: "wrong checksum"
        }
    }
}

extension SkippedBytes.Reason: CustomStringConvertible {
    /// The kind of the bytes, in a few words.
    public var description: String {
        switch self {
        case .id3v2Tag: "ID3v2 tag"
        case .id3v1Tag: "ID3v1 tag"
        case .apeTag: "APE tag"
        case .unrecognized: "no frame"
        case .truncatedFrame: "frame cut off by the end of the file"
        case .afterEnd(let count): "\(count) access unit\(count == 1 ? "" : "s") after the end of the file"
        case .damagedBlockPositions: "frame with wrong block positions"
        case .damagedUnit: "access unit with a wrong checksum"
        case .missingConfiguration: "frame before its configuration"
        case .unsupportedConfiguration(let error): "frame with a configuration that can't be used: \(error)"
        }
    }
}
