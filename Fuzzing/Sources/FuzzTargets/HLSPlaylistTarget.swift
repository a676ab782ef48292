// SPDX-License-Identifier: Apache-2.0

import LiveStreaming

extension FuzzTarget {
    /// Reads playlists and changes them as a stream does.
    ///
    /// A playlist that is read has only names of this module's files. Written and read again it is the same text, also after segments were
    /// appended; the numbers of segments and discontinuities never go back, and at least three target durations stay in a live playlist.
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

/// Checks that a playlist is read as it was written.
private func checkText(_ playlist: HLSMediaPlaylist) {
    let text = playlist.text
    guard let again = HLSMediaPlaylist(reading: text) else { preconditionFailure("not read again: \(text)") }
    precondition(again.text == text)
}
