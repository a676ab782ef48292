// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import AACCodec
public import AVFAudio
internal import AudioDevices
public import AudioPrimitives

extension AACEncoder {
    /// Encodes an AVFAudio buffer, for example from an AVAudioEngine tap.
    ///
    /// Type-checked only: see Documentation/Internals/Apple.md.
    ///
    /// - Parameter buffer: 32-bit float, 16-bit or 32-bit integer samples, with the encoder's sample rate and channel count.
    /// - Returns: The completed access units, possibly none.
    /// - Throws: `CodecError`.
    public func encode(_ buffer: AVAudioPCMBuffer) throws(CodecError) -> [AccessUnit] {
        guard let samples = PCMBuffer(buffer) else {
            preconditionFailure("AVFAudio delivers 32-bit floating-point, 16-bit or 32-bit integer samples")
        }
        return try encode(samples)
    }
}
#endif
