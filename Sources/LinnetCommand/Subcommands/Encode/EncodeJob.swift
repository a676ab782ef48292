// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioFiles

/// One input on its way to its output.
struct EncodeJob {
    let input: String
    let output: String
    let options: FileEncoderConfiguration

    /// The input's name for people.
    var inputName: String { input == "-" ? "standard input" : input }

    /// Encodes and says how it went.
    func run(log: ((String) -> Void)?, _ progress: (EncodingProgress) -> Void) -> Result<EncodingSummary, FileEncodingError> {
        var encoder = FileEncoder(input: input, output: output, configuration: options)
        encoder.log = log
        do throws(FileEncodingError) {
            let summary = try encoder.run { state in
                progress(state)
                return true
            }
            return .success(summary)
        } catch {
            return .failure(error)
        }
    }
}
