// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioPrimitives
internal import MPEG4Audio

// Codec mappings (draft-ietf-cellar-codec).
extension MatroskaTrack {
    /// The codes of codecs, by the start of their identifiers.
    private static let codecs: [(id: String, code: FourCharCode)] = [
        ("A_AAC", "aac "), ("A_OPUS", "opus"), ("A_ALAC", "alac"), ("A_FLAC", "fLaC"), ("A_VORBIS", "vorb"), ("A_MPEG/L3", ".mp3"),
        ("A_MPEG/L2", ".mp2"), ("A_MPEG/L1", ".mp1"), ("A_PCM/", "lpcm"), ("A_AC3", "ac-3"), ("A_EAC3", "ec-3"), ("A_AC4", "ac-4"),
        ("A_DTS", "dtsc"), ("A_TRUEHD", "mlpa"), ("A_MLP", "mlpa"), ("A_WAVPACK4", "wvpk"), ("A_TTA1", "TTA1"), ("A_REAL/", "real"),
        ("A_ATRAC/", "atra"), ("A_QUICKTIME", "qt  "),
    ]
    /// The identifier of codecs with a WAV format, and the first half of the QuickTime codes of its format tags.
    private static let (waveFormat, formatTagPrefix) = ("A_MS/ACM", 0x6D73_0000 as UInt32)

    /// The code of the codec, or `enca` if the track is encrypted; other codecs have the first letters of their names.
    var codecCode: FourCharCode {
        if let unsupported = encodings.unsupported { return unsupported }
        if codecID == Self.waveFormat, let codecPrivate, codecPrivate.count >= 2 {
            return FourCharCode(rawValue: Self.formatTagPrefix | UInt32(codecPrivate[1]) << 8 | UInt32(codecPrivate[0]))
        }
        if let known = Self.codecs.first(where: { codecID.utf8.starts(with: $0.id.utf8) }) { return known.code }
        let letters = codecID.utf8.drop { $0 == UInt8(ascii: "A") || $0 == UInt8(ascii: "_") }.prefix(4)
        return FourCharCode(String(decoding: letters, as: UTF8.self) + String(repeating: " ", count: 4 - letters.count)) ?? "    "
    }

    var codecName: String { codecCode.codecName }

    /// Whether the track is access units of a codec with a configuration: AAC, Opus or Apple Lossless.
    var isCoded: Bool { ["aac ", "opus", "alac"].contains(codecCode) }

    /// Returns the codec configuration.
    ///
    /// - Throws: ``ContainerError``.
    func configuration() throws(ContainerError) -> CodecConfiguration {
        switch codecCode {
        case "aac ":
            do throws(CodecError) {
                if let codecPrivate, !codecPrivate.isEmpty { return .aac(try AudioSpecificConfig(parsing: codecPrivate)) }
            } catch {
                throw .codec(error)
            }
            return .aac(impliedConfig)
        case "opus":
            do throws(CodecError) {
                if let codecPrivate, !codecPrivate.isEmpty { return .opus(try OpusConfiguration(opusHead: codecPrivate)) }
                let mapping = try OpusChannelMapping(channelCount: channelCount, family: 0)
                let preSkip = frames(codecDelay, atRate: OpusConfiguration.sampleRate)
                return .opus(OpusConfiguration(mapping: mapping, preSkip: UInt16(clamping: preSkip)))
            } catch {
                throw .codec(error)
            }
        case "alac":
            guard let codecPrivate else { throw .missingPart("alac") }
            return try CodecConfiguration(alacCookie: codecPrivate)
        case let code: throw .unsupportedCodec(code)
        }
    }

    /// The AAC configuration of a track without one, from old identifiers such as `A_AAC/MPEG4/LC/SBR`.
    private var impliedConfig: AudioSpecificConfig {
        let names = codecID.split(separator: "/").dropFirst(2)
        let objectType: AudioObjectType =
            switch names.first {
            case "MAIN": .aacMain
            case "SSR": .aacSSR
            case "LTP": .aacLTP
            default: .aacLC
            }
        let hasSBR = names.contains("SBR")
        return AudioSpecificConfig(
            objectType: objectType, sampleRate: sampleRate, channelConfiguration: ChannelConfiguration(channelCount: channelCount),
            extensionConfig: hasSBR
                ? .backwardCompatible(sampleRate: outputSampleRate ?? 2 * sampleRate, hasParametricStereo: nil) : .implicit)
    }

    /// Returns a time in nanoseconds as sample frames, rounded to nearest.
    func frames(_ nanoseconds: Int, atRate rate: Int) -> Int {
        TimeRatio(rate, MatroskaIndex.ticksPerSecond).applied(to: max(0, nanoseconds))
    }
}
#endif
