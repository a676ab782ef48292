// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
internal import TransformEncoding

/// The restrictions of a low-frequency channel: only its lowest twelve lines may be coded (ISO/IEC 14496-3:2009, 4.5.2.1.1).
enum LowFrequencyChannel {
    /// The maximum number of coded lines.
    private static let lineLimit = 12

    /// Returns the number of long bands below the limit.
    static func bandCount(_ bands: borrowing ScaleFactorBands) -> Int {
        var count = 1
        for band in 1..<bands.longCount where bands.longOffsets[band + 1] <= lineLimit { count = band + 1 }
        return count
    }

    /// Returns the factor for the noise targets of a low-frequency channel.
    ///
    /// Noise targets depend on the frame's loudness, a mean over its lines. The silent lines that this channel does not code must be
    /// counted. Otherwise the mean would be the loudness of the low frequencies alone, and noise at that level would mask them.
    static func noiseFactor(layout: borrowing BandLayout, frameLength: Int, noiseAllocation: NoiseAllocation) -> Float {
        var lineCount = 0
        for band in 0..<layout.count { lineCount += layout.width(band) }
        let loudnessExponent = 1 - noiseAllocation.energyExponent - noiseAllocation.thresholdExponent
        return PortableMath.exp2(2 * loudnessExponent * PortableMath.log2(Float(lineCount) / Float(frameLength)))
    }
}
