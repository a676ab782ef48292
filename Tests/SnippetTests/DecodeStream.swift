// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Decodes an ADTS stream that arrives in pieces.
func decodeChunks(_ chunks: [[UInt8]], _ play: (PCMBuffer) -> Void) throws {
    // snippet: parse-stream
    var parser = ADTSParser()
    var decoder: AACDecoder?
    for chunk in chunks {
        parser.append(chunk)
        while let event = parser.nextEvent() {
            if case .configuration(.aac(let configuration)) = event { decoder = try AACDecoder(configuration) }
            if case .accessUnit(let unit) = event, let audio = try decoder?.decode(unit.accessUnit) { play(audio) }
        }
    }
    // end
}

/// Decodes an ADTS stream in memory.
///
/// Returns its number of sample frames, including priming.
func decodeStream(_ bytes: [UInt8]) throws -> Int {
    var frameCount = 0
    // snippet: decode-stream
    var reader = try AudioFileFormat.adts.makeReader(of: MemorySource(bytes))
    guard case .aac(let config) = reader.configuration else { return 0 }
    let decoder = try AACDecoder(config)
    var buffer = PCMBuffer(sampleRate: decoder.sampleRate, channelCount: decoder.channelCount, frameCapacity: decoder.framesPerPacket)
    while let unit = try reader.nextUnit() {
        let result = decoder.decode(unit.accessUnit.payload.span, into: &buffer)
        if let damage = result.damage { print("concealed:", damage) }
        frameCount += buffer.frameCount
    }
    // end
    return frameCount
}
