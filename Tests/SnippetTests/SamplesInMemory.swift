// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Reads a file, encodes its samples, and decodes the result.
func encodeSamples(_ path: String) throws -> PCMBuffer {
    // snippet: samples-in-memory
    let audio = try PCMBuffer(contentsOf: path)  // any file: WAV, FLAC, M4A, ADTS, Ogg, …
    let bytes = try audio.encoded(as: .m4a, bitRate: 128_000)
    let again = try PCMBuffer(decoding: bytes)  // as many sample frames as before
    // end
    precondition(again.frameCount == audio.frameCount)
    return again
}

/// Reads thirty seconds of a file as input for a speech model.
func readSpeech(_ path: String) throws -> [Float] {
    // snippet: read-part
    let speech = try PCMBuffer(
        contentsOf: path, sampleRate: 16_000, channelCount: 1, range: .seconds(0) ..< .seconds(30))
    return speech.channels[0]
    // end
}

/// Creates a buffer of samples and finds its peak.
func makeBuffer() -> Float {
    // snippet: make-buffer
    var audio = PCMBuffer(channels: [[0, 0.25, -0.5], [0, 0, 0.125]], sampleRate: 48_000)
    var left = audio.mutableChannel(0)
    for frame in left.indices { left[frame] *= 0.5 }
    var peak: Float = 0
    for channel in 0..<audio.channelCount {
        let samples = audio[channel: channel]  // a Span: no copy
        for frame in samples.indices { peak = max(peak, abs(samples[frame])) }
    }
    // end
    return peak
}

/// Encodes a buffer to access units, and decodes them one at a time.
func encodeAndDecodeUnits(_ buffer: PCMBuffer) throws(CodecError) -> Int {
    // snippet: encode-units
    let encoder = try AACEncoder(AACEncoderConfiguration(sampleRate: buffer.sampleRate, channelCount: buffer.channelCount))
    var units = try encoder.encode(buffer)
    let tail = encoder.finish()
    units += tail.accessUnits
    let decoder = try AACDecoder(encoder.audioSpecificConfig)
    var frameCount = 0
    for unit in units { frameCount += try decoder.decode(unit).frameCount }
    // end
    return frameCount - tail.gapless.primingFrames - tail.gapless.remainderFrames
}
