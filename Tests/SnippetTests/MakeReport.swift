// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Measures a file.
///
/// Returns its loudness in LUFS.
func measureLoudness(_ path: String) async throws -> Double? {
    // snippet: measure-loudness
    let loudness = try await FileLoudness(of: .file(path)).run()
    print(loudness.integrated ?? -.infinity, "LUFS,", loudness.truePeak ?? -.infinity, "dBTP")
    // end
    return loudness.integrated
}

/// Creates a report on an encoded file and its reference, after measuring its loudness.
func makeReport(_ coded: String, reference: String) async throws -> String {
    // snippet: make-report
    let loudness = try await FileLoudness(of: .file(coded)).run()
    if let integrated = loudness.integrated { print(integrated, "LUFS") }

    var configuration = AudioReport.Configuration()
    configuration.reference = .file(reference)
    let report = try await AudioReport.make(of: [.file(coded)], configuration: configuration)
    let page = report.html
    // end
    return page
}

/// Encodes a file at podcast loudness and stores the loudness for players.
func encodeWithLoudness(_ input: String, _ output: String) async throws -> Double? {
    // snippet: encode-loudness
    var configuration = FileConverterConfiguration()
    configuration.loudnessTarget = LoudnessTarget(integrated: -16, truePeak: -1)
    configuration.storesLoudness = true
    let summary = try await FileEncoder(input: input, output: output, configuration: configuration).run()
    // end
    return summary.loudness?.integrated
}
