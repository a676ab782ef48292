// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// The virtual codebooks 16 to 31: codebook 11 with a promise of the largest magnitude (ISO/IEC 14496-3:2009, 4.5.2.3.2).
enum VirtualCodebook {
    /// The number of the first one.
    static let first: UInt8 = 16

    /// The largest magnitudes of codebooks 16 to 31.
    private static let magnitudes: [UInt16] = [15, 31, 47, 63, 95, 127, 159, 191, 223, 255, 319, 383, 511, 767, 1023, 2047]

    /// Checks the largest magnitude that each virtual codebook of a long window promises.
    ///
    /// - Parameter sections: The codebooks as sent.
    static func check(
        _ quantized: Span<Int16>, _ sections: SIMD64<UInt8>, info: ICSInfo, bands: ScaleFactorBands
    ) throws(CodecError) {
        for band in 0..<info.maxSFB where sections[band] >= first {
            let limit = magnitudes[Int(sections[band] & 15)]
            for line in Int(bands.longOffsets[band])..<Int(bands.longOffsets[band + 1]) where quantized[line].magnitude > limit {
                throw .quantizedValueOutOfRange(Int(quantized[line]))
            }
        }
    }
}
