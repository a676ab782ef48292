// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Encodes a PCM file.
///
/// The output's name determines the container.
func encodeFile(_ input: String, _ output: String) async throws {
    // snippet: encode-file
    try await FileEncoder(input: input, output: output).run()
    // end
}

/// Encodes a PCM file with explicit settings.
func encodeFileWithSettings(_ input: String, _ output: String) async throws {
    // snippet: encode-file-settings
    var configuration = FileConverterConfiguration()
    configuration.settings.rateControl = .average(bitRate: 64_000)
    configuration.settings.profile = .highEfficiency
    configuration.overwrites = true
    let summary = try await FileEncoder(input: input, output: output, configuration: configuration).run()
    print(summary.byteCount, "bytes in", summary.outputPath)
    // end
}

/// Encodes a PCM file in a cancellable task and shows the progress.
func encodeFileWithProgress(_ input: String, _ output: String) -> Task<ConversionSummary, any Error> {
    // snippet: encode-file-progress
    let task = Task {
        try await FileEncoder(input: input, output: output).run { progress in
            if let fraction = progress.fraction { print("\(Int(100 * fraction)) %") }
        }
    }
    // task.cancel() stops the encoder; nothing is left of the output.
    // end
    return task
}
