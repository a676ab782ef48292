// SPDX-License-Identifier: Apache-2.0

/// A parser that accepts arbitrary bytes, with checks of its result.
package struct FuzzTarget: Sendable {
    /// The name, which is also the name of the seed folder.
    package let name: String

    /// Passes bytes to the parser, and traps if a check fails.
    package let test: @Sendable (_ bytes: [UInt8]) -> Void

    init(_ name: String, _ test: @escaping @Sendable (_ bytes: [UInt8]) -> Void) {
        self.name = name
        self.test = test
    }

    package static let all: [FuzzTarget] = [
        adts, alac, amf0, ape, asc, caf, chapters, containerTree, csv, dab, decode, hlsPlaylist, id3, ilbc, journal, json, latm, lowDelay,
        matroska, mp4, mpegAudio, ogg, pcmChunks, rtmpChunks, rtmpSession, rtp, sbr, sdp, segments, tags, ts, usac, vorbisComments, wav,
    ]
}
