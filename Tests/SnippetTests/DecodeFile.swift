// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Decodes a file; returns the number of its sample frames.
func decodeFile(_ path: String) throws -> Int {
    var frameCount = 0
    // snippet: decode-file
    let decoder = try FileDecoder(path: path)
    while let buffer = try decoder.next() {
        frameCount += buffer.frameCount
    }
    // end
    return frameCount
}
