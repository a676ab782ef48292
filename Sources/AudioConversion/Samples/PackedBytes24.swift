// SPDX-License-Identifier: Apache-2.0

/// Packed 24-bit integers.
///
/// All channels are written together: one 4-byte or 8-byte store covers more than one sample.
enum PackedBytes24 {
    /// Writes interleaved frames.
    ///
    /// - Parameters:
    ///   - samples: The samples, starting at the first channel's first one.
    ///   - planeLength: The distance between channels, in samples.
    ///   - isBigEndian: Whether the most significant byte comes first.
    static func write<Sample: WorkingSample>(
        _ samples: Span<Sample>, planeLength: Int, frameCount: Int, channelCount: Int, into target: inout MutableRawSpan,
        isBigEndian: Bool
    ) {
        guard frameCount > 0 else { return }
        precondition((channelCount - 1) * planeLength + frameCount <= samples.count && 3 * frameCount * channelCount <= target.byteCount)
        // A local span stays in registers.
        var target = target._mutatingExtracting(0..<target.byteCount)
        /// Returns a sample as an integer in the low 24 bits, optionally byte-swapped.
        @inline(__always)
        func bits(_ index: Int, isReversed: Bool = false) -> UInt32 {
            let value = unsafe UInt32(bitPattern: samples[unchecked: index].long(bitCount: 24))
            return isReversed ? value.byteSwapped >> 8 : value
        }
        // A store extends into the next frame, which is written later. The last frame is therefore written byte by byte.
        let last = frameCount - 1
        switch (channelCount, isBigEndian) {
        case (2, false):
            for frame in 0..<last {
                let pair = UInt64(bits(frame) & 0xFF_FFFF) | UInt64(bits(planeLength &+ frame) & 0xFF_FFFF) << 24
                unsafe target.storeBytes(of: pair.littleEndian, toUncheckedByteOffset: 6 &* frame, as: UInt64.self)
            }
        default:
            var offset = 0
            for frame in 0..<last {
                var index = frame
                for _ in 0..<channelCount {
                    let value = bits(index, isReversed: isBigEndian).littleEndian
                    unsafe target.storeBytes(of: value, toUncheckedByteOffset: offset, as: UInt32.self)
                    (index, offset) = (index &+ planeLength, offset &+ 3)
                }
            }
        }
        for channel in 0..<channelCount {
            let value = bits(channel * planeLength + last, isReversed: isBigEndian)
            for byte in 0..<3 {
                let offset = 3 * (last * channelCount + channel) + byte
                target.storeBytes(of: UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)), toByteOffset: offset, as: UInt8.self)
            }
        }
    }
}
