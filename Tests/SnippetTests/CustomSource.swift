// SPDX-License-Identifier: Apache-2.0

import Linnet

// snippet: custom-source
/// A second of a square wave of 440 Hz.
struct SquareWave: PCMSource {
    let sampleRate = 48_000
    let channelCount = 1
    private var position = 0

    mutating func next() -> PCMBuffer? {
        guard position < 48_000 else { return nil }
        let samples: [Float] = (position..<position + 480).map { $0 * 880 / 48_000 % 2 == 0 ? 0.25 : -0.25 }
        position += 480
        return PCMBuffer(channels: [samples], sampleRate: 48_000)
    }
}
// end

/// Records the source to a file; returns when it has ended.
func recordSquareWave(_ output: String) async throws {
    // snippet: record-custom-source
    let recorder = Recorder(source: .program(SquareWave()), sinks: [.file(output)])
    try await recorder.start()
    await recorder.waitUntilFinished()
    // end
}
