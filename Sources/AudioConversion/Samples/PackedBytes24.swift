// SPDX-License-Identifier: Apache-2.0

/// Integers of 24 bits in three bytes, whose channels are written together: one store of four or eight bytes covers more than one sample.
enum PackedBytes24 {
    /// Writes interleaved frames.
    ///
    /// - Parameters:
    ///   - samples: The first sample of the first channel.
    ///   - planeLength: The distance between channels in samples.
    ///   - frameCount: The number of frames.
    ///   - channelCount: The number of channels.
    ///   - target: The memory for the frames.
    ///   - isBigEndian: Whether the most significant byte comes first.
    @unsafe
    static func write<Sample: WorkingSample>(
        _ samples: UnsafePointer<Sample>, planeLength: Int, frameCount: Int, channelCount: Int, into target: UnsafeMutableRawPointer,
        isBigEndian: Bool
    ) {
        // A store reaches beyond its frame, into the next one that is written after it, so that the last frames go byte by byte.
        let whole = max(0, frameCount - 1)
        switch (channelCount, isBigEndian) {
        case (1, false): for frame in 0..<whole { unsafe store(bits(samples[frame]), at: target + 3 &* frame) }
        case (2, false):
            let right = unsafe samples + planeLength
            for frame in 0..<whole {
                let pair = unsafe UInt64(bits(samples[frame]) & 0xFF_FFFF) | UInt64(bits(right[frame]) & 0xFF_FFFF) << 24
                unsafe (target + 6 &* frame).storeBytes(of: pair.littleEndian, as: UInt64.self)
            }
        default:
            for frame in 0..<whole {
                for channel in 0..<channelCount {
                    let value = unsafe bits(samples[channel &* planeLength &+ frame])
                    unsafe store(isBigEndian ? value.byteSwapped >> 8 : value, at: target + 3 &* (frame &* channelCount &+ channel))
                }
            }
        }
        for frame in whole..<frameCount {
            for channel in 0..<channelCount {
                let value = unsafe bits(samples[channel * planeLength + frame])
                let ordered = isBigEndian ? value.byteSwapped >> 8 : value
                let place = unsafe target + 3 * (frame * channelCount + channel)
                for byte in 0..<3 {
                    unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: ordered >> UInt32(8 * byte)), toByteOffset: byte, as: UInt8.self)
                }
            }
        }
    }

    /// Returns a sample as an integer in the low 24 bits.
    @inline(__always)
    private static func bits<Sample: WorkingSample>(_ sample: Sample) -> UInt32 { UInt32(bitPattern: sample.long(bitCount: 24)) }

    /// Stores a word, of which the next store replaces the last byte.
    @inline(__always)
    @unsafe
    private static func store(_ value: UInt32, at target: UnsafeMutableRawPointer) {
        unsafe target.storeBytes(of: value.littleEndian, as: UInt32.self)
    }
}
