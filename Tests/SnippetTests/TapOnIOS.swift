// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import AVFAudio
import CoreMedia
import Linnet

/// Encodes the input of an audio engine.
func encodeTap(
    _ engine: AVAudioEngine, _ send: @escaping @Sendable (AccessUnit) -> Void, _ report: @escaping @Sendable (any Error) -> Void
) throws {
    // snippet: ios-tap
    let format = engine.inputNode.outputFormat(forBus: 0)
    let encoder = try AACEncoder(AACEncoderConfiguration(sampleRate: Int(format.sampleRate), channelCount: Int(format.channelCount)))
    engine.inputNode.installTap(onBus: 0, bufferSize: 1024, format: format) { buffer, _ in
        // From here on, only the thread of the tap uses the encoder.
        do { for unit in try encoder.encode(buffer) { send(unit) } } catch { report(error) }
    }
    try engine.start()
    // end
}

/// Encodes a sample buffer, as from AVCaptureAudioDataOutput, and sends its access units with a Core Media format.
func encodeSampleBuffer(_ sampleBuffer: CMSampleBuffer, _ encoder: AACEncoder, _ send: (CMSampleBuffer) -> Void) throws {
    // snippet: sample-buffer
    guard let samples = PCMBuffer(sampleBuffer) else { return }
    for unit in try encoder.encode(samples) {
        if let coded = CodecConfiguration.aac(encoder.audioSpecificConfig).cmSampleBuffer([unit]) { send(coded) }
    }
    // end
}
#endif
