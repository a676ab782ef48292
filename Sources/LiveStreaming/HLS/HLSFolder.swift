// SPDX-License-Identifier: Apache-2.0

/// An HTTP Live Streaming folder, which any web server can serve, and its segment format.
///
/// The media playlist is `audio.m3u8`, the master playlist `master.m3u8`; both appear with the first segment. A stream in an earlier
/// stream's folder continues its numbering and removes its files. No other files are removed. Until a stream ends, the folder is locked
/// against others (`flock`).
public struct HLSFolder: Hashable, Sendable {
    /// The segment format.
    public enum SegmentFormat: Hashable, Sendable {
        /// Fragmented MP4 with an initialization segment.
        case fragmentedMP4
        /// ADTS with the timestamp in an ID3 tag.
        case packedAudio
    }

    /// The segments that a playlist lists.
    public enum PlaylistKind: Hashable, Sendable {
        /// The latest segments of a live stream; older files are deleted.
        case live
        /// All segments since the start of a live stream.
        case event
        /// All segments of a finished stream. The playlist is written at the end.
        case onDemand
    }

    /// The folder's path.
    ///
    /// The folder is created if it does not exist.
    public var path: String
    /// The segment format.
    public var segmentFormat = SegmentFormat.fragmentedMP4
    /// The segments that the playlist lists.
    public var playlistKind = PlaylistKind.live
    /// The nominal segment duration.
    ///
    /// It also limits the distance of the access points of xHE-AAC, where segments start.
    public var segmentDuration = Duration.seconds(6)
    /// The nominal duration of partial segments; `nil` disables them.
    ///
    /// Access units are written with each part, and clients of draft-pantos-hls-rfc8216bis can load them at once. The lowest latency needs
    /// a server with blocking playlist reload, which a plain folder does not provide.
    public var partDuration: Duration?
    /// The minimum number of segments in a live playlist.
    ///
    /// More are listed if these are shorter than three target durations (RFC 8216, 6.2.2).
    public var windowLength = 6

    /// Creates a folder with default settings.
    public init(path: String) { self.path = path }
}
