// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioMetadata
public import AudioPrimitives
public import MPEG4Audio

/// The contents of a file of encoded audio, from reading all of it.
public struct ProbeSummary: Hashable, Sendable {
    /// The file's name; `standard input` for a pipe.
    public var path: String
    /// The container format.
    public var format: AudioFileFormat
    /// The file size, in bytes.
    public var byteCount: Int
    /// The size of other tracks, such as video, in bytes.
    package var otherTracksByteCount = 0
    /// The audio tracks in file order.
    ///
    /// Empty for containers with one.
    public var audioTracks: [AudioTrack] = []
    /// The configuration of the first access unit.
    public var configuration: CodecConfiguration
    /// The common name of codec and profile, including SBR and parametric stereo that only the access units signal.
    public var profileName: String
    /// The decoded sample rate, in hertz.
    ///
    /// With SBR, twice the core's.
    public var outputSampleRate: Int
    /// The decoded channel count, two with parametric stereo, or `nil` if only decoding could determine it.
    public var outputChannelCount: Int?
    /// The number of configuration changes after the first access unit.
    public var configurationChangeCount: Int
    /// The error that prevents decoding the intact stream, or `nil` if it can be decoded.
    public var refusal: CodecError?
    /// Notes on parts that decoding ignores or reinterprets.
    package var notes: [ConversionNote]
    /// The header of the first access unit, for ADTS.
    package var adtsHeader: ADTSHeader?
    /// The number of access units.
    public var accessUnitCount: Int

    /// The access units of xHE-AAC where players can start, or `nil` for other codecs.
    package var accessPoints: AccessPoints?

    /// The former name of ``accessUnitCount``.
    @available(*, deprecated, renamed: "accessUnitCount")
    public var unitCount: Int { accessUnitCount }
    /// The total size of all access units, in bytes, without headers.
    public var payloadByteCount: Int
    /// The number of decoded sample frames at ``outputSampleRate``.
    public var frameCount: Int
    /// The decoded duration.
    public var duration: Duration
    /// The average bit rate of the access units, in bits per second.
    public var averageBitRate: Double
    /// The peak bit rate over any one-second window, in bits per second.
    public var peakBitRate: Double
    /// The decoded sample rate, in hertz, or `nil` if nothing was decoded.
    package var decodedSampleRate: Int?
    /// Priming and padding, if the container stores them.
    ///
    /// ADTS does not.
    public var gaplessInfo: GaplessInfo?
    /// The number of sample frames between valid ones that an edit list omits or that separate chained streams.
    package var omittedFrameCount = 0
    /// Whether an edit list plays parts out of order or repeatedly.
    package var isRearranged = false
    /// Superframes and programme-associated data of DAB+, or `nil` for other formats.
    public var superframes: SuperframeSummary?
    /// The loudness metadata of the container or configuration, if any.
    public var statedLoudness: LoudnessInfoSet?
    /// Title, artist and other tags.
    public var tags: AudioTags
    /// Byte ranges that are neither audio nor damage.
    package var skippedTags: [SkippedBytes]
    /// Damage in file order, at most 1000 entries.
    public var damage: [ProbeDamage]
    /// The total number of damaged byte ranges, including unlisted ones.
    public var damageCount: Int
    /// The number of damaged bytes.
    public var damagedByteCount: Int
    /// The number of access units without high band and parametric stereo because their SBR data cannot be decoded.
    ///
    /// Requires decoding.
    public var highBandLossCount = 0

    /// The maximum number of listed damaged byte ranges.
    package static let damageLimit = 1000

    /// The file size without other tracks divided by the duration, in bits per second.
    public var totalBitRate: Double { duration > .zero ? Double(byteCount - otherTracksByteCount) * 8 / duration.inSeconds : 0 }

    /// Whether the stream has SBR.
    public var hasSBR: Bool {
        guard let config = configuration.audioSpecificConfig else { return false }
        // Low delay profiles have names that differ from their object types.
        if config.objectType == .aacLD || config.objectType == .aacELD {
            return config.enhancedLowDelay?.sbr != nil
        }
        if let usac = config.usac { return usac.sbrRatio != .none }
        return outputSampleRate != config.sampleRate || profileName != config.objectType.description
    }

    /// The core's sample rate with SBR, otherwise the output's, in hertz.
    package var coreSampleRate: Int { configuration.audioSpecificConfig?.usac?.coreSampleRate ?? configuration.coreSampleRate }

    package func seconds(_ frames: Int) -> Double { Double(frames) / Double(max(1, outputSampleRate)) }

    /// Whether no damage was found.
    public var isIntact: Bool { damageCount == 0 }

    /// The name of the container format.
    public var containerName: String { format.name }
}

/// Access units where decoding can start with complete output.
package struct AccessPoints: Hashable, Sendable {
    package private(set) var count = 0
    /// The longest time from one to the next, in sample frames; 0 with fewer than two.
    package private(set) var largestDistance = 0
    private var latest = 0

    mutating func add(at frame: Int) {
        if count > 0 { largestDistance = max(largestDistance, frame - latest) }
        count += 1
        latest = frame
    }
}

/// A damaged byte range of a file.
public struct ProbeDamage: Hashable, Sendable {
    /// The kind of damage.
    public enum Cause: Hashable, Sendable {
        /// Bytes that are not part of the container.
        case skipped(SkippedBytes.Reason)
        /// An access unit that cannot be decoded.
        case undecodable(CodecError)
        /// An access unit with damaged or invalid SBR data. Only its core is decodable.
        case lostHighBand
        /// A decodable access unit with an invalid checksum.
        case wrongChecksum
    }

    /// The byte range, relative to the start of the file.
    public var byteRange: Range<Int>
    /// The playing time of the damage.
    public var time: Duration
    /// The kind of damage.
    public var cause: Cause
}

extension ProbeDamage.Cause: CustomStringConvertible {
    /// A short description.
    public var description: String {
        switch self {
        case .skipped(let reason): reason.description
        case .undecodable(let error): "undecodable: \(error)"
        case .lostHighBand: "undecodable SBR: no high band"
        case .wrongChecksum: "wrong checksum"
        }
    }
}

extension SkippedBytes.Reason: CustomStringConvertible {
    /// A short description.
    public var description: String {
        switch self {
        case .id3v2Tag: "ID3v2 tag"
        case .id3v1Tag: "ID3v1 tag"
        case .apeTag: "APE tag"
        case .unrecognized: "no frame"
        case .truncatedFrame: "frame truncated by the end of the audio"
        case .afterEnd(let count): "\(count) access unit\(count == 1 ? "" : "s") after the end of the audio"
        case .missing(let count): "\(count) missing access unit\(count == 1 ? "" : "s")"
        case .damagedBlockPositions: "frame with invalid block positions"
        case .damagedUnit: "access unit with a wrong checksum"
        case .missingConfiguration: "frame before its configuration"
        case .unsupportedConfiguration(let error): "frame with an unsupported configuration: \(error)"
        }
    }
}
