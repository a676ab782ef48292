// SPDX-License-Identifier: Apache-2.0

/// A folder of HTTP Live Streaming, which any web server serves, and the form of its segments.
///
/// The media playlist is `audio.m3u8`, the master playlist `master.m3u8`; both appear with the first segment. A stream in the folder of an
/// earlier one continues its numbers, and removes its files. No other files are removed.
public struct HLSFolder: Hashable, Sendable {
    /// The format of segments.
    public enum SegmentFormat: Hashable, Sendable {
        /// Fragmented MP4 with an initialisation segment.
        case fragmentedMP4
        /// ADTS with the time stamp in an ID3 tag.
        case packedAudio
    }

    /// The segments that a playlist lists.
    public enum PlaylistKind: Hashable, Sendable {
        /// The last segments of a live stream; older files are deleted.
        case live
        /// All segments since the start of a live stream.
        case event
        /// All segments of a finished stream; the playlist appears at the end.
        case onDemand
    }

    /// The path of the folder, which is created if it doesn't exist.
    public var path: String
    /// The format of segments.
    public var segmentFormat = SegmentFormat.fragmentedMP4
    /// The segments that the playlist lists.
    public var playlistKind = PlaylistKind.live
    /// The nominal duration of a segment.
    public var segmentDuration = Duration.seconds(6)
    /// The nominal duration of a part of a segment; nil for no parts.
    ///
    /// Units reach the folder with each part, and clients of draft-pantos-hls-rfc8216bis can load them from it. Their full speed needs a server
    /// that holds requests back until a playlist has grown, which a folder alone doesn't give.
    public var partDuration: Duration?
    /// The number of segments in the playlist of a live stream: more as long as they are shorter than three target durations (RFC 8216, 6.2.2).
    public var windowLength = 6

    /// Creates a folder with default settings.
    public init(path: String) { self.path = path }
}
