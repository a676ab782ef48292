// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import AACCodec
public import AVFAudio
internal import AudioDevices
public import AudioPrimitives

extension AACEncoder {
    /// Encodes a buffer of AVFAudio, such as a tap of AVAudioEngine delivers.
    ///
    /// Type-checked only: see Documentation/Internals/Apple.md.
    ///
    /// - Parameters:
    ///   - buffer: A buffer of 32-bit floating-point, 16-bit or 32-bit integer samples in the encoder's sample rate and channel count.
    ///   - body: Receives the access units that are complete.
    /// - Throws: ``/AACCodec/CodecError``, or the error of `body`.
    public func encode(_ buffer: AVAudioPCMBuffer, _ body: (AccessUnit) throws -> Void) throws {
        guard let samples = PCMBuffer(buffer) else {
            preconditionFailure("AVFAudio delivers 32-bit floating-point, 16-bit or 32-bit integer samples")
        }
        try encode(samples, body)
    }
}
#endif
