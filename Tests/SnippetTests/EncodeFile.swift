// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Linnet

/// Encodes a PCM file; the container follows from the output's name.
func encodeFile(_ input: String, _ output: String) throws {
    // snippet: encode-file
    try FileEncoder(input: input, output: output).run()
    // end
}

/// Encodes a PCM file with settings of its own.
func encodeFileWithSettings(_ input: String, _ output: String) throws {
    // snippet: encode-file-settings
    var configuration = FileEncoderConfiguration()
    configuration.rateControl = .average(bitRate: 64_000)
    configuration.profile = .highEfficiency
    configuration.overwrites = true
    let summary = try FileEncoder(input: input, output: output, configuration: configuration).run()
    print(summary.byteCount, "bytes in", summary.outputPath)
    // end
}
