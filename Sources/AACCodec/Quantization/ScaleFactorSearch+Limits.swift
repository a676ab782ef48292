// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
internal import TransformEncoding

extension ScaleFactorSearch {
    /// Limits scale factor differences to the coded range, after bands in between have changed to codebook 0.
    ///
    /// - Parameter margin: The amount by which differences may still grow.
    mutating func limitDifferences(_ codebooks: Span<UInt8>, bandCount: Int, margin: Int) {
        var target = scaleFactors.mutableSpan
        Self.limitDifferences(&target, codebooks, bandCount: bandCount, margin: margin)
    }

    /// Limits scale factor differences to the coded range, less a margin, by raising scale factors.
    ///
    /// Lowering one could make quantized values too large.
    package static func limitDifferences(
        _ scaleFactors: inout MutableSpan<Int16>, _ codebooks: Span<UInt8>, bandCount: Int, margin: Int = 0
    ) {
        let farthest = Int16(ScaleFactorCodebook.maximumDifference - margin)
        var last: Int16?
        for band in 0..<bandCount where scaleFactors[band] >= 0 && (1...BandCodebook.escape).contains(codebooks[band]) {
            let wanted = scaleFactors[band]
            if let last {
                scaleFactors[band] = max(wanted, last - farthest)
                if wanted - last > farthest { raise(before: band, to: wanted - farthest, farthest, &scaleFactors, codebooks) }
            }
            last = scaleFactors[band]
        }
    }

    /// Raises the last coded scale factor before a band, and earlier ones where the differences require it.
    private static func raise(
        before band: Int, to least: Int16, _ farthest: Int16, _ scaleFactors: inout MutableSpan<Int16>, _ codebooks: Span<UInt8>
    ) {
        var least = least
        for band in (0..<band).reversed() where scaleFactors[band] >= 0 && (1...BandCodebook.escape).contains(codebooks[band]) {
            guard scaleFactors[band] < least else { return }
            scaleFactors[band] = least
            least -= farthest
        }
    }
}
