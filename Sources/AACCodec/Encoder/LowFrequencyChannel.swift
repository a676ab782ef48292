// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What is different in a low-frequency channel: no more than its lowest twelve lines are coded (ISO/IEC 14496-3, subpart 4).
enum LowFrequencyChannel {
    private static let lineLimit = 12

    /// The bands of a long window that lie below the limit.
    static func bandCount(_ bands: borrowing ScaleFactorBands) -> Int {
        var count = 1
        for band in 1..<bands.longCount where bands.longOffsets.span[band + 1] <= lineLimit { count = band + 1 }
        return count
    }

    /// What noise targets are multiplied by.
    ///
    /// Noise follows the loudness of the frame, a mean over its lines. The lines that this channel doesn't code are silent
    /// and count too, or its loudness would be that of its bass, and the bass would be lost in the noise it allows.
    static func noiseFactor(layout: borrowing BandLayout, law: NoiseAllocation) -> Float {
        var lineCount = 0
        for band in 0..<layout.count { lineCount += layout.width(band) }
        let loudnessExponent = 1 - law.energyExponent - law.thresholdExponent
        return PortableMath.exp2(2 * loudnessExponent * PortableMath.log2(Float(lineCount) / 1024))
    }
}
