// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Converts a file to 16-bit FLAC at 44.1 kHz.
func convertFile(_ input: String, _ output: String) async throws -> Int {
    // snippet: convert-file
    var configuration = FileConverterConfiguration()
    configuration.sampleRate = 44_100
    configuration.encoding = .int16
    let summary = try await FileConverter(input: input, output: output, configuration: configuration).run()
    for note in summary.notes { print(note) }
    print(summary.frameCount, "frames,", summary.clippedSampleCount, "samples clipped")
    // end
    return summary.frameCount
}
