// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Plays two files without a gap.
func playFiles() async throws {
    // snippet: play-files
    let player = AudioPlayer([try AudioFile(path: "one.m4a"), try AudioFile(path: "two.m4a")])
    try await player.play()
    // end
}

/// Controls a player during playback.
func controlPlayer(_ player: AudioPlayer) async throws {
    // snippet: control-player
    let playing = Task { try await player.play() }
    player.enqueue(try AudioFile(path: "three.flac"))
    player.seek(to: .seconds(60))
    player.pause()
    print(player.currentIndex, player.position, player.duration ?? .zero)
    player.isPaused = false
    try await playing.value
    // end
}
