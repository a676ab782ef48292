// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Decodes a part of a file; returns the number of its sample frames.
func decodeRange(_ path: String) throws -> Int {
    var frameCount = 0
    // snippet: trim-decoded
    var configuration = FileDecoderConfiguration()
    configuration.range = .seconds(0.25) ..< .seconds(0.75)
    let decoder = try FileDecoder(path: path, configuration: configuration)
    // end
    var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 2048)
    while try decoder.read(into: &buffer) { frameCount += buffer.frameCount }
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
