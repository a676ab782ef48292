// SPDX-License-Identifier: Apache-2.0

internal import LiveAudio
internal import MPEG4Audio

/// A variant stream of a master playlist (RFC 8216, 4.3.4.2).
package struct HLSVariant: Hashable, Sendable {
    /// The name of the media playlist, relative to the master playlist.
    package var name: String
    /// The largest bit rate of a segment in bits per second.
    package var bandwidth: Int
    /// The mean bit rate of the segments in bits per second.
    package var averageBandwidth: Int
    /// The codec (RFC 6381, 3.3): `mp4a.40.2` for AAC-LC, `.5` for HE-AAC, `.29` for HE-AAC v2, `Opus`.
    package var codec: String
}

/// A master playlist (RFC 8216, 4.3.4).
enum HLSMasterPlaylist {
    /// Returns the text of the playlist of some variant streams; players begin with the first.
    static func text(_ variants: [HLSVariant]) -> String {
        var lines = ["#EXTM3U", HLSMediaPlaylist.signature, "#EXT-X-INDEPENDENT-SEGMENTS"]
        for variant in variants {
            let bandwidth = "BANDWIDTH=\(variant.bandwidth),AVERAGE-BANDWIDTH=\(variant.averageBandwidth)"
            lines += ["#EXT-X-STREAM-INF:\(bandwidth),CODECS=\"\(variant.codec)\"", variant.name]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Measures the bit rates of a variant stream, container included.
struct HLSBandwidth {
    /// The part of the bit rate that boxes or headers take beside the nominal one, for the time before the first segment: at 32 kbit/s, ADTS
    /// headers take 8 %.
    private static let nominalOverhead = 1.1

    private let nominalBitRate: Double?
    private var peak = 0.0
    private var byteCount = 0
    private var seconds = 0.0

    /// Creates a meter; `bitRate` is the nominal one, if there is one.
    init(bitRate: Int?) { nominalBitRate = bitRate.map { Double($0) * Self.nominalOverhead } }

    /// Adds a segment; one of less than half the nominal duration doesn't count for the largest bit rate.
    mutating func add(byteCount: Int, duration: Double, nominalDuration: Double) {
        self.byteCount += byteCount
        seconds += duration
        if duration >= nominalDuration / 2 { peak = max(peak, Double(byteCount) * 8 / duration) }
    }

    /// The largest bit rate of a segment in bits per second: the nominal one if no segment has more.
    var largest: Int { Int(max(nominalBitRate ?? 0, peak, Double(average)).rounded(.up)) }

    /// The mean bit rate in bits per second: the nominal one before the first segment.
    var average: Int { Int((seconds > 0 ? Double(byteCount) * 8 / seconds : nominalBitRate ?? 0).rounded(.up)) }
}

extension RecordingFormat {
    /// The name of the codec for players (RFC 6381, 3.3).
    var codecName: String {
        // The name of the sample entry in MP4.
        guard let configuration = audioSpecificConfig else { return "Opus" }
        if configuration.extensionConfig.hasParametricStereo == true { return "mp4a.40.29" }
        return "mp4a.40.\(configuration.extensionConfig.hasSBR == true ? 5 : configuration.objectType.rawValue)"
    }
}
