// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// Virtual codebooks 16 to 31: codebook 11 with a limited maximum magnitude (ISO/IEC 14496-3:2009, 4.5.2.3.2).
enum VirtualCodebook {
    static let first: UInt8 = 16

    /// The maximum magnitudes of codebooks 16 to 31.
    private static let magnitudes: [UInt16] = [15, 31, 47, 63, 95, 127, 159, 191, 223, 255, 319, 383, 511, 767, 1023, 2047]

    /// Checks that the lines of a long window respect the limits of its virtual codebooks.
    ///
    /// - Parameter sections: The sent codebook of each band.
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
