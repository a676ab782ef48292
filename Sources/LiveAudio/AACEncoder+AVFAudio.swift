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
    /// - Parameter buffer: A buffer of 32-bit floating-point, 16-bit or 32-bit integer samples in the encoder's sample rate and channel count.
    /// - Returns: The access units that are complete; there may be none.
    /// - Throws: `CodecError`.
    public func encode(_ buffer: AVAudioPCMBuffer) throws(CodecError) -> [AccessUnit] {
        guard let samples = PCMBuffer(buffer) else {
            preconditionFailure("AVFAudio delivers 32-bit floating-point, 16-bit or 32-bit integer samples")
        }
        return try encode(samples)
    }
}
#endif
