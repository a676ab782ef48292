// SPDX-License-Identifier: Apache-2.0

/// A parser that is fed any bytes, and what is checked of the result.
package struct FuzzTarget: Sendable {
    /// The name, which is that of the folder of its seeds.
    package let name: String

    /// Feeds the parser some bytes; traps if a check fails.
    package let test: @Sendable (_ bytes: [UInt8]) -> Void

    /// Names a target.
    init(_ name: String, _ test: @escaping @Sendable (_ bytes: [UInt8]) -> Void) {
        self.name = name
        self.test = test
    }

    /// All targets.
    package static let all: [FuzzTarget] = [
        adts, alac, amf0, ape, asc, caf, chapters, containerTree, csv, dab, decode, hlsPlaylist, id3, ilbc, journal, json, latm, lowDelay,
        mp4, mpegAudio, ogg, pcmChunks, rtmpChunks, rtmpSession, rtp, sbr, sdp, segments, tags, ts, usac, vorbisComments, wav,
    ]
}
