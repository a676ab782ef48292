// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Decodes a part of a file.
///
/// Returns its number of sample frames.
func decodeRange(_ path: String) throws -> Int {
    var frameCount = 0
    // snippet: trim-decoded
    var configuration = FileDecoderConfiguration()
    configuration.range = .seconds(0.25) ..< .seconds(0.75)
    let file = try AudioFile(path: path, decoding: configuration)
    // end
    var buffer = PCMBuffer(sampleRate: 48_000, channelCount: file.channelCount, frameCapacity: 2048)
    while try file.read(into: &buffer) { frameCount += buffer.frameCount }
    return frameCount
}

/// Copies a part of a file without decoding it.
func copyRange(_ input: String, _ output: String) async throws {
    // snippet: trim-copied
    var configuration = FileRemuxerConfiguration()
    configuration.range = .seconds(0.25) ..< .seconds(0.75)
    try await FileRemuxer(input: input, output: output, configuration: configuration).run()
    // end
}
