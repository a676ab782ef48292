// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Linnet

/// Decodes an ADTS stream in memory; returns the number of its sample frames, priming included.
func decodeStream(_ bytes: [UInt8]) throws -> Int {
    var frameCount = 0
    // snippet: decode-stream
    var reader = ADTSReader()
    reader.append(bytes)
    reader.finish()
    var decoder: AACDecoder?
    var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 2048)
    while let event = reader.next() {
        switch event {
        case .configuration(let configuration): decoder = try AACDecoder(configuration)
        case .accessUnit(let unit):
            _ = decoder?.decode(unit.accessUnit.payload.span, into: &buffer)
            frameCount += buffer.frameCount
        case .skipped(let bytes): print("damage:", bytes)
        }
    }
    // end
    return frameCount
}
