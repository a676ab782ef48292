// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Decodes a file.
///
/// Returns its number of sample frames.
func decodeFile(_ path: String) throws -> Int {
    var frameCount = 0
    // snippet: decode-file
    let file = try AudioFile(path: path)
    var buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: 4096)
    while try file.read(into: &buffer) {
        frameCount += buffer.frameCount
    }
    // end
    return frameCount
}
