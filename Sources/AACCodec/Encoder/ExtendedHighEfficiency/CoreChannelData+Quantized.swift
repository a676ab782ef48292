// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_USAC
internal import MPEG4Audio
package import TransformCoding
package import USACCodec

extension CoreChannelData {
    /// Adopts the windows, lines and scale factors of an AAC channel with the same spectrum.
    ///
    /// Bands without lines are 0.
    package mutating func adoptStream(_ stream: borrowing IndividualChannelStream, bands: ScaleFactorBands) {
        let info = stream.info
        (windows.sequence, windows.shape, windows.maxSFB) = (info.windowSequence, info.windowShape, info.maxSFB)
        (windows.groupCount, windows.groupLengths) = (info.groupCount, info.groupLengths)
        copyLines(stream, bands: bands)
        for group in 0..<info.groupCount {
            for band in group * ICSInfo.bandStride..<group * ICSInfo.bandStride + info.maxSFB {
                scaleFactors[band] = UInt8(clamping: stream.scaleFactors[band])
            }
        }
    }

    /// Copies the lines from the order of AAC (group, band, window) to that of USAC (window, band).
    private mutating func copyLines(_ stream: borrowing IndividualChannelStream, bands: ScaleFactorBands) {
        let info = stream.info
        let length = bands.lineCount(isShort: info.isShort)
        let (codebooks, quantized) = (stream.codebooks.span, stream.quantized.span)
        self.lines.fill(0)
        guard info.isShort else { return copyLongWindow(stream, bands: bands) }
        var lines = self.lines.mutableSpan
        var window = 0
        for group in 0..<info.groupCount {
            let windows = Int(info.groupLengths[group])
            var source = window * length
            for sfb in 0..<info.maxSFB {
                let lower = bands.offset(sfb, isShort: info.isShort)
                let width = bands.offset(sfb + 1, isShort: info.isShort) - lower
                if 1...BandCodebook.escape ~= codebooks[group * ICSInfo.bandStride + sfb] {
                    for index in 0..<windows {
                        let (first, target) = (source + index * width, (window + index) * length + lower)
                        // Band widths are multiples of four.
                        for line in stride(from: 0, to: width, by: 4) {
                            lines.store(quantized.quartet(at: first + line), at: target + line)
                        }
                    }
                }
                source += windows * width
            }
            window += windows
        }
    }

    /// Copies runs of bands with lines.
    private mutating func copyLongWindow(_ stream: borrowing IndividualChannelStream, bands: ScaleFactorBands) {
        let (codebooks, quantized, offsets) = (stream.codebooks.span, stream.quantized.span, bands.longOffsets.span)
        var first = 0
        for sfb in 0..<stream.info.maxSFB {
            let end = Int(offsets[sfb + 1])
            if !(1...BandCodebook.escape ~= codebooks[sfb]) {
                first = end
            } else if sfb + 1 == stream.info.maxSFB || !(1...BandCodebook.escape ~= codebooks[sfb + 1]) {
                lines.copy(quantized.extracting(first..<end), to: first)
                first = end
            }
        }
    }
}
#endif
