// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import LiveAudio
internal import MPEG4Audio

/// A variant stream of a master playlist (RFC 8216, 4.3.4.2).
package struct HLSVariant: Hashable, Sendable {
    /// The media playlist's name, relative to the master playlist.
    package var name: String
    /// The peak segment bit rate, in bits per second.
    package var bandwidth: Int
    /// The mean segment bit rate, in bits per second.
    package var averageBandwidth: Int
    /// The codec (RFC 6381, 3.3): `mp4a.40.2` for AAC-LC, `.5` for HE-AAC, `.29` for HE-AAC v2, `Opus`, `alac`.
    package var codec: String
}

/// A master playlist (RFC 8216, 4.3.4).
enum HLSMasterPlaylist {
    /// Returns the playlist text.
    ///
    /// Players start with the first variant.
    static func text(_ variants: [HLSVariant]) -> String {
        var lines = ["#EXTM3U", HLSMediaPlaylist.signature, "#EXT-X-INDEPENDENT-SEGMENTS"]
        for variant in variants {
            let bandwidth = "BANDWIDTH=\(variant.bandwidth),AVERAGE-BANDWIDTH=\(variant.averageBandwidth)"
            lines += ["#EXT-X-STREAM-INF:\(bandwidth),CODECS=\"\(variant.codec)\"", variant.name]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Measures a variant's bit rates, including container overhead.
struct HLSBandwidth {
    /// The assumed ratio of total to nominal bit rate before the first segment: boxes or headers add to the payload.
    ///
    /// At 32 kbit/s, ADTS headers add 8 %.
    private static let nominalOverhead = 1.1

    private let nominalBitRate: Double?
    private var peak = 0.0
    private var byteCount = 0
    private var seconds = 0.0

    init(bitRate: Int?) { nominalBitRate = bitRate.map { Double($0) * Self.nominalOverhead } }

    /// Adds a segment.
    ///
    /// The peak ignores segments shorter than half the nominal duration.
    mutating func add(byteCount: Int, duration: Double, nominalDuration: Double) {
        self.byteCount += byteCount
        seconds += duration
        if duration >= nominalDuration / 2 { peak = max(peak, Double(byteCount) * 8 / duration) }
    }

    /// The peak segment bit rate in bits per second; at least the nominal bit rate.
    var largest: Int { Int(max(nominalBitRate ?? 0, peak, Double(average)).rounded(.up)) }

    /// The mean bit rate in bits per second; before the first segment, the nominal bit rate.
    var average: Int { Int((seconds > 0 ? Double(byteCount) * 8 / seconds : nominalBitRate ?? 0).rounded(.up)) }
}

extension RecordingFormat {
    /// The codec name for players (RFC 6381, 3.3).
    var codecName: String {
        switch configuration {
        case .aac(let config):
            if config.extensionConfig.hasParametricStereo == true { return "mp4a.40.29" }
            return "mp4a.40.\(config.extensionConfig.hasSBR == true ? 5 : config.objectType.rawValue)"
        // The names of the MP4 sample entries.
        case .opus: return "Opus"
        case .alac: return "alac"
        // Segments do not store it.
        case .ilbc: return "ilbc"
        }
    }
}
