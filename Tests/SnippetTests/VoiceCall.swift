// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Sends speech to another machine, and plays the audio that it sends.
func call(_ description: String) async throws {
    // snippet: voice-call
    var configuration = RecorderConfiguration(rateControl: .constant(bitRate: 64_000))
    configuration.settings.profile = .enhancedLowDelay
    let sender = StreamingSink(try StreamingAddress("rtp://192.0.2.7:5004"))
    let recorder = Recorder(configuration, sinks: [.accessUnits(to: sender)])
    let player = AudioPlayer([try RTPSource(description, isPaced: true)])
    try await recorder.start()
    try await player.play()
    await recorder.stop()
    // end
}
