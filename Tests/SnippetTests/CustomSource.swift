// SPDX-License-Identifier: Apache-2.0

import Linnet

/// One second of a 440 Hz square wave.
// snippet: custom-source
struct SquareWave: PCMSource {
    let sampleRate = 48_000
    let channelCount = 1
    private var frames = 0..<48_000
    mutating func next() -> PCMBuffer? {
        let samples: [Float] = frames.prefix(480).map { $0 * 880 / 48_000 % 2 == 0 ? 0.25 : -0.25 }
        frames = frames.dropFirst(480)
        return samples.isEmpty ? nil : PCMBuffer(channels: [samples], sampleRate: 48_000)
    }
}
// end

/// Records the source to a file.
///
/// Returns at the end of the source.
func recordSquareWave(_ output: String) async throws {
    // snippet: record-custom-source
    let recorder = Recorder(source: .program(SquareWave()), sinks: [.file(output)])
    try await recorder.start()
    await recorder.waitUntilFinished()
    // end
}
