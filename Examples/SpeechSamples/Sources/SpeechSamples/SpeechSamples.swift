// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives

/// Prints the samples of any file as mono at 16 kHz, for speech models: `SpeechSamples INPUT`.
@main enum SpeechSamples {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else { fatalError("usage: SpeechSamples INPUT") }
        let speech = try PCMBuffer(contentsOf: CommandLine.arguments[1], sampleRate: 16_000, channelCount: 1)
        let samples: [Float] = speech.channels[0]
        for sample in samples { print(sample) }
    }
}
