// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Linnet

/// Decodes a file; returns the number of its sample frames.
func decodeFile(_ path: String) throws -> Int {
    var frameCount = 0
    // snippet: decode-file
    let decoder = try FileDecoder(path: path)
    var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 2048)
    while try decoder.read(into: &buffer) {
        frameCount += buffer.frameCount
    }
    // end
    return frameCount
}
