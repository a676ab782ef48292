// SPDX-License-Identifier: Apache-2.0

import LiveStreaming

extension FuzzTarget {
    /// Reads playlists and changes them as a stream does.
    ///
    /// An accepted playlist contains only file names of this module. A round trip preserves the text, also after segments are appended.
    /// Segment and discontinuity numbers never decrease, and a live playlist keeps at least three target durations.
    static let hlsPlaylist = FuzzTarget("hls-playlist") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        guard var playlist = HLSMediaPlaylist(reading: "#EXTM3U\n# Written by Linnet\n" + text) else { return }
        precondition(playlist.fileNames.allSatisfy { HLSFileNames.number(of: $0) != nil })
        checkText(playlist)
        let window = 3 + bytes.count % 5
        for step in 0..<bytes.count % 12 {
            let (sequence, discontinuities) = (playlist.mediaSequence, playlist.discontinuitySequence)
            var segment = HLSMediaPlaylist.Segment(
                name: "audio-\(playlist.nextNumber).m4s", duration: Double(playlist.targetDuration), date: Double(step))
            segment.isDiscontinuous = bytes[step % bytes.count] & 1 == 1
            let listed = playlist.fileNames.union([segment.name])
            let removed = playlist.append(segment, keeping: window)
            precondition(Set(removed).isSubset(of: listed) && playlist.fileNames.isDisjoint(with: removed))
            precondition(playlist.mediaSequence >= sequence && playlist.discontinuitySequence >= discontinuities)
            if playlist.mediaSequence > sequence { precondition(playlist.duration >= 3 * Double(playlist.targetDuration)) }
            checkText(playlist)
        }
    }
}

/// Checks that a playlist survives a round trip.
private func checkText(_ playlist: HLSMediaPlaylist) {
    let text = playlist.text
    guard let again = HLSMediaPlaylist(reading: text) else { preconditionFailure("round trip failed: \(text)") }
    precondition(again.text == text)
}
