// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
internal import TransformEncoding

/// The differences of a low-frequency channel: at most its lowest twelve lines are coded (ISO/IEC 14496-3:2009, 4.5.2.1.1).
enum LowFrequencyChannel {
    /// The number of lines that may be coded.
    private static let lineLimit = 12

    /// Returns the number of bands of a long window below the limit.
    static func bandCount(_ bands: borrowing ScaleFactorBands) -> Int {
        var count = 1
        for band in 1..<bands.longCount where bands.longOffsets[band + 1] <= lineLimit { count = band + 1 }
        return count
    }

    /// Returns the factor for the noise targets of a low-frequency channel.
    ///
    /// Noise targets follow the loudness of the frame, a mean over its lines. The silent lines that this channel doesn't code have
    /// to count as well; otherwise the loudness would be that of the bass alone, and noise of that loudness would mask the bass.
    static func noiseFactor(layout: borrowing BandLayout, frameLength: Int, noiseAllocation: NoiseAllocation) -> Float {
        var lineCount = 0
        for band in 0..<layout.count { lineCount += layout.width(band) }
        let loudnessExponent = 1 - noiseAllocation.energyExponent - noiseAllocation.thresholdExponent
        return PortableMath.exp2(2 * loudnessExponent * PortableMath.log2(Float(lineCount) / Float(frameLength)))
    }
}
